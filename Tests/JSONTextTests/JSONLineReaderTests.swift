import Testing

@testable import JSONText

private func canonicalText(of node: JSONNode?) -> String {
  String(decoding: canonicalJSON(node?.value ?? .null), as: UTF8.self)
}

struct JSONLineReaderTests {
  /// What the reader gives: the values with their lines, and the faults.
  private func lines(_ bytes: [UInt8], longest: Int = 1 << 20, pieces: Int? = nil) -> [String] {
    var reader = pieces == nil ? JSONLineReader(bytes, longestLine: longest) : JSONLineReader(longestLine: longest)
    var found: [String] = []
    var rest = bytes[...]
    while true {
      do throws(JSONFault) {
        switch try reader.next() {
        case .value:
          found.append("\(reader.line):\(canonicalText(of: reader.value))")
        case .needsBytes:
          let piece = Array(rest.prefix(pieces ?? 1))
          rest = rest.dropFirst(piece.count)
          if piece.isEmpty { reader.finish() } else { piece.withUnsafeBytes { reader.feed($0) } }
        case .end: return found
        }
      } catch {
        found.append("\(error.line):\(error.column):\(error.kind)")
      }
    }
  }

  @Test(arguments: [nil, 1, 3, 7] as [Int?])
  func `each line is a value, with its number, however the bytes come`(pieces: Int?) {
    let text = "\u{FEFF}{\"a\":1}\r\n\n  \n[2]\n{\"a\":}\n{\"b\":1}{\n\"end\""
    #expect(
      lines(Array(text.utf8), pieces: pieces)
        == ["1:{\"a\":1}", "4:[2]", "5:6:syntax", "6:8:textAfterValue", "7:\"end\""])
  }

  @Test(arguments: [nil, 1, 5] as [Int?])
  func `a line that is too long is passed over`(pieces: Int?) {
    let text = "[1]\n[1,2,3,4,5,6]\n[2]\n"
    #expect(lines(Array(text.utf8), longest: 8, pieces: pieces) == ["1:[1]", "2:1:tooLong", "3:[2]"])
  }

  @Test(arguments: [nil, 4] as [Int?])
  func `bytes that are no text are faults of their line`(pieces: Int?) {
    #expect(
      lines([0xFF, 0xFE, 0x0A, 0x31, 0x0A, 0x00], pieces: pieces) == ["1:1:invalidUTF8", "2:1", "3:1:nulCharacter"])
    #expect(lines([], pieces: pieces) == [])
    #expect(lines([0xEF, 0xBB, 0xBF], pieces: pieces) == [])
  }
}

struct JSONListReaderTests {
  private func elements(_ text: String, longest: Int = 1 << 20) -> [String] {
    var reader = JSONListReader(Array(text.utf8), longestElement: longest)
    var found: [String] = []
    do throws(JSONFault) {
      while try reader.next() {
        found.append("\(reader.line):\(reader.column):\(canonicalText(of: reader.value))")
      }
    } catch {
      found.append("\(error.line):\(error.column):\(error.kind)")
    }
    return found
  }

  @Test(arguments: [
    ("[]", []), (" [ ] \n", []),
    ("\u{FEFF}[{\"a\":[1,{\"b\":\"]\"}]},\n  2 , \"x,]\"]", ["1:2:{\"a\":[1,{\"b\":\"]\"}]}", "2:3:2", "2:7:\"x,]\""]),
    ("{}", ["1:1:noList"]), ("", ["1:1:unexpectedEnd"]), ("[", ["1:2:unexpectedEnd"]),
    ("[1", ["1:2:1", "1:3:unexpectedEnd"]), ("[1,]", ["1:2:1", "1:4:syntax"]), ("[,1]", ["1:2:syntax"]),
    ("[1,,2]", ["1:2:1", "1:4:syntax"]), ("[1 2]", ["1:4:textAfterValue"]), ("[1] 2", ["1:2:1", "1:5:textAfterValue"]),
    ("[1,\n{\"a\":x}]", ["1:2:1", "2:6:syntax"]), ("[1,\n{\"a\":1", ["1:2:1", "2:7:unexpectedEnd"]),
    ("[{\"a\":1,\"a\":2}]", ["1:9:duplicateKey"]), ("[1}]", ["1:3:textAfterValue"]),
  ])
  func `a list gives its elements with their places, and its fault`(text: String, expected: [String]) {
    #expect(elements(text) == expected)
  }

  @Test func `an element that is too long is refused`() {
    #expect(elements("[1,\"abcdefghijk\"]", longest: 8) == ["1:2:1", "1:4:tooLong"])
  }
}
