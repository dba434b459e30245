package import Diagnostics

/// The rows that were refused, to be given back as CSV in their own columns with what is wrong in a last one.
///
/// Columns of several files that stand for one field are one column, called as in the first file. What a row has beyond
/// its columns stands in columns without a name behind them, and so does the text of a row that can't be read: nothing
/// may stand there, so that the row is refused until somebody has mended it.
///
/// They wait in an unlinked file: nobody knows how many there will be, nor which columns files that come later have.
package final class RefusedRows {
  private let schema: TableSchema
  private let folder: String
  private var refused: SpoolFile?
  private var raw: SpoolFile?
  private var refusals = 0
  /// Of all files, in the order in which they were met, with the fields that they stand for.
  private var columns: [(name: String, field: Int?)] = []
  private var fields: [Int: UInt32] = [:]
  private var positions: [[UInt8]: UInt32] = [:]
  /// By file, its columns and what they stand for.
  private var bound: [(names: [String], meanings: [ColumnBinding.Meaning])] = []
  /// By file, the columns of its reader in `columns`.
  private var known: [[UInt32]] = []
  /// How many columns without a name there are behind the others.
  private var beyond = 0
  /// The first cell in such a column has this number, the others those that follow.
  private static let firstBeyond: UInt32 = 1 << 31
  /// Where rows stand of which only the beginning is given back, being longer than any row may be; of many the first.
  package private(set) var cutOff: (count: Int, places: [Place]) = (0, [])

  /// Whether no row was refused.
  package var isEmpty: Bool { refusals == 0 }

  init(_ schema: TableSchema, folder: String) {
    self.schema = schema
    self.folder = folder
  }

  /// Takes note of what the columns of a file stand for; they are columns here once a row of it comes.
  func bind(_ reader: TableReader, _ meanings: [ColumnBinding.Meaning]) {
    let file = Int(reader.file)
    while bound.count <= file {
      bound.append(([], []))
      known.append([])
    }
    bound[file] = (reader.columns, meanings)
  }

  /// A row as it can wait: for each cell its column and its text.
  ///
  /// - Parameter keepsText: whether the row's text is given too, where no cell beyond its columns keeps it from being
  ///   imported as it is.
  private func pack(_ reader: TableReader, keepsText: Bool = false) -> [UInt8] {
    let file = Int(reader.file)
    if file < bound.count {
      let (names, meanings) = bound[file]
      for column in known[file].count..<meanings.count {
        let earlier = names[..<column].count { $0.utf8.elementsEqual(names[column].utf8) }
        known[file].append(position(of: names[column], earlier, meanings[column]))
      }
    }
    let positions = file < known.count ? known[file] : []
    var bytes: [UInt8] = []
    var isMarked = !keepsText
    reader.lend { row in
      for (index, cell) in row.cells.enumerated() {
        let text = row[index]
        if Int(cell.column) < positions.count {
          Self.append(positions[Int(cell.column)], text, to: &bytes)
          continue
        }
        let place = Int(cell.column) - positions.count
        beyond = max(beyond, place + 1)
        Self.append(Self.firstBeyond + UInt32(place), text, to: &bytes)
        if !text.isEmpty { isMarked = true }
      }
    }
    guard !isMarked else { return bytes }
    beyond = max(beyond, 1)
    let (text, isCutOff) = reader.text()
    if isCutOff {
      cutOff.count += 1
      if cutOff.places.count < 10 { cutOff.places.append(reader.place) }
    }
    text.withUnsafeBufferPointer { Self.append(Self.firstBeyond, $0, to: &bytes) }
    return bytes
  }

  /// - Parameter earlier: how many columns of the file before this one have the same name.
  private func position(of name: String, _ earlier: Int, _ meaning: ColumnBinding.Meaning) -> UInt32 {
    let next = UInt32(columns.count)
    if case .field(let field) = meaning {
      if let found = fields[field] { return found }
      fields[field] = next
      columns.append((name, field))
      return next
    }
    let key = Array("\(earlier) \(name)".utf8)
    if let found = positions[key] { return found }
    positions[key] = next
    columns.append((name, nil))
    return next
  }

  private static func append(_ column: UInt32, _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: column) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: text.count)) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: text)
  }

  // MARK: Rows

  /// Keeps the current row for the case that it is refused later.
  /// - Returns: where it waits.
  func keep(_ reader: TableReader) throws(TableStop) -> Int {
    let file: SpoolFile
    if let raw { file = raw } else { file = try SpoolFile(in: folder) }
    raw = file
    return try Self.append(pack(reader), to: file)
  }

  /// The current row is refused.
  ///
  /// - Parameter keepsText: whether its cells alone do not show what is wrong with it.
  func add(_ reader: TableReader, error: String, keepsText: Bool) throws(TableStop) {
    try add(pack(reader, keepsText: keepsText), error)
  }

  /// A row that was kept is refused.
  package func add(kept offset: Int, error: String) throws(TableStop) {
    guard let raw else { return }
    try raw.flush()
    try add(Self.read(raw, at: offset).bytes, error)
  }

  private func add(_ row: [UInt8], _ error: String) throws(TableStop) {
    let file: SpoolFile
    if let refused { file = refused } else { file = try SpoolFile(in: folder) }
    refused = file
    refusals += 1
    var bytes = row
    var error = error
    error.withUTF8 { Self.append(UInt32.max, $0, to: &bytes) }
    try Self.append(bytes, to: file)
  }

  @discardableResult
  private static func append(_ bytes: [UInt8], to file: SpoolFile) throws(TableStop) -> Int {
    var framed: [UInt8] = []
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count)) { framed.append(contentsOf: $0) }
    framed += bytes
    return try framed.withUnsafeBufferPointer { (bytes) throws(TableStop) in
      try file.append(UnsafeRawBufferPointer(bytes))
    }
  }

  private static func read(_ file: SpoolFile, at offset: Int) throws(TableStop) -> (bytes: [UInt8], end: Int) {
    var head: [UInt8] = []
    try file.read(at: offset, count: 4, into: &head)
    guard head.count == 4 else { return ([], offset) }
    let count = head.withUnsafeBytes { Int($0.loadUnaligned(as: UInt32.self)) }
    var bytes: [UInt8] = []
    try file.read(at: offset + 4, count: count, into: &bytes)
    return (bytes, offset + 4 + count)
  }

  // MARK: The file

  /// Columns for fields without which no table can be read, where no file had one.
  private var missingKeys: [String] {
    Set(schema.fields.compactMap(\.key)).sorted().compactMap { key in
      let fields = schema.fields.indices.filter { schema.fields[$0].key == key }
      return fields.contains { self.fields[$0] != nil } ? nil : schema.fields[fields[0]].name
    }
  }

  /// Where one file has a single text and another a list of them for the same thing: the column of the first, whose
  /// cells go into that of the other.
  private var merged: (from: Int, to: Int)? {
    for (list, field) in schema.fields.enumerated() {
      guard let single = field.singleField, let from = fields[single], let to = fields[list] else { continue }
      return (Int(from), Int(to))
    }
    return nil
  }

  /// Writes the header and all refused rows; columns called `error` give way to the new one at the end.
  package func write<Failure: Error>(
    to writer: inout DelimitedWriter, drain: (inout DelimitedWriter) throws(Failure) -> Void
  ) throws(Failure) -> TableStop? {
    let merged = merged
    let shown = columns.indices.filter { column in
      column != merged?.from && (columns[column].field != nil || TableSchema.plain(columns[column].name) != "error")
    }
    let missing = missingKeys
    for column in shown { writer.cell(columns[column].name) }
    for name in missing { writer.cell(name) }
    for _ in 0..<beyond { writer.cell("") }
    writer.cell("error")
    writer.endRow()
    guard let refused else { return nil }
    var cells = [Range<Int>?](repeating: nil, count: columns.count + beyond)
    var offset = 0
    for _ in 0..<refusals {
      let row: (bytes: [UInt8], end: Int)
      do throws(TableStop) {
        try refused.flush()
        row = try Self.read(refused, at: offset)
      } catch {
        return error
      }
      offset = row.end
      for column in cells.indices { cells[column] = nil }
      row.bytes.withUnsafeBytes { bytes in
        var error: Range<Int>?
        var position = 0
        while position + 8 <= bytes.count {
          let column = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
          let count = Int(bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
          let range = position + 8..<position + 8 + count
          switch column {
          case UInt32.max: error = range
          case Self.firstBeyond...: cells[columns.count + Int(column - Self.firstBeyond)] = range
          default: cells[Int(column)] = range
          }
          position = range.upperBound
        }
        let text = { (cell: Int) in UnsafeRawBufferPointer(rebasing: bytes[cells[cell] ?? 0..<0]) }
        for column in shown {
          if let merged, column == merged.to, cells[column] == nil, !text(merged.from).isEmpty {
            writer.cell(ListCell.cell([String(decoding: text(merged.from), as: UTF8.self)]))
          } else {
            writer.cell(text(column))
          }
        }
        for _ in missing { writer.cell("") }
        for cell in columns.count..<cells.count { writer.cell(text(cell)) }
        writer.cell(UnsafeRawBufferPointer(rebasing: bytes[error ?? 0..<0]))
      }
      writer.endRow()
      try drain(&writer)
    }
    return nil
  }
}
