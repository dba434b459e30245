import CircleModel
import Diagnostics
import JSONText
import Testing
import Testkit

@testable import CircleTables

/// A table as a test writes it, and what reading it gives.
struct TableText {
  var name = "users.csv"
  var bytes: [UInt8]
  var options = UserTable.Options()

  init(_ text: String, name: String = "users.csv") {
    bytes = Array(text.utf8)
    self.name = name
  }

  init(_ bytes: [UInt8], name: String = "users.csv") {
    self.bytes = bytes
    self.name = name
  }

  /// The text in another encoding.
  init(_ text: String, encoding: String, name: String = "users.csv") throws {
    self.name = name
    let converter = try #require(TextConverter(from: "UTF-8", to: encoding))
    var room = [UInt8](repeating: 0, count: text.utf8.count * 4 + 16)
    let step = Array(text.utf8).withUnsafeBytes { text in
      room.withUnsafeMutableBytes { converter.convert(text, into: $0) }
    }
    #expect(step.outcome == .taken)
    bytes = Array(room[..<step.filled])
  }

  /// Rows as `id field=text …`, in the order of the ids, then what was found wrong as `code line:column`.
  func users() throws -> (rows: [String], faults: [String], diagnostics: [Diagnostic], scan: TableScan) {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: name)
    var options = self.options
    options.scan.folder = folder.path
    let table = UserTable(options) { 0 }
    var diagnostics: [Diagnostic] = []
    do throws(TableStop) {
      try table.read(TableInput(name: name, origin: .file(folder.path(name)))) { _, _ in }
    } catch {
      switch error {
      case .fault(let fault): diagnostics.append(fault)
      case .failed(let sentence): Issue.record("\(sentence)")
      case .interrupted: Issue.record("interrupted")
      }
    }
    diagnostics += table.scan.diagnostics.sorted()
    let rows = try Self.rows(table.spool)
    return (rows, diagnostics.map { "\($0.code) \($0.place.line):\($0.place.column)" }, diagnostics, table.scan)
  }

  /// What an errors file would hold.
  static func refused(_ scan: TableScan) -> String {
    var writer = DelimitedWriter()
    let stop = scan.refused?.write(to: &writer) { _ in }
    #expect(stop == nil)
    return String(decoding: writer.buffer.bytes, as: UTF8.self)
  }

  static func rows(_ spool: UserSpool) throws -> [String] {
    var rows: [String] = []
    let merge = try spool.sorted()
    while let row = try merge.next(duplicate: { _, _, _ in }, Self.shown) { rows.append(row) }
    return rows
  }

  static func shown(_ record: UserRecord) -> String {
    var parts = [String(decoding: record.id, as: UTF8.self)]
    record.forEachField { field, text in
      let word = UserField(rawValue: UInt8(field))?.word ?? "devices"
      parts.append("\(word)=\(String(decoding: text, as: UTF8.self))")
    }
    return parts.joined(separator: " ")
  }
}
