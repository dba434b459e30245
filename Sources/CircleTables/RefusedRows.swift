/// The rows that were refused, to be given back as CSV in their own columns with what is wrong in a last one.
///
/// They wait in an unlinked file: nobody knows how many there will be, nor which columns files that come later have.
package final class RefusedRows {
  private let folder: String
  private var refused: SpoolFile?
  private var raw: SpoolFile?
  private var refusals = 0
  /// Of all files, in the order in which they were met.
  private var columns: [String] = []
  private var positions: [[UInt8]: UInt32] = [:]
  /// By file, the columns of its reader in `columns`.
  private var known: [[UInt32]] = []

  package init(folder: String) {
    self.folder = folder
  }

  /// A row as it can wait: for each cell its column and its text.
  private func pack(_ reader: TableReader) -> [UInt8] {
    let file = Int(reader.file)
    while known.count <= file { known.append([]) }
    let names = reader.columns
    for column in known[file].count..<names.count { known[file].append(position(of: names[column])) }
    var bytes: [UInt8] = []
    reader.lend { row in
      for (index, cell) in row.cells.enumerated() {
        // Cells beyond the header have no column to stand in.
        guard Int(cell.column) < known[file].count else { continue }
        Self.append(known[file][Int(cell.column)], row[index], to: &bytes)
      }
    }
    return bytes
  }

  private func position(of name: String) -> UInt32 {
    let key = Array(name.utf8)
    if let found = positions[key] { return found }
    let next = UInt32(columns.count)
    positions[key] = next
    columns.append(name)
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
  func add(_ reader: TableReader, error: String) throws(TableStop) {
    try add(pack(reader), error)
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

  /// Writes the header and all refused rows; columns called `error` give way to the new one at the end.
  package func write<Failure: Error>(
    to writer: inout DelimitedWriter, drain: (inout DelimitedWriter) throws(Failure) -> Void
  ) throws(Failure) -> TableStop? {
    let shown = columns.indices.filter { TableSchema.plain(columns[$0]) != "error" }
    for column in shown { writer.cell(columns[column]) }
    writer.cell("error")
    writer.endRow()
    guard let refused else { return nil }
    var cells = [Range<Int>?](repeating: nil, count: columns.count)
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
          if column == UInt32.max { error = range } else { cells[Int(column)] = range }
          position = range.upperBound
        }
        for column in shown {
          writer.cell(UnsafeRawBufferPointer(rebasing: bytes[cells[column] ?? 0..<0]))
        }
        writer.cell(UnsafeRawBufferPointer(rebasing: bytes[error ?? 0..<0]))
      }
      writer.endRow()
      try drain(&writer)
    }
    return nil
  }
}
