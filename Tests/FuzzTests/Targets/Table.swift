import CircleModel
import Diagnostics
import Glibc

@testable import CircleTables

/// A table as the fuzzer writes it. The first line says what it is, `users u.csv GB18030` for instance: its kind, the
/// name by which it is read, the encoding that an option names; all that follows is the table.
private struct FuzzedTable {
  var kind: String
  var name: String
  var encoding: TableEncoding?
  var isFormulaSafe: Bool
  var bytes: [UInt8]

  init(_ input: [UInt8]) {
    let end = input.firstIndex(of: 0x0A) ?? input.count
    let words = String(decoding: input[..<end], as: UTF8.self).split(separator: " ").map(String.init)
    kind = words.first ?? "users"
    name = words.dropFirst().first ?? "table"
    encoding = words.dropFirst(2).first.flatMap { TableEncoding(named: $0) }
    isFormulaSafe = words.count > 3
    bytes = Array(input[end...].dropFirst())
  }

  /// What reading it gives: rows in words, faults as `code line:column`, and all that is printed.
  struct Content: Equatable {
    var rows: [String] = []
    var faults: [String] = []
    var printed = ""
    /// Of a table of users, the fields of each by their number, 0 for the id.
    var users: [[Int: [UInt8]]] = []
  }

  func read() throws -> Content {
    guard let file = tmpfile() else { throw Broken(description: "no temporary file") }
    defer { fclose(file) }
    let descriptor = fileno(file)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw Broken(description: "the temporary file can't be written")
    }
    let input = TableInput(name: name, origin: .descriptor(descriptor))
    var options = TableScan.Options()
    options.reader.encoding = encoding
    options.isFormulaSafe = isFormulaSafe
    options.folder = "/tmp"
    return try kind == "tags" || kind == "members" ? readList(input, options) : readUsers(input, options)
  }

  private func readUsers(_ input: TableInput, _ options: TableScan.Options) throws -> Content {
    var all = UserTable.Options()
    all.scan = options
    let table = UserTable(all) { 0 }
    var content = Content()
    do throws(TableStop) {
      try table.read(input) { _, _ in }
    } catch {
      try Self.note(error, &content)
    }
    try Self.note(table.scan, &content)
    let merge = try table.spool.sorted()
    while let user = try merge.next(duplicate: { _, _, _ in }, Self.fields) {
      content.users.append(user)
      content.rows.append(user.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
    }
    return content
  }

  private static func fields(of record: UserRecord) -> [Int: [UInt8]] {
    var fields = [0: Array(record.id)]
    record.forEachField { fields[$0 + 1] = Array($1) }
    return fields
  }

  private func readList(_ input: TableInput, _ options: TableScan.Options) throws -> Content {
    let table = ListTable(kind == "tags" ? .tags : .members, options, keepsRefused: false) { 0 }
    var content = Content()
    do throws(TableStop) {
      try table.read(input) { _, _ in }
    } catch {
      try Self.note(error, &content)
    }
    try Self.note(table.scan, &content)
    content.rows = table.rows.map { "\($0)" }
    return content
  }

  private static func note(_ stop: TableStop, _ content: inout Content) throws {
    switch stop {
    case .fault(let fault):
      content.faults.append("\(fault.code) \(fault.place.line):\(fault.place.column)")
      content.printed += DiagnosticPrinter(files: SourceFiles()).text(of: .error(fault.code, fault.message))
    case .failed(let sentence): throw Broken(description: sentence)
    case .interrupted: throw Broken(description: "nobody interrupted it")
    }
  }

  private static func note(_ scan: TableScan, _ content: inout Content) throws {
    content.faults += scan.diagnostics.sorted().map { "\($0.code) \($0.place.line):\($0.place.column)" }
    content.printed += DiagnosticPrinter(files: scan.files).text(of: scan.diagnostics)
    try hold(scan.refusedCount <= scan.rowCount, "more rows are refused than there are")
  }

  /// The users written in a format that is read back.
  static func write(
    _ users: [[Int: [UInt8]]], as format: TableWriter.Format, isFormulaSafe: Bool
  ) -> FuzzedTable {
    let columns = TableSchema.users.fields.map(\.name)
    var writer = TableWriter(format, columns: columns, isFormulaSafe: isFormulaSafe)
    for user in users {
      for column in columns.indices { (user[column] ?? []).withUnsafeBufferPointer { writer.cell($0) } }
      writer.endRow()
    }
    var bytes: [UInt8] = []
    writer.drain(atLeast: 1) { (piece) throws(Never) in bytes += piece }
    var table = FuzzedTable([])
    table.name = "users.\(format.rawValue)"
    table.isFormulaSafe = isFormulaSafe
    table.bytes = bytes
    return table
  }

  /// In a gzip file that holds it as it is (RFC 1952, RFC 1951 section 3.2.4).
  var gzipped: FuzzedTable {
    var packed: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3]
    let size = UInt16(bytes.count)
    packed += [1] + Self.littleEndian(size) + Self.littleEndian(~size) + bytes
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    packed += Self.littleEndian(~sum) + Self.littleEndian(UInt32(bytes.count))
    var table = self
    table.bytes = packed
    return table
  }

  private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// In another encoding; nil where it is no UTF-8, or the encoding does not hold it.
  func encoded(as name: String) throws -> FuzzedTable? {
    guard encoding == .utf8, String(validating: bytes, as: UTF8.self) != nil,
      let encoding = TableEncoding(named: name), let encoder = try TextEncoder.to(encoding)
    else { return nil }
    var converted: [UInt8] = []
    do throws(TextEncoder.Failure) {
      try bytes.withUnsafeBufferPointer { (text) throws(TextEncoder.Failure) in
        try encoder.convert(UnsafeRawBufferPointer(text), failure: { $0 }) { (piece) throws(TextEncoder.Failure) in
          converted += piece
        }
      }
      try encoder.end { (piece) throws(TextEncoder.Failure) in converted += piece }
    } catch {
      return nil
    }
    var table = self
    table.encoding = encoding
    table.bytes = converted
    return table
  }
}

extension FuzzTarget {
  /// Tables of all formats, encodings and packings: packed or in another encoding they give the same; users that were read
  /// are the same when they are written and read again.
  static let table = FuzzTarget(name: "table") { input in
    let table = FuzzedTable(input)
    let content = try table.read()
    try holdVisible(content.printed, lines: true)
    if table.bytes.count < 0x1_0000, table.bytes.first != 31 {
      try holdEqual(try table.gzipped.read(), content, "with gzip it is another table")
    }
    for name in ["UTF-16LE", "UTF-16BE"] {
      guard let encoded = try table.encoded(as: name) else { continue }
      let same = try encoded.read()
      try holdEqual(same.rows, content.rows, "in \(name) it has other rows")
      try holdEqual(same.faults, content.faults, "in \(name) it has other faults")
    }
    for format in TableWriter.Format.allCases where !content.users.isEmpty {
      for isFormulaSafe in [false, true] {
        let written = FuzzedTable.write(content.users, as: format, isFormulaSafe: isFormulaSafe)
        let back = try written.read()
        try holdEqual(back.faults, [], "written as \(format) they have faults: \(back.printed)")
        try holdEqual(back.users, content.users, "written as \(format) they are others")
      }
    }
  }
}
