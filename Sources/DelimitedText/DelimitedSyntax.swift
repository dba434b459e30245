/// The grammar: finds the end of one record and the fields in it.
struct DelimitedSyntax: Sendable {
  let delimiter: UInt8
  let quote: UInt8?
  /// By byte, true for what ends a run of plain text outside quotes: the delimiter, CR, LF, NUL.
  private let stops: [Bool]

  init(delimiter: UInt8, quote: UInt8?) {
    self.delimiter = delimiter
    self.quote = quote
    stops = (UInt8.min...UInt8.max).map { $0 == delimiter || $0 == 0x0A || $0 == 0x0D || $0 == 0 }
  }

  struct Scan {
    enum Outcome: Equatable {
      /// The record ends before this offset, its line break included.
      case record(end: Int)
      /// The bytes end within the record; what is open began here.
      case incomplete(since: Int)
      /// Behind the quote that was opened there, if it is behind one.
      case fault(DelimitedFault.Kind, at: Int, behind: Int? = nil)
    }

    var outcome = Outcome.incomplete(since: 0)
    /// No byte of the fields is above 0x7F.
    var isASCII = true
    /// Line breaks within fields in quotes.
    var lineBreaks = 0
  }

  /// Scans one record.
  ///
  /// - Parameter isLast: whether the text ends with the bytes.
  func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool, into fields: inout [DelimitedField]
  ) -> Scan {
    var scan = Scan()
    var index = start
    while true {
      let isQuoted = index < bytes.count && bytes[index] == quote
      let outcome =
        isQuoted
        ? quoted(bytes, &index, isLast: isLast, scan: &scan, into: &fields)
        : plain(bytes, &index, scan: &scan, into: &fields)
      if let outcome {
        scan.outcome = outcome
        return scan
      }
      if index == bytes.count {
        scan.outcome = isLast ? .record(end: index) : .incomplete(since: start)
        return scan
      }
      let byte = bytes[index]
      index += 1
      if byte == delimiter { continue }
      if byte == 0x0D {
        if index == bytes.count && !isLast {
          scan.outcome = .incomplete(since: start)
          return scan
        }
        if index < bytes.count && bytes[index] == 0x0A { index += 1 }
      }
      scan.outcome = .record(end: index)
      return scan
    }
  }

  /// A field without quotes; leaves the index at the delimiter, the line break or the end.
  private func plain(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, scan: inout Scan, into fields: inout [DelimitedField]
  ) -> Scan.Outcome? {
    let begin = index
    var seen: UInt64 = 0
    let raw = UnsafeRawBufferPointer(bytes)
    while bytes.count &- index >= 8 {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if holdsStop(word) { break }
      seen |= word
      index &+= 8
    }
    stops.withUnsafeBufferPointer { stops in
      while index < bytes.count, !stops[Int(bytes[index])] {
        seen |= UInt64(bytes[index])
        index &+= 1
      }
    }
    if seen & 0x8080_8080_8080_8080 != 0 { scan.isASCII = false }
    if index < bytes.count && bytes[index] == 0 { return .fault(.nulByte, at: index) }
    fields.append(
      DelimitedField(range: begin..<index, isQuoted: false, hasDoubledQuotes: false))
    return nil
  }

  /// Whether one of eight bytes may end a run of plain text: is the delimiter, CR, LF, NUL, or another control character.
  /// A borrow may name a byte too many, never one too few.
  @inline(__always)
  private func holdsStop(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let marked = word ^ (ones &* UInt64(delimiter))
    let control = (word &- ones &* 0x0E) & ~word
    return (control | ((marked &- ones) & ~marked)) & (ones &* 0x80) != 0
  }

  /// A field in quotes; leaves the index after the closing quote.
  private func quoted(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, isLast: Bool, scan: inout Scan,
    into fields: inout [DelimitedField]
  ) -> Scan.Outcome? {
    let open = index
    var isDoubled = false
    var seen: UInt8 = 0
    index += 1
    while true {
      guard index < bytes.count else {
        return isLast ? .fault(.unterminatedQuote, at: open) : .incomplete(since: open)
      }
      let byte = bytes[index]
      seen |= byte
      index &+= 1
      if byte > 0x22 && byte != quote { continue }
      if byte == quote {
        if index < bytes.count {
          if bytes[index] != quote { break }
          isDoubled = true
          index &+= 1
        } else if isLast {
          break
        } else {
          return .incomplete(since: open)
        }
      } else if byte == 0x0A || byte == 0x0D {
        // Of CRLF the LF is counted.
        if byte == 0x0A || index == bytes.count || bytes[index] != 0x0A { scan.lineBreaks += 1 }
      } else if byte == 0 {
        return .fault(.nulByte, at: index - 1, behind: open)
      }
    }
    if seen >= 0x80 { scan.isASCII = false }
    let range = open + 1..<index - 1
    fields.append(
      DelimitedField(range: range, isQuoted: true, hasDoubledQuotes: isDoubled))
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    return byte == delimiter || byte == 0x0A || byte == 0x0D ? nil : .fault(.textAfterQuote, at: index, behind: open)
  }

  /// The bytes with each pair of quotes made one.
  func undoubled(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var single: [UInt8] = []
    single.reserveCapacity(bytes.count)
    var isSecond = false
    for byte in bytes {
      isSecond = byte == quote && !isSecond
      if byte != quote || isSecond { single.append(byte) }
    }
    return single
  }
}
