/// Reads records of delimited text (RFC 4180) from bytes that come all at once or in pieces of any size.
///
///     var reader = DelimitedReader()
///     reading: while true {
///       switch try reader.next() {
///       case .record: use(reader.text(of: 0))
///       case .needsBytes: more ? reader.feed(piece) : reader.finish()
///       case .end: break reading
///       }
///     }
///
/// Records end with LF, CRLF or CR, the last one also with the text. A field may stand in quotes and then holds
/// delimiters, line breaks and doubled quotes; a quote within a field that does not begin with one is a plain character.
/// A UTF-8 byte order mark at the very begin is skipped. An empty line is a record of one empty field: see `isBlank`.
/// The same bytes give the same records, places and faults however they are cut into pieces.
package struct DelimitedReader: ~Copyable {
  package enum Step: Equatable, Sendable {
    /// A record can be read with `fields`, `text(of:)` and `withBytes(of:)`, until the next call that changes the reader.
    case record
    /// Feed more bytes or say that there are none.
    case needsBytes
    case end
  }

  /// The fields of the current record.
  package private(set) var fields: [DelimitedField] = []

  private let syntax: DelimitedSyntax
  private let longestRecord: Int
  private var window: [UInt8] = []
  /// Where the next record begins in the window.
  private var start = 0
  /// The line on which the next record begins.
  private var line = 1
  /// The bytes of the current record in the window, its line break included.
  private var record = 0..<0
  /// The line on which the current record begins, from 1.
  package private(set) var recordLine = 1
  /// Of the fault that was thrown last, where the quote was opened behind which it stands.
  package private(set) var openedQuote: (line: Int, column: Int)?
  private var isFinished = false
  private var isAtBegin = true
  /// After a fault: what is left of its line is passed over.
  private var isSkipping = false

  /// - Parameters:
  ///   - delimiter: an ASCII character other than the quote, CR, LF and NUL.
  ///   - quote: nil when quotes are plain characters, as in some tab-separated files.
  ///   - longestRecord: in bytes; more is a fault, so that a quote that is never closed can't fill the memory.
  package init(
    delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8? = UInt8(ascii: "\""), longestRecord: Int = 1 << 20
  ) {
    syntax = DelimitedSyntax(delimiter: delimiter, quote: quote)
    self.longestRecord = max(longestRecord, 1)
  }

  /// Reads text that is in memory as a whole; `next` never asks for more.
  package init(
    _ bytes: [UInt8], delimiter: UInt8 = UInt8(ascii: ","), quote: UInt8? = UInt8(ascii: "\""),
    longestRecord: Int = 1 << 20
  ) {
    self.init(delimiter: delimiter, quote: quote, longestRecord: longestRecord)
    window = bytes
    isFinished = true
  }

  /// Adds bytes that follow those before; the current record is gone.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    fields.removeAll(keepingCapacity: true)
    window.removeSubrange(..<start)
    start = 0
    record = 0..<0
    window.append(contentsOf: bytes)
  }

  /// Says that no more bytes follow.
  package mutating func finish() {
    isFinished = true
  }

  /// Goes to the next record.
  ///
  /// - Throws: the first fault of the record. Reading may go on after it, on the line after the one that the fault
  ///   names.
  package mutating func next() throws(DelimitedFault) -> Step {
    fields.removeAll(keepingCapacity: true)
    if isAtBegin && !skipMark() { return .needsBytes }
    if isSkipping && !skipLine() { return isFinished ? .end : .needsBytes }
    if start == window.count { return isFinished ? .end : .needsBytes }
    // One byte more than allowed, so that a record of just the limit is told from a longer one.
    let limit = min(window.count, start + longestRecord + 1)
    let isWhole = isFinished && window.count - start <= longestRecord
    let scan = window.withUnsafeBufferPointer { bytes in
      syntax.scan(UnsafeBufferPointer(rebasing: bytes[..<limit]), from: start, isLast: isWhole, into: &fields)
    }
    switch scan.outcome {
    case .record(let end):
      return try accept(until: end, isASCII: scan.isASCII, lineBreaks: scan.lineBreaks)
    case .incomplete(let place):
      guard limit - start > longestRecord else {
        fields.removeAll(keepingCapacity: true)
        return .needsBytes
      }
      throw fault(.recordTooLong, at: place)
    case .fault(let kind, let place, let quote):
      throw fault(kind, at: place, behind: quote)
    }
  }

  /// Whether the current record is an empty line.
  package var isBlank: Bool { fields.count == 1 && fields[0].range.isEmpty && !fields[0].isQuoted }

  /// Lends the bytes of a field, doubled quotes made single.
  package func withBytes<Result, Failure: Error>(
    of index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let field = fields[index]
    if field.hasDoubledQuotes {
      return try syntax.undoubled(window[field.range]).withUnsafeBufferPointer { (bytes) throws(Failure) in
        try body(UnsafeRawBufferPointer(bytes))
      }
    }
    return try window.withUnsafeBufferPointer { (bytes) throws(Failure) in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[field.range])))
    }
  }

  /// Lends the bytes in which the ranges of the fields count.
  package func withWindow<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try window.withUnsafeBufferPointer(body)
  }

  /// The text of a field, doubled quotes made single.
  package func text(of index: Int) -> String {
    withBytes(of: index) { String(decoding: $0, as: UTF8.self) }
  }

  /// The line and the column, in code points from 1, of a field's first character or its opening quote.
  package func place(of index: Int) -> (line: Int, column: Int) {
    var cursor = TextCursor(offset: record.lowerBound, line: recordLine)
    window.withUnsafeBufferPointer { cursor.advance(to: fields[index].begin, in: $0) }
    return (cursor.line, cursor.column)
  }

  /// Lends the bytes of one line of the current record, without its line break; none of a line that it does not have.
  ///
  /// - Parameter number: as `recordLine` and `place(of:)` count.
  package func withLine<Result>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    window.withUnsafeBufferPointer { bytes in
      var cursor = TextCursor(offset: record.lowerBound, line: recordLine)
      cursor.advance(toLine: number, before: record.upperBound, in: bytes)
      let rest = bytes[cursor.offset..<record.upperBound]
      let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
      return body(UnsafeBufferPointer(rebasing: rest[..<end]))
    }
  }

  /// Lends the bytes of the current record, without its line break.
  package func withRecord<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    window.withUnsafeBufferPointer { bytes in
      var end = record.upperBound
      while end > record.lowerBound, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
      return body(UnsafeBufferPointer(rebasing: bytes[record.lowerBound..<end]))
    }
  }

  /// After a fault: passes over the record that can't be read, as `next` does, and appends to `text` what of it stands
  /// in the bytes fed, from its beginning to the end of the line that the fault names.
  ///
  /// - Returns: whether the line goes on in bytes that were not fed yet; the next call is for these.
  package mutating func passOver(into text: inout [UInt8]) -> Bool {
    guard isSkipping else { return false }
    let begin = record.isEmpty ? start : record.lowerBound
    let lineBegin = start
    let isOver = skipLine()
    var end = start
    if isOver {
      end -= 1
      if end > lineBegin, window[end] == 0x0A, window[end - 1] == 0x0D { end -= 1 }
    }
    text.append(contentsOf: window[begin..<end])
    record = 0..<0
    return !isOver && !isFinished
  }

  /// Where the bytes that were fed end: the place of what could not be read any more.
  package var end: (line: Int, column: Int) {
    var cursor = TextCursor(offset: start, line: line)
    window.withUnsafeBufferPointer { cursor.advance(to: window.count, in: $0) }
    return (cursor.line, cursor.column)
  }

  /// Takes over the record that was found, unless it is not valid UTF-8.
  private mutating func accept(until end: Int, isASCII: Bool, lineBreaks: Int) throws(DelimitedFault) -> Step {
    if !isASCII {
      let invalid = window.withUnsafeBufferPointer { firstInvalidUTF8(in: $0, start..<end) }
      if let invalid { throw fault(.invalidUTF8, at: invalid) }
    }
    record = start..<end
    recordLine = line
    line += lineBreaks + 1
    start = end
    return .record
  }

  /// The fault at an offset, or one of invalid UTF-8 that stands before it.
  private mutating func fault(_ kind: DelimitedFault.Kind, at offset: Int, behind quote: Int? = nil) -> DelimitedFault {
    fields.removeAll(keepingCapacity: true)
    openedQuote = nil
    let first = start
    var cursor = TextCursor(offset: first, line: line)
    let fault = window.withUnsafeBufferPointer { bytes in
      let invalid = firstInvalidUTF8(in: bytes, first..<offset)
      if let quote, quote < invalid ?? offset {
        cursor.advance(to: quote, in: bytes)
        openedQuote = (cursor.line, cursor.column)
      }
      cursor.advance(to: invalid ?? offset, in: bytes)
      return DelimitedFault(invalid == nil ? kind : .invalidUTF8, line: cursor.line, column: cursor.column)
    }
    record = first..<window.count
    recordLine = line
    start = cursor.offset
    line = cursor.line
    isSkipping = true
    return fault
  }

  /// Passes over a byte order mark; false when more bytes are needed to know.
  private mutating func skipMark() -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let head = window[start...].prefix(3)
    if head.count < 3 && !isFinished && mark.starts(with: head) { return false }
    if head.elementsEqual(mark) { start += 3 }
    isAtBegin = false
    return true
  }

  /// Passes over the rest of a line and its line break; false when the break is not there yet.
  private mutating func skipLine() -> Bool {
    guard let found = window[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      start = window.count
      return false
    }
    start = found
    let isPair = window[found] == 0x0D && found + 1 < window.count && window[found + 1] == 0x0A
    if window[found] == 0x0D && found + 1 == window.count && !isFinished { return false }
    start = found + (isPair ? 2 : 1)
    line += 1
    isSkipping = false
    return true
  }
}
