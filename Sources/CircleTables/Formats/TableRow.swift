import Diagnostics

/// Where one cell of a row stands.
package struct TableCell: Sendable {
  /// Index into the reader's columns.
  package var column: Int32
  /// Whether it stands in the reader's own room, not in the file's text: quotes undoubled, or values decoded.
  var isDecoded: Bool
  var start: Int
  var count: Int
}

/// A row, lent by its reader for the length of a call: no cell is copied.
package struct TableRow {
  private let text: UnsafeBufferPointer<UInt8>
  private let decoded: UnsafeBufferPointer<UInt8>
  /// In the order of the row; a column that the row leaves out has none.
  package let cells: UnsafeBufferPointer<TableCell>

  init(
    text: UnsafeBufferPointer<UInt8>, decoded: UnsafeBufferPointer<UInt8>, cells: UnsafeBufferPointer<TableCell>
  ) {
    self.text = text
    self.decoded = decoded
    self.cells = cells
  }

  /// The UTF-8 bytes of a cell.
  @inline(__always)
  package subscript(_ cell: Int) -> UnsafeBufferPointer<UInt8> {
    let place = cells[cell]
    let bytes = place.isDecoded ? decoded : text
    return UnsafeBufferPointer(rebasing: bytes[place.start..<place.start &+ place.count])
  }

  package func text(_ cell: Int) -> String { String(decoding: self[cell], as: UTF8.self) }
}

/// What a reader of one format gives.
enum RowStep {
  case row
  /// This row can't be read; the next one can.
  case fault(RowFault)
  case end
}

/// What can't be a cell, such as a list of objects, where a row could be read else.
struct CellProblem {
  /// Its place has a cell all the same.
  var cell: Int
  /// What follows the column's name in a sentence.
  var reason: String
}

/// What is wrong with a row as it is written.
struct RowFault {
  var code: TableFault
  var message: String
  var line: Int
  /// 0: none is meant.
  var column: Int
  var help: String?
  /// Where the quotation mark was opened behind which it stands.
  var openedQuote: (line: Int, column: Int)?
}

/// The rows of one format.
protocol RowSource: AnyObject {
  /// As written, in the order in which they were met; they only grow.
  var columns: [String] { get }
  /// Where the current row begins, from 1.
  var line: Int { get }
  var column: Int { get }

  func next() throws(TableStop) -> RowStep
  /// Lends the current row.
  func lend(_ body: (TableRow) -> Void)
  /// The place of a cell of the current row: its line, and the column in code points, 0 where it is not known.
  func place(of cell: Int) -> (line: Int, column: Int)
  /// Where a column is named: in the header, or in the row that has it first.
  func place(ofColumn column: Int) -> (line: Int, column: Int)
  /// What is quoted of the line at a place in the current row; of no column where that is 0.
  func quote(line: Int, column: Int) -> Quote
  /// What of the current row can't be cells.
  var problems: [CellProblem] { get }
  /// The current row as it stands in the file, also where it can't be read; of one that is longer than
  /// `longestRow`, which is a fault of its own, perhaps no more than the beginning.
  func rowText() -> [UInt8]
}

extension RowSource {
  var column: Int { 1 }

  /// Of what stands on a later line than its row begins: where it all began.
  func notes(of fault: RowFault, in file: FileIndex) -> [Diagnostic.Note] {
    func note(_ message: String, _ place: (line: Int, column: Int)) -> Diagnostic.Note {
      Diagnostic.Note(
        message, at: Place(file: file, line: place.line, column: place.column),
        quote: quote(line: place.line, column: place.column))
    }
    var notes: [Diagnostic.Note] = []
    if let quote = fault.openedQuote, quote.line < fault.line {
      notes.append(note("the quotation mark was opened here", quote))
    }
    if line < fault.line, notes.first?.place.line != line { notes.append(note("the row begins here", (line, column))) }
    return notes
  }
}

/// Bytes of a row; a longer one is a fault.
let longestRow = 1 << 20
