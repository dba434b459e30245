import Glibc

/// Walks over the tokens of JSON bytes without building anything: what libjansson does not tell, such as how deep a
/// text nests, where a token begins, and where an element of a long list ends.
struct JSONScan {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset: Int
  /// Brackets that are open.
  private(set) var depth = 0

  init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Goes over white space to the begin of the next token.
  /// - Returns: its first byte; nil at the end.
  mutating func nextToken() -> UInt8? {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return byte }
      offset &+= 1
    }
    return nil
  }

  /// Goes over the token that begins here; what is no JSON goes as words and single bytes.
  mutating func skipToken() {
    guard offset < bytes.count else { return }
    let byte = bytes[offset]
    offset &+= 1
    switch byte {
    case UInt8(ascii: "\""): skipText()
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth &+= 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"): depth &-= 1
    case _ where Self.isOfWord(byte):
      while offset < bytes.count, Self.isOfWord(bytes[offset]) { offset &+= 1 }
    default: break
    }
  }

  /// What numbers and the three words are made of.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }

  /// Goes behind the closing quote, or to the line's end where there is none.
  private mutating func skipText() {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == 0x0A { return }
      offset &+= 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), offset < bytes.count, bytes[offset] != 0x0A { offset &+= 1 }
    }
  }

  /// Where the first bracket stands that opens more than so many levels; nil where none does.
  static func tooDeep(_ bytes: UnsafeRawBufferPointer, levels: Int) -> Int? {
    // A line that is not longer can't nest deeper.
    if bytes.count <= levels { return nil }
    var scan = JSONScan(bytes)
    while scan.nextToken() != nil {
      let begin = scan.offset
      scan.skipToken()
      if scan.depth > levels { return begin }
    }
    return nil
  }

  /// Where the token begins that the byte before `end` belongs to.
  static func tokenStart(_ bytes: UnsafeRawBufferPointer, before end: Int) -> Int {
    var scan = JSONScan(bytes)
    var begin = 0
    while scan.nextToken() != nil, scan.offset < end {
      begin = scan.offset
      scan.skipToken()
      if scan.offset >= end { break }
    }
    return begin
  }
}

/// The place of an offset as people count: lines end with LF, columns are code points.
package func jsonPlace(
  of offset: Int, in bytes: UnsafeRawBufferPointer, firstLine: Int, firstColumn: Int = 1
) -> (line: Int, column: Int) {
  var line = firstLine
  var column = firstColumn
  for byte in bytes.prefix(offset) {
    if byte == 0x0A {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }
  return (line, column)
}
