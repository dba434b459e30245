/// Where lines of a text begin: one line in every 64 KiB or so, from which the others are found by reading on. A text
/// of 1 GiB needs a quarter of a megabyte.
struct LineIndex: Sendable {
  let encoding: TextEncoding
  /// Sorted; the first is the first line.
  private var marks: [(line: Int, offset: Int)]

  private static let piece = 64 << 10
  private static let spacing = 64 << 10

  init(read: (_ offset: Int, _ count: Int) -> ArraySlice<UInt8>) {
    let head = Array(read(0, 4))
    let encoding = TextEncoding(sniffing: head)
    let begin = encoding.markLength(in: head)
    var marks = [(line: 1, offset: begin)]
    var scanner = LineScanner(line: 1, offset: begin)
    scanner.scan(from: begin, encoding: encoding, piece: Self.piece, read: read) { line, offset in
      if let last = marks.last, offset - last.offset >= Self.spacing { marks.append((line, offset)) }
      return true
    }
    self.encoding = encoding
    self.marks = marks
  }

  /// The offset of the line's first byte, nil when there is no such line.
  func start(of number: Int, read: (_ offset: Int, _ count: Int) -> ArraySlice<UInt8>) -> Int? {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].line <= number { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let mark = marks[low - 1]
    if mark.line == number { return mark.offset }
    var found: Int?
    var scanner = LineScanner(line: mark.line, offset: mark.offset)
    scanner.scan(from: mark.offset, encoding: encoding, piece: Self.spacing, read: read) { line, offset in
      if line == number { found = offset }
      return line < number
    }
    return found
  }
}

/// Walks over a text and names each line that begins, also across the pieces that are read.
private struct LineScanner {
  var line: Int
  var offset: Int
  /// A CR was the last unit: the next line begins here, or after an LF that follows.
  private var afterReturn = false

  init(line: Int, offset: Int) {
    self.line = line
    self.offset = offset
  }

  /// Calls `begin` with the number and the offset of each line after the first until it answers false.
  mutating func scan(
    from start: Int, encoding: TextEncoding, piece: Int,
    read: (_ offset: Int, _ count: Int) -> ArraySlice<UInt8>, begin: (_ line: Int, _ offset: Int) -> Bool
  ) {
    offset = start
    while true {
      let bytes = read(offset, piece)
      if bytes.isEmpty { break }
      let base = offset
      let goesOn = bytes.withUnsafeBufferPointer { bytes in
        scan(bytes, base: base, encoding: encoding, begin: begin)
      }
      if !goesOn { return }
      offset = base + bytes.count
      if bytes.count < piece { break }
    }
    if afterReturn {
      line += 1
      _ = begin(line, offset)
    }
  }

  private mutating func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, base: Int, encoding: TextEncoding, begin: (_ line: Int, _ offset: Int) -> Bool
  ) -> Bool {
    let width = encoding.unitLength
    // The byte of a unit that tells a line break, when the other one is zero.
    let low = encoding == .utf16BigEndian ? 1 : 0
    var index = 0
    while index + width <= bytes.count {
      if !afterReturn, index + 8 <= bytes.count, !Self.mayHoldBreak(bytes, at: index) {
        index += 8
        continue
      }
      let byte = bytes[index + low]
      index += width
      if byte != 0x0A && byte != 0x0D && !afterReturn { continue }
      let isBreak = width == 1 || bytes[index - 1 - low] == 0
      if afterReturn {
        afterReturn = false
        line += 1
        let isPair = isBreak && byte == 0x0A
        if !begin(line, base + index - (isPair ? 0 : width)) { return false }
        if isPair { continue }
      }
      guard isBreak else { continue }
      if byte == 0x0A {
        line += 1
        if !begin(line, base + index) { return false }
      } else if byte == 0x0D {
        afterReturn = true
      }
    }
    return true
  }

  /// Whether one of eight bytes is 0x0D or less; rarely says so of eight greater ones.
  private static func mayHoldBreak(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    return (word &- ones &* 0x0E) & ~word & (ones &* 0x80) != 0
  }
}
