package import Diagnostics

/// What is wrong with one cell of a row, or with the row.
struct CellFault {
  /// -1: the whole row.
  var cell: Int
  var code: TableFault
  /// Without the column and the value, which are put before it.
  var reason: String
  var help: String?
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
  /// The tables read in an encoding that was found and is not UTF-8, with its name.
  package private(set) var encodings: [(table: String, encoding: String)] = []
  package let refused: RefusedRows?
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
    refused = keepsRefused ? RefusedRows(folder: options.folder) : nil
  }

  /// Rows between two reports of progress, which also look for signals.
  private static let stride = 4096

  /// Reads a table to its end.
  ///
  /// - Parameters:
  ///   - progress: hears of rows so far, and how far the file has been read in 1024ths, nil for a stream.
  ///   - body: looks at one row, whose fields stand at the cells given (-1: none); answers what is wrong with it.
  /// - Throws: what keeps the rest of the table from being read; faults of rows are in `diagnostics`.
  func read(
    _ input: TableInput, progress: (Int, Int?) -> Void,
    _ body: (TableReader, TableRow, [Int]) throws(TableStop) -> [CellFault]
  ) throws(TableStop) {
    let file = files.addUnquoted(path: input.name)
    let reader = try TableReader(input, file: file, options: options.reader, interrupted: interrupted)
    var binding = try ColumnBinding(schema, options.binding)
    var meanings: [ColumnBinding.Meaning] = []
    try bind(&binding, &meanings, reader)
    var cellOf = [Int](repeating: -1, count: schema.fields.count)
    while true {
      switch try reader.next() {
      case .end:
        if !reader.hasHeader, !reader.columns.isEmpty { try binding.check(reader) }
        if let encoding = reader.foundEncoding { encodings.append((input.name, encoding)) }
        progress(rowCount, reader.progress)
        return
      case .fault(let fault):
        rowCount += 1
        try refuse(reader, fault)
      case .row:
        rowCount += 1
        if meanings.count < reader.columns.count { try bind(&binding, &meanings, reader) }
        for field in cellOf.indices { cellOf[field] = -1 }
        var faults: [CellFault] = []
        var stop: TableStop?
        reader.lend { row in
          let nameless = Self.place(row, meanings, &cellOf)
          if nameless >= 0 {
            faults = [Self.nameless(nameless)]
          } else {
            do throws(TableStop) { faults = try body(reader, row, cellOf) } catch { stop = error }
          }
        }
        if let stop { throw stop }
        if !faults.isEmpty { try refuse(reader, faults) }
      }
      if rowCount % Self.stride == 0 { progress(rowCount, reader.progress) }
    }
  }

  private func bind(
    _ binding: inout ColumnBinding, _ meanings: inout [ColumnBinding.Meaning], _ reader: TableReader
  ) throws(TableStop) {
    do throws(TableStop) {
      try binding.bind(reader) { warning in
        quote(reader.headerExcerpt, at: warning.place)
        diagnostics.append(warning)
      }
    } catch {
      if case .fault(let fault) = error { quote(reader.headerExcerpt, at: fault.place) }
      throw error
    }
    meanings = binding.meanings
  }

  /// Notes at which cell each field stands.
  /// - Returns: a cell with something in it in a column without a name, or -1.
  private static func place(_ row: TableRow, _ meanings: [ColumnBinding.Meaning], _ cellOf: inout [Int]) -> Int {
    var nameless = -1
    for index in row.cells.indices {
      switch meanings[Int(row.cells[index].column)] {
      case .field(let field): cellOf[field] = index
      case .ignored: break
      case .nameless: if !row[index].isEmpty { nameless = index }
      }
    }
    return nameless
  }

  private static func nameless(_ cell: Int) -> CellFault {
    CellFault(
      cell: cell, code: .value, reason: "it stands in a column that has no name",
      help: "give the column a name in the header")
  }

  /// The text of a cell without the apostrophe that guards it.
  @inline(__always)
  func value(_ row: TableRow, _ cell: Int) -> UnsafeBufferPointer<UInt8> {
    let text = row[cell]
    return options.isFormulaSafe ? FormulaGuard.stripped(text) : text
  }

  // MARK: Faults

  private func refuse(_ reader: TableReader, _ faults: [CellFault]) throws(TableStop) {
    refusedCount += 1
    for fault in faults {
      diagnostics.appendError { diagnostic(fault, reader) }
    }
    let error = faults.map { message(of: $0, reader) }.joined(separator: "; ")
    try refused?.add(reader, error: error)
  }

  private func refuse(_ reader: TableReader, _ fault: Diagnostic) throws(TableStop) {
    refusedCount += 1
    diagnostics.appendError {
      if fault.place.line == reader.line { quote(reader.excerpt(of: reader.line), at: fault.place) }
      return fault
    }
    if reader.withRow({ !$0.cells.isEmpty }, otherwise: false) { try refused?.add(reader, error: fault.message) }
  }

  private func diagnostic(_ fault: CellFault, _ reader: TableReader) -> Diagnostic {
    let place = fault.cell < 0 ? reader.place : reader.place(of: fault.cell)
    quote(reader.excerpt(of: place.line), at: place)
    var notes: [Diagnostic.Note] = []
    if place.line != reader.line {
      quote(reader.excerpt(of: reader.line), at: reader.place)
      notes.append(.init("the row begins here", at: reader.place))
    }
    return fault.code.error(message(of: fault, reader), at: place, notes: notes, help: fault.help)
  }

  private func message(of fault: CellFault, _ reader: TableReader) -> String {
    guard fault.cell >= 0 else { return fault.reason }
    return reader.withRow(
      { row in
        let column = reader.columns[Int(row.cells[fault.cell].column)]
        return "\(column.isEmpty ? "column \(row.cells[fault.cell].column + 1)" : "'\(column)'") is "
          + "'\(Self.shown(row.text(fault.cell)))': \(fault.reason)"
      }, otherwise: fault.reason)
  }

  private func quote(_ line: String, at place: Place) {
    if place.isKnown, place.line > 0 { files.keep(line: place.line, line, of: place.file) }
  }

  /// A value as it is quoted in a sentence.
  private static func shown(_ value: String) -> String {
    let short = value.unicodeScalars.prefix(81)
    return short.count > 80 ? String(String.UnicodeScalarView(short.dropLast())) + "…" : value
  }
}
