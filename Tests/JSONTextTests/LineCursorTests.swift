import Testing

@testable import JSONText

@Suite struct LineCursorTests {
  /// What the cursor writes of a text, and whether it took it for plain.
  private func written(_ text: [UInt8]) -> (isPlain: Bool, bytes: [UInt8]) {
    var buffer = ByteBuffer()
    var isPlain = false
    text.withUnsafeBufferPointer { text in
      buffer.append(atMost: text.count + 2) { target in
        var cursor = LineCursor(target)
        isPlain = cursor.put(plain: text)
        return cursor.distance(from: target)
      }
    }
    return (isPlain, buffer.bytes)
  }

  @Test(arguments: 0...40) func `a plain text of any length is written in quotes`(length: Int) {
    let text = (0..<length).map { UInt8(ascii: "#") + UInt8($0) }
    let (isPlain, bytes) = written(text)
    #expect(isPlain)
    #expect(bytes == [0x22] + text + [0x22])
  }

  @Test(arguments: [0x00, 0x0A, 0x1F, 0x22, 0x5C, 0x7F, 0x80, 0xC3, 0xFF] as [UInt8])
  func `what needs an escape is found wherever it stands`(odd: UInt8) {
    for length in 1...20 {
      for position in 0..<length {
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        text[position] = odd
        #expect(!written(text).isPlain, "\(odd) at \(position) of \(length)")
      }
    }
  }

  @Test func `all other letters are plain wherever they stand`() {
    for letter in 0x20..<0x7F as Range<UInt8> where letter != 0x22 && letter != 0x5C {
      for position in 0..<11 {
        var text = [UInt8](repeating: UInt8(ascii: "~"), count: 11)
        text[position] = letter
        #expect(written(text).isPlain, "\(letter) at \(position)")
      }
    }
  }

  @Test func `what is put follows one another`() {
    var part = ByteBuffer()
    part.append("part")
    var buffer = ByteBuffer()
    buffer.append("<")
    let letters: [UInt8] = [1, 2]
    letters.withUnsafeBufferPointer { letters in
      buffer.append(atMost: 64) { target in
        var cursor = LineCursor(target)
        cursor.put("static")
        cursor.put(decimal: 1_001_994)
        cursor.put(part)
        cursor.put(letters)
        cursor.put(UInt8(ascii: ">"))
        return cursor.distance(from: target)
      }
    }
    let bytes = buffer.bytes
    #expect(bytes == Array("<static1001994part".utf8) + [1, 2] + Array(">".utf8))
  }
}
