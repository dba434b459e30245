package import Diagnostics

/// What is wrong with one cell of a row, or with the row.
struct CellFault {
  /// -1: the whole row.
  var cell: Int
  var code: TableFault
  /// Without the column and the value, which are put before it.
  var reason: String
  var help: String?
  /// Whether the reason follows the column's name alone: the value can't be shown.
  var hidesValue = false
}

extension [CellFault] {
  /// With what else is wrong; of a cell that can't be read nothing more is told.
  func and(_ found: [CellFault]) -> [CellFault] {
    isEmpty ? found : self + found.filter { other in other.cell >= 0 && !contains { $0.cell == other.cell } }
  }
}

/// Goes through the rows of some tables: binds their columns, tells what is wrong with each row, and keeps what is
/// refused.
package final class TableScan {
  package struct Options: Sendable {
    package var reader = TableReader.Options()
    package var binding = ColumnBinding.Options()
    /// Whether one apostrophe before `= + - @` is stripped.
    package var isFormulaSafe = false
    /// How many faults are kept, and how many warnings.
    package var maxErrors = 100
    /// Where unlinked files are made.
    package var folder = "/var/tmp"

    package init() {}
  }

  package let options: Options
  private let schema: TableSchema
  /// For the places in `diagnostics`, with the lines that they quote.
  package private(set) var files = SourceFiles()
  package var diagnostics: DiagnosticCollector
  package private(set) var rowCount = 0
  package private(set) var refusedCount = 0
  /// Whether all tables could be read to their ends.
  package private(set) var isWhole = true
  /// The tables read in an encoding that was found and is not UTF-8, with its name.
  package private(set) var encodings: [(table: String, encoding: String)] = []
  package let refused: RefusedRows?
  /// By file, and there by field, what its column is called.
  private var names: [FileIndex: [String?]] = [:]
  /// By file, the field of the cell with which each row begins, where that is always the same one.
  private var leads: [FileIndex: Int] = [:]
  private let interrupted: () -> Int32

  /// - Parameters:
  ///   - keepsRefused: whether refused rows are to be given back.
  ///   - interrupted: the signal that has come, or 0.
  init(
    _ schema: TableSchema, _ options: Options, keepsRefused: Bool, interrupted: @escaping () -> Int32
  ) {
    self.schema = schema
    self.options = options
    self.interrupted = interrupted
    diagnostics = DiagnosticCollector(limit: options.maxErrors)
    refused = keepsRefused ? RefusedRows(schema, folder: options.folder) : nil
  }

  /// Rows between two reports of progress, which also look for signals.
  private static let stride = 4096

  /// Reads a table to its end.
  ///
  /// - Parameters:
  ///   - progress: hears of rows so far, and how far the file has been read in 1024ths, nil for a stream.
  ///   - body: looks at one row, whose fields stand at the cells given (-1: none), and of which is known what can't be
  ///     read; answers all that is wrong with it.
  /// - Throws: what keeps the rest of the table from being read; faults of rows are in `diagnostics`.
  func read(
    _ input: TableInput, progress: (Int, Int?) -> Void,
    _ body: (TableReader, TableRow, [Int], [CellFault]) throws(TableStop) -> [CellFault]
  ) throws(TableStop) {
    do throws(TableStop) {
      try readRows(input, progress: progress, body)
    } catch {
      isWhole = false
      throw error
    }
  }

  private func readRows(
    _ input: TableInput, progress: (Int, Int?) -> Void,
    _ body: (TableReader, TableRow, [Int], [CellFault]) throws(TableStop) -> [CellFault]
  ) throws(TableStop) {
    let file = files.addUnquoted(path: input.name)
    let reader = try TableReader(
      input, file: file, options: options.reader, mapped: options.binding.map.map(\.column), interrupted: interrupted)
    var binding = ColumnBinding(schema, options.binding)
    defer {
      if case .file(let path) = input.origin, reader.isPlainFile { files.quote(file, fromFileAt: path) }
    }
    var meanings: [ColumnBinding.Meaning] = []
    try bind(&binding, &meanings, reader)
    var cells = FieldCells(schema)
    // Of a table with a header each row has the same cells.
    if reader.hasHeader { cells.place(meanings.indices, meanings) { $0 } }
    var allIsRead = true
    while true {
      switch try reader.next() {
      case .end:
        if !reader.hasHeader, !reader.columns.isEmpty { try binding.check(reader, allIsRead: allIsRead) }
        if let encoding = reader.foundEncoding { encodings.append((input.name, encoding)) }
        progress(rowCount, reader.progress)
        return
      case .fault(let fault):
        rowCount += 1
        allIsRead = false
        if meanings.count < reader.columns.count { try bind(&binding, &meanings, reader) }
        try refuse(reader, fault)
      case .row:
        rowCount += 1
        if !reader.hasHeader, meanings.count < reader.columns.count { try bind(&binding, &meanings, reader) }
        var faults: [CellFault] = []
        var stop: TableStop?
        var unreadable: [CellFault] = []
        reader.lend { row in
          if !reader.hasHeader {
            unreadable = Self.unreadable(reader.problems, row, meanings)
            cells.place(row.cells.indices, meanings) { Int(row.cells[$0].column) }
          }
          if let nameless = cells.nameless.last(where: { !row[$0].isEmpty }) {
            faults = unreadable + [Self.nameless(nameless)]
          } else {
            do throws(TableStop) { faults = try body(reader, row, cells.ofField, unreadable) } catch { stop = error }
          }
        }
        if let stop { throw stop }
        if !faults.isEmpty { try refuse(reader, faults, keepsText: !unreadable.isEmpty) }
      }
      if rowCount % Self.stride == 0 { progress(rowCount, reader.progress) }
    }
  }

  private func bind(
    _ binding: inout ColumnBinding, _ meanings: inout [ColumnBinding.Meaning], _ reader: TableReader
  ) throws(TableStop) {
    do throws(TableStop) {
      try binding.bind(reader) { warning in
        var warning = warning
        warning.quote = reader.quote(ofColumnAt: warning.place)
        diagnostics.append(warning)
      }
    } catch {
      guard case .fault(var fault) = error, fault.place.line > 0 else { throw error }
      fault.quote = reader.quote(ofColumnAt: fault.place)
      throw .fault(fault)
    }
    meanings = binding.meanings
    names[reader.file] = binding.columns.map { $0 < 0 ? nil : reader.columns[$0] }
    if reader.hasHeader { leads[reader.file] = binding.columns.firstIndex(of: 0) }
    refused?.bind(reader, meanings)
  }

  /// What can't be a cell is a fault only where it would be read.
  private static func unreadable(
    _ problems: [CellProblem], _ row: TableRow, _ meanings: [ColumnBinding.Meaning]
  ) -> [CellFault] {
    problems.compactMap { problem in
      if meanings[Int(row.cells[problem.cell].column)] == .ignored { return nil }
      return CellFault(cell: problem.cell, code: .value, reason: problem.reason, hidesValue: true)
    }
  }

  private static func nameless(_ cell: Int) -> CellFault {
    CellFault(
      cell: cell, code: .value, reason: "it stands in a column that has no name",
      help: "move it to the column to which it belongs, or give this one a name in the header")
  }

  /// The text of a cell without the apostrophe that guards it.
  @inline(__always)
  func value(_ row: TableRow, _ cell: Int) -> UnsafeBufferPointer<UInt8> {
    let text = row[cell]
    return options.isFormulaSafe ? FormulaGuard.stripped(text) : text
  }

  // MARK: Columns

  /// What a file calls the column of a field.
  package func column(of field: Int, in file: FileIndex) -> String {
    names[file]?[field] ?? schema.fields[field].name
  }

  /// The place of a field's cell in a row of which only the begin is known; no column where it stands further behind.
  package func place(of field: Int, inRowAt place: Place) -> Place {
    leads[place.file] == field ? place : Place(file: place.file, line: place.line, column: 0)
  }

  // MARK: Faults

  private func refuse(_ reader: TableReader, _ faults: [CellFault], keepsText: Bool) throws(TableStop) {
    refusedCount += 1
    for fault in faults {
      diagnostics.appendError { diagnostic(fault, reader) }
    }
    let error = faults.map { message(of: $0, reader) }.joined(separator: "; ")
    try refused?.add(reader, error: error, keepsText: keepsText)
  }

  private func refuse(_ reader: TableReader, _ fault: Diagnostic) throws(TableStop) {
    refusedCount += 1
    diagnostics.appendError {
      var fault = fault
      fault.quote = reader.quoteOfFault
      fault.notes = reader.notesOfFault
      return fault
    }
    try refused?.add(reader, error: fault.message, keepsText: true)
  }

  private func diagnostic(_ fault: CellFault, _ reader: TableReader) -> Diagnostic {
    let place = fault.cell < 0 ? reader.place : reader.place(of: fault.cell)
    let notes =
      place.line == reader.line
      ? [] : [Diagnostic.Note("the row begins here", at: reader.place, quote: reader.quote(of: -1))]
    var diagnostic = fault.code.error(message(of: fault, reader), at: place, notes: notes, help: fault.help)
    diagnostic.quote = reader.quote(of: fault.cell)
    return diagnostic
  }

  private func message(of fault: CellFault, _ reader: TableReader) -> String {
    guard fault.cell >= 0 else { return fault.reason }
    return reader.withRow(
      { row in
        let column = reader.columns[Int(row.cells[fault.cell].column)]
        if fault.hidesValue { return "'\(column)' \(fault.reason)" }
        return "\(column.isEmpty ? "column \(row.cells[fault.cell].column + 1)" : "'\(column)'") is "
          + "'\(Self.shown(row.text(fault.cell)))': \(fault.reason)"
      }, otherwise: fault.reason)
  }

  /// A value as it is quoted in a sentence.
  private static func shown(_ value: String) -> String {
    let short = value.unicodeScalars.prefix(81)
    return short.count > 80 ? String(String.UnicodeScalarView(short.dropLast())) + "…" : value
  }
}

/// At which cells of a row the fields stand.
private struct FieldCells {
  /// By field, -1 where there is none.
  private(set) var ofField: [Int]
  /// The cells in columns without a name.
  private(set) var nameless: [Int] = []

  init(_ schema: TableSchema) {
    ofField = [Int](repeating: -1, count: schema.fields.count)
  }

  mutating func place(_ cells: Range<Int>, _ meanings: [ColumnBinding.Meaning], column: (Int) -> Int) {
    for field in ofField.indices { ofField[field] = -1 }
    nameless.removeAll(keepingCapacity: true)
    for cell in cells {
      switch meanings[column(cell)] {
      case .field(let field): ofField[field] = cell
      case .ignored: break
      case .nameless: nameless.append(cell)
      }
    }
  }
}
