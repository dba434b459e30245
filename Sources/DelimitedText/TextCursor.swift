/// Counts lines and columns over valid UTF-8; LF, CRLF and CR each end a line.
struct TextCursor {
  private(set) var offset: Int
  private(set) var line: Int
  /// In code points, from 1.
  private(set) var column = 1

  /// Stands at the begin of a line.
  init(offset: Int, line: Int) {
    self.offset = offset
    self.line = line
  }

  /// Goes forward to an offset, which does not split a CRLF.
  mutating func advance(to end: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    advance(toLine: .max, before: end, in: bytes)
  }

  /// Goes forward to the begin of a line, or to an offset where that comes first.
  mutating func advance(toLine number: Int, before end: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    while offset < end, line < number {
      let byte = bytes[offset]
      offset += 1
      if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D && offset < end && bytes[offset] == 0x0A { offset += 1 }
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
  }
}

/// Where the first byte stands that is no part of a valid UTF-8 sequence; nil when all is valid.
package func firstInvalidUTF8(in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
  var index = range.lowerBound
  while index < range.upperBound {
    let lead = bytes[index]
    if lead < 0x80 {
      // Eight at a time, as most text is ASCII.
      while index &+ 8 <= range.upperBound,
        UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index &+= 8
      }
      while index < range.upperBound, bytes[index] < 0x80 { index &+= 1 }
      continue
    }
    // The range of the second byte rules out overlong forms, surrogates and what is above U+10FFFF.
    let (length, second): (Int, ClosedRange<UInt8>)
    switch lead {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return index
    }
    guard index + length <= range.upperBound, second.contains(bytes[index + 1]) else { return index }
    for next in index + 2..<max(index + length, index + 2) where bytes[next] & 0xC0 != 0x80 { return index }
    index += length
  }
  return nil
}
