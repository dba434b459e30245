/// The line with that number, from 1, of a text in UTF-8 or UTF-16, without its line break and byte order mark;
/// invalid bytes become U+FFFD.
///
/// Lines end as editors end them, with LF, CR LF or CR, and so as `YAMLEventReader` counts them. Nil past the last line; the
/// empty line after a final line break is one. Takes one pass over the text up to the line.
package func sourceLine(_ number: Int, of bytes: UnsafeRawBufferPointer) -> String? {
  sourceLines([number], of: bytes)[number]
}

/// Several lines by their numbers, found in one pass over the text; those that do not exist are left out.
package func sourceLines(_ numbers: some Sequence<Int>, of bytes: UnsafeRawBufferPointer) -> [Int: String] {
  let encoding = TextEncoding(of: bytes)
  var found: [Int: String] = [:]
  var start = encoding.markLength(in: bytes)
  var current = 1
  for number in numbers.sorted() where number >= 1 {
    while current < number {
      let end = endOfLine(from: start, in: bytes, encoding: encoding)
      guard end.next > end.line else { return found }
      start = end.next
      current += 1
    }
    let end = endOfLine(from: start, in: bytes, encoding: encoding)
    found[number] = text(of: UnsafeRawBufferPointer(rebasing: bytes[start..<end.line]), encoding: encoding)
  }
  return found
}

private func text(of line: UnsafeRawBufferPointer, encoding: TextEncoding) -> String {
  if encoding == .utf8 { return String(decoding: line, as: UTF8.self) }
  return String(decoding: UTF16Units(bytes: line, encoding: encoding), as: UTF16.self)
}

/// Where the line that begins at `start` ends, and where the next one begins; the same place when there is no next.
private func endOfLine(
  from start: Int, in bytes: UnsafeRawBufferPointer, encoding: TextEncoding
) -> (line: Int, next: Int) {
  let width = encoding == .utf8 ? 1 : 2
  // A code unit in UTF-16 is a line break by one byte when its other byte is zero.
  let (low, high) = encoding == .utf16be ? (1, 0) : (0, width - 1)
  var offset = start
  while offset + width <= bytes.count {
    let byte = bytes[offset + low]
    if byte == 0x0A || byte == 0x0D, width == 1 || bytes[offset + high] == 0 {
      let next = offset + width
      let isPair =
        byte == 0x0D && next + width <= bytes.count && bytes[next + low] == 0x0A
        && (width == 1 || bytes[next + high] == 0)
      return (offset, isPair ? next + width : next)
    }
    offset += width
  }
  return (bytes.count, bytes.count)
}

/// The code units of UTF-16 bytes; a last odd byte becomes a lone surrogate, which decoding repairs.
private struct UTF16Units: Collection {
  let bytes: UnsafeRawBufferPointer
  let encoding: TextEncoding

  var startIndex: Int { 0 }
  var endIndex: Int { (bytes.count + 1) / 2 }
  func index(after index: Int) -> Int { index + 1 }

  subscript(index: Int) -> UInt16 {
    guard 2 * index + 1 < bytes.count else { return 0xD800 }
    let (first, second) = (UInt16(bytes[2 * index]), UInt16(bytes[2 * index + 1]))
    return encoding == .utf16le ? second << 8 | first : first << 8 | second
  }
}
