import CircleState
import Glibc
import StateConformance
import Synchronization
import Testing
import Testkit

@testable import CircleStatePostgres

/// Connections that end, hang or have to stop.
@Suite(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
struct FaultTests {
  let server: PostgresServer
  let url: ServerURL

  init() throws {
    server = try #require(PostgresServer.shared)
    url = try ServerURL(server.newSchema())
  }

  private var schema: String { PostgresServer.schema(of: url.text) }

  private func process(of rows: PostgresRows) throws -> Int32 {
    Int32(try rows.connection.run("SELECT pg_backend_pid()", Parameters(), "ask").integer(0, 0))
  }

  private func sentence(_ error: StateError?) -> String {
    if case .io(let text)? = error { text } else { "\(String(describing: error))" }
  }

  @Test func `a connection that ends within a transaction undoes it, and the next one connects again`() throws {
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    try rows.begin(writing: true, timeout: 0)
    for number: UInt32 in 0..<500 { try rows.put(.users, RowKey(number), bytes: [1]) }
    _ = try server.sql("SELECT pg_terminate_backend(\(process(of: rows)))")
    let lost = #expect(throws: StateError.self) { try rows.commit() }
    #expect(sentence(lost).contains("the connection was lost"), "\(String(describing: lost))")
    #expect(try rows.keys(.users) == [])
    try rows.write { () throws(StateError) in try rows.put(.users, RowKey(7), bytes: [1]) }
    #expect(try rows.keys(.users) == [RowKey(7)])
  }

  @Test func `a connection that ends in the middle of a commit is told, and what became of it is looked up`() throws {
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    _ = try server.sql(
      """
      SET search_path = \(schema);
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER late AFTER INSERT ON circlectl_runs DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION die();
      """)
    try rows.begin(writing: true, timeout: 0)
    try rows.put(.runs, RowKey(1), bytes: [1, 2, 3])
    let lost = #expect(throws: StateError.self) { try rows.commit() }
    #expect(sentence(lost).contains("can't write") && sentence(lost).contains("the connection was lost"))
    #expect(try rows.keys(.runs) == [])
  }

  @Test func `a server that falls silent is given up`() throws {
    _ = try PostgresRows.open(url, mode: .write(create: true))
    let rows = try PostgresRows.open(url, mode: .write(create: true), silence: 1000)
    let process = try process(of: rows)
    #expect(kill(process, SIGSTOP) == 0)
    defer { kill(process, SIGCONT) }
    let silent = #expect(throws: StateError.self) { try rows.keys(.users) }
    #expect(sentence(silent).contains("the server has said nothing for 1 second"), "\(String(describing: silent))")
  }

  @Test func `a server that accepts and says nothing is given up`() throws {
    let folder = try TemporaryFolder()
    let deaf = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(deaf) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(folder.path(".s.PGSQL.5432").utf8CString)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.map(UInt8.init(bitPattern:))) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(deaf, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0 && listen(deaf, 4) == 0)
    let url = try ServerURL("postgres:///base?host=\(folder.path)&connect_timeout=2")
    let silent = #expect(throws: StateError.self) { try PostgresRows.open(url, mode: .read) }
    #expect(sentence(silent).contains("timeout expired"), "\(String(describing: silent))")
    // Whoever does not want to wait so long stops it.
    let asked = Atomic<Int>(0)
    #expect(throws: StateError.interrupted(signal: SIGINT)) {
      try PostgresRows.open(url, mode: .read) { asked.wrappingAdd(1, ordering: .relaxed).newValue > 1 ? SIGINT : 0 }
    }
  }

  @Test func `a signal stops what waits for the server, and nothing stays locked`() throws {
    _ = try PostgresRows.open(url, mode: .write(create: true))
    let signal = Atomic<Int32>(0)
    let rows = try PostgresRows.open(url, mode: .write(create: false)) { signal.load(ordering: .relaxed) }
    try rows.begin(writing: true, timeout: 0)
    // Another session is in the way of what comes now.
    let folder = try TemporaryFolder()
    let blocker = try PostgresRows.open(url, mode: .read)
    _ = try blocker.connection.run("BEGIN; LOCK TABLE circlectl_users", "ask")
    try rows.put(.users, RowKey(1), bytes: [1])
    signal.store(SIGTERM, ordering: .relaxed)
    #expect(throws: StateError.interrupted(signal: SIGTERM)) { try rows.commit() }
    signal.store(0, ordering: .relaxed)
    _ = (folder, try blocker.connection.run("ROLLBACK", "ask"))
    try rows.write { () throws(StateError) in try rows.put(.users, RowKey(2), bytes: [1]) }
    #expect(try rows.keys(.users) == [RowKey(2)])
  }

  @Test func `what another session changes meanwhile is a conflict, not a lost change`() throws {
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    try rows.write { () throws(StateError) in try rows.put(.head, .first, bytes: [1]) }
    try rows.begin(writing: true, timeout: 0)
    _ = try server.sql("UPDATE \(schema).circlectl_head SET value = '\\x02'")
    try rows.put(.head, .first, bytes: [3])
    #expect(throws: StateError.conflict) { try rows.commit() }
    #expect(try rows.bytes(.head, .first) == [2])
  }

  @Test func `rows are sent in pieces, and what was sent is seen`() throws {
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    let value = [UInt8](repeating: 7, count: 300)
    for round: UInt8 in 1...2 {
      try rows.begin(writing: true, timeout: 0)
      for number: UInt32 in 0..<40_000 {
        try rows.put(.members, RowKey(number / 100, number % 100), bytes: value)
        if number % 5000 == 0 {
          #expect(try rows.bytes(.members, RowKey(number / 100, number % 100)) == value)
          #expect(try rows.lastKey(.members, from: .first, through: RowKey(number / 100, number % 100)) != nil)
        }
      }
      try rows.remove(.members, RowKey(399, 99))
      #expect(try rows.lastKey(.members, from: RowKey(399), through: .last) == RowKey(399, 98))
      try rows.put(.head, .first, bytes: [round])
      try rows.commit()
      #expect(try rows.keys(.members).count == 39_999)
    }
  }

  @Test func `rows that are looked for in order are read ahead, and what is written stays visible`() throws {
    let rows = try PostgresRows.open(url, mode: .write(create: true))
    try rows.write { () throws(StateError) in
      for number: UInt32 in 0..<3000 where number % 3 > 0 { try rows.put(.users, RowKey(number), bytes: [1]) }
    }
    try rows.begin(writing: true, timeout: 0)
    for number: UInt32 in 0..<3000 {
      #expect(try rows.bytes(.users, RowKey(number)) == (number % 3 > 0 ? [1] : nil))
      try rows.put(.users, RowKey(number), bytes: [2])
      #expect(try rows.bytes(.users, RowKey(number)) == [2])
      if number % 700 == 0 { #expect(try rows.keys(.users, from: .first, through: RowKey(number)).count == number + 1) }
      if number > 0 { #expect(try rows.bytes(.users, RowKey(number - 1)) == [2]) }
    }
    try rows.commit()
    #expect(try rows.keys(.users).count == 3000)
  }
}
