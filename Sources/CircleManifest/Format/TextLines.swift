/// The lines of a text, counted from 1; each ends with LF, CR LF or CR.
struct TextLines {
  let bytes: [UInt8]
  /// Where each line begins; one more for the end.
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
      if byte == 0x0A || byte == 0x0D { starts.append(position) }
    }
    if starts.last != bytes.count { starts.append(bytes.count) }
    self.starts = starts
  }

  var count: Int { starts.count - 1 }

  /// The line with its end.
  func whole(_ line: Int) -> ArraySlice<UInt8> { bytes[starts[line - 1]..<starts[line]] }

  /// The line without its end.
  func text(_ line: Int) -> ArraySlice<UInt8> {
    var text = whole(line)
    while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
    return text
  }

  /// The end of the line; empty where the last line has none.
  func end(_ line: Int) -> ArraySlice<UInt8> { whole(line)[text(line).endIndex...] }

  func isBlank(_ line: Int) -> Bool { text(line).allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  /// Where the line's `#` stands, from 1, if it is nothing but a comment.
  func commentColumn(_ line: Int) -> Int? {
    let text = text(line)
    guard let first = text.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }), text[first] == UInt8(ascii: "#") else {
      return nil
    }
    return first - text.startIndex + 1
  }

  /// Whether only spaces stand before the column.
  func begins(_ line: Int, at column: Int) -> Bool {
    let text = text(line)
    return text.count >= column && text.prefix(column - 1).allSatisfy { $0 == 0x20 }
  }

  /// Whether a block scalar whose head stands on the line keeps the blank lines at its end.
  func keepsBlankLines(_ line: Int) -> Bool {
    var head = text(line)
    // What follows the head can only be a comment.
    var position = head.startIndex
    while position < head.endIndex {
      if head[position] == UInt8(ascii: "#"), position > head.startIndex,
        head[position - 1] == 0x20 || head[position - 1] == 0x09
      {
        // A `#` before the head would be in quotes of a key; then the text is taken to keep its lines.
        if head[..<position].contains(UInt8(ascii: "|")) || head[..<position].contains(UInt8(ascii: ">")) {
          head = head[..<position]
          break
        }
      }
      position += 1
    }
    while let last = head.last, last == 0x20 || last == 0x09 { head.removeLast() }
    return head.suffix(2).contains(UInt8(ascii: "+"))
  }
}
