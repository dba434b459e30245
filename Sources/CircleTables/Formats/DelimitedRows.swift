import DelimitedText
import Diagnostics

/// The rows of a CSV or TSV file, its header first.
final class DelimitedRows: RowSource {
  private let feed: TextFeed
  private var reader: DelimitedReader
  private(set) var columns: [String] = []
  private var cells = ContiguousArray<TableCell>()
  private var decoded: [UInt8] = []
  private var header: [(line: Int, column: Int)] = []
  /// A row that can't be read, from its beginning to the end of the line on which it can't.
  private var broken: [UInt8]?
  /// The header's line, as it is quoted.
  private(set) var headerExcerpt = ""

  /// Reads the header.
  init(_ feed: TextFeed, delimiter: UInt8, file: FileIndex) throws(TableStop) {
    self.feed = feed
    reader = DelimitedReader(delimiter: delimiter)
    while columns.isEmpty {
      guard try readHeader(file) else { throw feed.isEmpty("not even a header") }
    }
  }

  /// - Returns: false at the end of the file.
  private func readHeader(_ file: FileIndex) throws(TableStop) -> Bool {
    switch try step() {
    case .row where reader.fields.allSatisfy(\.isEmpty): return true
    case .row where isSeparatorLine: return true
    case .row:
      columns = reader.fields.indices.map { reader.text(of: $0) }
      header = reader.fields.indices.map { reader.place(of: $0) }
      headerExcerpt = excerpt(of: line)
      return true
    case .fault(let fault):
      throw .fault(
        fault.code.error(
          fault.message, at: Place(file: file, line: fault.line, column: fault.column),
          notes: notes(of: fault, in: file), help: fault.help))
    case .end: return false
    }
  }

  /// `sep=;`, which some spreadsheet programs write before the header.
  private var isSeparatorLine: Bool {
    reader.withLine(reader.recordLine) { line in line.count == 5 && line.starts(with: "sep=".utf8) }
  }

  var line: Int { reader.recordLine }

  func next() throws(TableStop) -> RowStep {
    while true {
      let step = try step()
      guard case .row = step else { return step }
      if reader.isBlank { continue }
      guard reader.fields.count == columns.count else {
        if reader.fields.allSatisfy(\.isEmpty) { continue }
        takeCells()
        return .fault(raggedRow())
      }
      if takeCells() { return .row }
    }
  }

  private func step() throws(TableStop) -> RowStep {
    broken = nil
    while true {
      do throws(DelimitedFault) {
        switch try reader.next() {
        case .record: return .row
        case .end: return .end
        case .needsBytes: break
        }
      } catch {
        cells.removeAll(keepingCapacity: true)
        try passOver()
        return .fault(fault(error))
      }
      try more()
    }
  }

  private func more() throws(TableStop) {
    let more = try feed.next(place: { reader.end }) { reader.feed($0) }
    if !more { reader.finish() }
  }

  private func passOver() throws(TableStop) {
    var text: [UInt8] = []
    while reader.passOver(into: &text) {
      if text.count > longestRow { text.removeLast(text.count - longestRow - 1) }
      try more()
    }
    broken = text
  }

  /// - Returns: whether there is anything in the row; spreadsheets end in rows of nothing but delimiters.
  @discardableResult
  private func takeCells() -> Bool {
    // Taken out, so that not every change of them is looked at.
    var (taken, decoded) = (ContiguousArray<TableCell>(), [UInt8]())
    swap(&taken, &cells)
    swap(&decoded, &self.decoded)
    taken.removeAll(keepingCapacity: true)
    decoded.removeAll(keepingCapacity: true)
    var isEmpty = true
    let fields = reader.fields
    for index in fields.indices {
      let range = fields[index].range
      var cell = TableCell(
        column: Int32(truncatingIfNeeded: index), isDecoded: false, start: range.lowerBound, count: range.count)
      if cell.count > 0 { isEmpty = false }
      if fields[index].hasDoubledQuotes {
        cell.isDecoded = true
        cell.start = decoded.count
        reader.withBytes(of: index) { decoded.append(contentsOf: $0) }
        cell.count = decoded.count - cell.start
      }
      taken.append(cell)
    }
    swap(&taken, &cells)
    swap(&decoded, &self.decoded)
    return !isEmpty
  }

  private func raggedRow() -> RowFault {
    let found = reader.fields.count
    return RowFault(
      code: .rowLength,
      message: "the row has \(found) \(found == 1 ? "cell" : "cells"), and the header names \(columns.count) columns",
      line: line, column: 1,
      help: found > columns.count
        ? "a cell that holds the delimiter stands in quotation marks" : "a cell with nothing in it keeps its delimiter")
  }

  private func fault(_ fault: DelimitedFault) -> RowFault {
    let (code, message): (TableFault, String) =
      switch fault.kind {
      case .invalidUTF8: (.encoding, feed.badBytes.message)
      case .nulByte: (.encoding, "a NUL character can't stand in a table")
      case .unterminatedQuote: (.syntax, "the quotation mark that begins this cell is never closed")
      case .textAfterQuote: (.syntax, "text follows a closing quotation mark")
      case .recordTooLong: (.syntax, "the row is longer than 1 MiB; a quotation mark may not be closed")
      }
    let help: String? =
      switch fault.kind {
      case .invalidUTF8: feed.badBytes.help
      case .nulByte: "UTF-16 without a byte order mark needs --encoding utf-16le or utf-16be"
      case .textAfterQuote: "a quotation mark within a cell in quotation marks is written twice"
      default: nil
      }
    return RowFault(
      code: code, message: message, line: fault.line, column: fault.column, help: help, openedQuote: reader.openedQuote)
  }

  func lend(_ body: (TableRow) -> Void) {
    reader.withWindow { text in
      decoded.withUnsafeBufferPointer { decoded in
        cells.withUnsafeBufferPointer { cells in body(TableRow(text: text, decoded: decoded, cells: cells)) }
      }
    }
  }

  func place(of cell: Int) -> (line: Int, column: Int) {
    cell < reader.fields.count ? reader.place(of: cell) : (line, 0)
  }

  func place(ofColumn column: Int) -> (line: Int, column: Int) { header[column] }

  func quote(line: Int, column: Int) -> Quote { Quote(line: excerpt(of: line), column: column) }

  private func excerpt(of line: Int) -> String {
    guard let broken else { return reader.withLine(line) { quoted($0) } }
    var rest = broken[...]
    for _ in self.line..<max(line, self.line) {
      guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return "" }
      rest = rest[(end + 1)...]
      if broken[end] == 0x0D, rest.first == 0x0A { rest.removeFirst() }
    }
    return rest.prefix { $0 != 0x0A && $0 != 0x0D }.withUnsafeBufferPointer { quoted($0) }
  }

  var problems: [CellProblem] { [] }

  func rowText() -> [UInt8] { broken ?? reader.withRecord { Array($0) } }
}

/// A line as it is quoted below a fault: no more than the places of cells can be told apart in.
func quoted(_ line: UnsafeBufferPointer<UInt8>) -> String {
  String(decoding: line.prefix(64 << 10), as: UTF8.self)
}
