import CircleState
import StateConformance
import Testing
import Testkit

@testable import CircleStatePostgres

@Suite(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
struct OpeningTests {
  let server: PostgresServer
  let url: ServerURL

  init() throws {
    server = try #require(PostgresServer.shared)
    url = try ServerURL(server.newSchema())
  }

  private var schema: String { PostgresServer.schema(of: url.text) }

  private func error(_ url: ServerURL, _ mode: OpeningMode) -> StateError? {
    do throws(StateError) {
      _ = try PostgresRows.open(url, mode: mode, timeout: 200)
      return nil
    } catch {
      return error
    }
  }

  private func sentence(_ error: StateError?) -> String {
    switch error {
    case .io(let text)?, .damaged(let text)?, .notAState(let text)?: text
    default: "\(String(describing: error))"
    }
  }

  @Test func `a schema without tables is no state, until one is made`() throws {
    #expect(error(url, .read) == .missing(url.text))
    #expect(error(url, .write(create: false)) == .missing(url.text))
    #expect(try PostgresRows.open(url, mode: .write(create: true)).isNew)
    #expect(try !PostgresRows.open(url, mode: .write(create: true)).isNew)
    #expect(error(url, .read) == nil)
  }

  @Test func `two states are kept apart by their schemas`() throws {
    let other = try ServerURL(server.newSchema())
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    try rows.write { () throws(StateError) in try rows.put(.users, RowKey(1), bytes: [1]) }
    #expect(try PostgresRows.open(other, mode: .write(create: true)).keys(.users) == [])
  }

  @Test func `a later format is refused, and a damaged one`() throws {
    _ = try PostgresRows.open(url, mode: .write(create: true))
    _ = try server.sql("UPDATE \(schema).circlectl_lock SET format = 99")
    for mode: OpeningMode in [.read, .write(create: false), .write(create: true)] {
      #expect(error(url, mode) == .newerFormat(found: 99, supported: StateFormat.newest))
    }
    _ = try server.sql("DELETE FROM \(schema).circlectl_lock")
    #expect(sentence(error(url, .read)).contains("the row of the format is missing"))
  }

  @Test func `an older format is read as it is, and brought to the newest by what writes`() throws {
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    let row: [UInt8] = [1, 2, 3]
    try rows.write { () throws(StateError) in
      for run in 1...2500 as ClosedRange<UInt32> { try rows.put(.runs, RowKey(run), bytes: row) }
      for table in [StateTable.head, .users] { try rows.put(table, .first, bytes: row) }
    }
    _ = try server.sql("DROP TABLE \(schema).circlectl_checkpoint")
    _ = try server.sql("UPDATE \(schema).circlectl_lock SET format = 1")
    let sealed = Seal.sealed(row)
    let reader = try PostgresRows.open(url, mode: .read)
    #expect(reader.format == 1 && reader.upgrade == nil)
    #expect(try reader.bytes(.head, .first) == sealed && reader.bytes(.users, .first) == row)
    #expect(try reader.withLast(.runs, from: .first, through: .last) { Array($1) } == sealed)
    #expect(try reader.keys(.checkpoint) == [] && reader.bytes(.checkpoint, .first) == nil)
    #expect(try reader.withLast(.checkpoint, from: .first, through: .last) { (key, _) in key } == nil)
    #expect(try reader.checkStore() == [])
    let writer = try PostgresRows.open(url, mode: .write(create: false))
    #expect(writer.upgrade == StateUpgrade(from: 1) && writer.format == StateFormat.newest && !writer.isNew)
    var stored = 0
    try writer.scan(.runs, from: .first, through: .last) { (_, bytes) in
      stored += bytes.elementsEqual(sealed) ? 1 : 0
      return true
    }
    #expect(try stored == 2500 && writer.bytes(.users, .first) == row)
    try writer.write { () throws(StateError) in try writer.put(.checkpoint, .first, bytes: [1]) }
    #expect(try writer.checkStore() == [])
    // A reader that was open already sees it.
    try reader.begin(writing: false, timeout: 100)
    #expect(try reader.bytes(.checkpoint, .first) == [1] && reader.bytes(.head, .first) == sealed)
    reader.rollback()
    #expect(try PostgresRows.open(url, mode: .write(create: false)).upgrade == nil)
  }

  @Test func `a missing table and a foreign row are found`() throws {
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    #expect(try rows.checkStore() == [])
    _ = try server.sql("INSERT INTO \(schema).circlectl_members VALUES (1, -1, '')")
    #expect(try rows.checkStore() == ["circlectl_members holds 1 rows under keys that no row has"])
    _ = try server.sql("DROP TABLE \(schema).circlectl_users")
    #expect(try rows.checkStore().first?.contains("\"circlectl_users\" does not exist") == true)
    #expect(sentence(#expect(throws: StateError.self) { try rows.keys(.users) }).contains("circlectl_users"))
  }

  @Test func `several processes may make the state at once`() async throws {
    let url = self.url
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<6 {
        group.addTask { try PostgresRows.open(url, mode: .write(create: true)).isNew }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(made == 1)
  }

  @Test func `a role without rights is told what it may not do`() throws {
    _ = try PostgresRows.open(url, mode: .write(create: true))
    let role = "r_\(schema)"
    let mine = try ServerURL(server.url(schema: schema, user: role))
    _ = try server.sql("CREATE ROLE \(role) LOGIN")
    #expect(sentence(error(mine, .read)).contains("no schema of the search path"))
    _ = try server.sql("GRANT USAGE ON SCHEMA \(schema) TO \(role)")
    #expect(sentence(error(mine, .read)).contains("permission denied for table circlectl_lock"))
    _ = try server.sql("GRANT SELECT ON ALL TABLES IN SCHEMA \(schema) TO \(role)")
    let rows = try PostgresRows.open(mine, mode: .write(create: true))
    #expect(try rows.keys(.users) == [])
    let refused = #expect(throws: StateError.self) { try rows.begin(writing: true, timeout: 0) }
    #expect(sentence(refused).contains("permission denied for table circlectl_lock (SQLSTATE 42501)"))
    _ = try server.sql("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO \(role)")
    try rows.write { () throws(StateError) in
      for number: UInt32 in 0..<200 { try rows.put(.users, RowKey(number), bytes: [1]) }
    }
    #expect(try rows.keys(.users).count == 200)
  }

  @Test func `a role that may make no tables is told so`() throws {
    let role = "m_\(schema)"
    _ = try server.sql("CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA \(schema) TO \(role)")
    let mine = try ServerURL(server.url(schema: schema, user: role))
    #expect(error(mine, .read) == .missing(mine.text))
    #expect(sentence(error(mine, .write(create: true))).contains("permission denied for schema \(schema)"))
  }

  @Test func `a server that is not there, a base that is not there`() throws {
    let nowhere = sentence(error(try ServerURL("postgres:///base?host=/nowhere"), .read))
    #expect(nowhere.contains("can't connect to 'postgres:///base?host=/nowhere'") && nowhere.contains("No such file"))
    let noBase = try ServerURL("postgres://circle@/nobase?host=\(server.folder)")
    #expect(sentence(error(noBase, .write(create: true))).contains("\"nobase\" does not exist"))
  }
}
