import CircleState
import Glibc
import StateConformance
import Testing

@testable import CircleStateSQLite

struct OpeningTests {
  let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func open(_ name: String, _ mode: OpeningMode) throws(StateError) -> SQLiteRows {
    try SQLiteRows.open(path: folder.path(name), mode: mode, timeout: 100)
  }

  /// The error of an opening, which must leave the folder as it was.
  private func error(_ name: String, _ mode: OpeningMode) -> StateError? {
    let before = folder.names
    defer { #expect(folder.names == before) }
    do throws(StateError) {
      _ = try open(name, mode)
      return nil
    } catch {
      return error
    }
  }

  private static let modes: [OpeningMode] = [.read, .write(create: false), .write(create: true)]

  @Test
  func `no file and an empty file are missing, and are not made by a read`() throws {
    #expect(error("a.db", .read) == .missing(folder.path("a.db")))
    #expect(error("a.db", .write(create: false)) == .missing(folder.path("a.db")))
    #expect(error("no/a.db", .read) == .missing(folder.path("no/a.db")))
    folder.write([], to: "empty.db")
    #expect(error("empty.db", .read) == .missing(folder.path("empty.db")))
    #expect(error("empty.db", .write(create: false)) == .missing(folder.path("empty.db")))
    #expect(folder.read("empty.db") == [])
    #expect(try open("empty.db", .write(create: true)).isNew)
    #expect(try open("empty.db", .write(create: true)).isNew == false)
    _ = try open("empty.db", .read)
  }

  @Test
  func `a new file is its owner's alone`() throws {
    _ = try open("a.db", .write(create: true))
    var status = stat()
    #expect(stat(folder.path("a.db"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: modes)
  func `what is no file is refused and not waited for`(mode: OpeningMode) {
    mkdir(folder.path("folder"), 0o700)
    mkfifo(folder.path("fifo"), 0o600)
    symlink("loop", folder.path("loop"))
    #expect(error("folder", mode) == .notAState("'\(folder.path("folder"))' is a folder, not a circlectl state"))
    #expect(error("fifo", mode) == .notAState("'\(folder.path("fifo"))' is a FIFO, not a circlectl state"))
    guard case .io = error("loop", mode) else {
      Issue.record("a loop of symbolic links")
      return
    }
    #expect(throws: StateError.notAState("'/dev/null' is a device, not a circlectl state")) {
      try SQLiteRows.open(path: "/dev/null", mode: mode)
    }
    for path in ["", "a\0b"] {
      #expect(throws: StateError.io("'\(path)' can't be a file's name")) {
        try SQLiteRows.open(path: path, mode: mode)
      }
    }
  }

  @Test(arguments: modes)
  func `files of others are refused and not touched`(mode: OpeningMode) throws {
    let foreign = try Connection.open(made("foreign.db"), access: .write, interrupted: { 0 })
    try foreign.execute("CREATE TABLE t (x); PRAGMA user_version = 7", "write")
    folder.write(Array("servers:\n".utf8), to: "a.yaml")
    folder.write((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: "random")
    folder.write(Array("SQLite format 3\0".utf8), to: "short.db")
    folder.write([UInt8](repeating: 0, count: 8192), to: "zeros")
    folder.write([0x78], to: "byte")
    for name in ["foreign.db", "a.yaml", "random", "short.db", "zeros", "byte"] {
      let before = folder.read(name)
      guard case .notAState = error(name, mode) else {
        Issue.record("\(name): \(String(describing: error(name, mode)))")
        continue
      }
      #expect(folder.read(name) == before)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read and write everything"))
  func `what may not be read or written is an error`() throws {
    _ = try open("a.db", .write(create: true))
    chmod(folder.path("a.db"), 0o400)
    _ = try open("a.db", .read)
    #expect(error("a.db", .write(create: true)) == .io("can't write '\(folder.path("a.db"))': Permission denied"))
    chmod(folder.path("a.db"), 0)
    guard case .io = error("a.db", .read) else {
      Issue.record("read")
      return
    }
  }

  @Test(arguments: modes)
  func `a later format is refused`(mode: OpeningMode) throws {
    try tampered("PRAGMA user_version = 99")
    #expect(error("a.db", mode) == .newerFormat(found: 99, supported: StateFormat.newest))
  }

  @Test
  func `a format that comes while the file is open is refused`() throws {
    let rows = try open("a.db", .write(create: true))
    try tampered("PRAGMA user_version = 99")
    for writing in [true, false] {
      #expect(throws: StateError.newerFormat(found: 99, supported: StateFormat.newest)) {
        try rows.begin(writing: writing, timeout: 0)
      }
    }
  }

  @Test(arguments: [
    "CREATE TABLE more (x)", "CREATE INDEX i ON lock (host)", "CREATE VIEW v AS SELECT * FROM users",
    "CREATE TRIGGER t AFTER INSERT ON users BEGIN DELETE FROM users; END", "DROP TABLE marks",
    "DROP TABLE head; CREATE TABLE head (key INTEGER PRIMARY KEY, value TEXT)", "PRAGMA user_version = 0",
    "PRAGMA user_version = -1",
  ])
  func `a file with other tables is damaged`(sql: String) throws {
    try tampered(sql)
    for mode in Self.modes {
      guard case .damaged = error("a.db", mode) else {
        Issue.record("\(sql): \(String(describing: error("a.db", mode)))")
        continue
      }
    }
  }

  @Test(arguments: modes)
  func `a state is opened so that its schema can do nothing`(mode: OpeningMode) throws {
    _ = try open("a.db", .write(create: true))
    let connection = try open("a.db", mode).connection
    for (setting, value) in [("trusted_schema", 0), ("cell_size_check", 1), ("mmap_size", 0)] as [(String, Int64)] {
      #expect(try connection.integer("PRAGMA \(setting)", "read") == value, "\(setting)")
    }
    // Defensive: the schema can't be written even when it is said that it can.
    try connection.execute("PRAGMA writable_schema = ON", "read")
    #expect(throws: StateError.self) {
      try connection.execute("UPDATE sqlite_schema SET sql = '' WHERE name = 'users'", "write")
    }
    #expect(throws: StateError.self) { try connection.integer("SELECT load_extension('x')", "read") }
  }

  @Test
  func `write-ahead logging is refused with the way out`() throws {
    try tampered("PRAGMA journal_mode = WAL")
    for mode in Self.modes {
      guard case .notAState(let sentence) = error("a.db", mode) else {
        Issue.record("opened")
        continue
      }
      #expect(sentence.contains("PRAGMA journal_mode = DELETE"))
    }
  }

  @Test
  func `a symbolic link leads to its file, with the journal beside that`() throws {
    mkdir(folder.path("real"), 0o700)
    symlink("real/a.db", folder.path("link.db"))
    let rows = try open("link.db", .write(create: true))
    try rows.begin(writing: true, timeout: 0)
    try rows.put(.users, RowKey(1), bytes: [1])
    // What is read is written first.
    #expect(try rows.keys(.users) == [RowKey(1)])
    #expect(access(folder.path("real/a.db-journal"), F_OK) == 0)
    #expect(access(folder.path("link.db-journal"), F_OK) != 0)
    try rows.commit()
    #expect(try open("real/a.db", .read).keys(.users) == [RowKey(1)])
    unlink(folder.path("real/a.db"))
  }

  @Test
  func `names that SQLite gives a meaning are files`() throws {
    for name in ["file:a.db?mode=memory", ":memory:", "a.db?vfs=unix-none"] {
      let rows = try open(name, .write(create: true))
      #expect(rows.isNew)
      #expect(folder.names.contains(name))
    }
  }

  @Test
  func `each format leads to the tables of the newest`() throws {
    let connection = try Connection.open(made("a.db"), access: .write, interrupted: { 0 })
    for statement in Schema.migrations.joined() { try connection.execute(statement, "write") }
    #expect(try connection.format() == 0)
    try connection.execute("PRAGMA user_version = \(StateFormat.newest)", "write")
    #expect(try connection.format() == StateFormat.newest)
    try connection.checkSchema(of: StateFormat.newest)
  }

  /// What a state of format 1 is, which had no checkpoint.
  private static let first = "DROP TABLE checkpoint; PRAGMA user_version = 1"

  @Test
  func `an older format is read as it is, and brought to the newest by what writes, with a copy beside it`() throws {
    let made = try open("a.db", .write(create: true))
    let row: [UInt8] = [1, 2, 3]
    try made.write { () throws(StateError) in
      for run in 1...2500 as ClosedRange<UInt32> { try made.put(.runs, RowKey(run), bytes: row) }
      for table in [StateTable.head, .users] { try made.put(table, .first, bytes: row) }
    }
    try tampered(Self.first)
    let before = folder.read("a.db")
    let sealed = Seal.sealed(row)
    let reader = try open("a.db", .read)
    #expect(reader.format == 1 && reader.upgrade == nil)
    #expect(try reader.bytes(.head, .first) == sealed && reader.bytes(.users, .first) == row)
    #expect(try reader.withLast(.runs, from: .first, through: .last) { Array($1) } == sealed)
    #expect(try reader.keys(.checkpoint) == [] && reader.bytes(.checkpoint, .first) == nil)
    #expect(try reader.withLast(.checkpoint, from: .first, through: .last) { (key, _) in key } == nil)
    #expect(try reader.checkStore() == [])
    #expect(folder.read("a.db") == before && folder.names == ["a.db"])
    let writer = try open("a.db", .write(create: false))
    #expect(writer.upgrade == StateUpgrade(from: 1, copy: folder.path("a.db.format-1")))
    #expect(writer.format == StateFormat.newest && !writer.isNew)
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
    #expect(folder.read("a.db.format-1") == before)
    var status = stat()
    #expect(stat(folder.path("a.db.format-1"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try open("a.db", .write(create: false)).upgrade == nil)
    #expect(folder.names == ["a.db", "a.db.format-1"])
  }

  @Test
  func `a copy never takes the place of a file, and without one nothing is changed`() throws {
    try tampered(Self.first)
    folder.write([1], to: "a.db.format-1")
    #expect(try open("a.db", .write(create: false)).upgrade?.copy == folder.path("a.db.format-1.2"))
    #expect(folder.read("a.db.format-1") == [1])
    let long = String(repeating: "n", count: 243)
    _ = try open(long, .write(create: true))
    let other = try Connection.open(folder.path(long), access: .write, interrupted: { 0 })
    try other.execute(Self.first, "write")
    let before = folder.read(long)
    // No name is left for the copy.
    guard case .io(let sentence) = error(long, .write(create: false)) else {
      Issue.record("opened")
      return
    }
    #expect(sentence.contains("can't keep a copy of the state in") && folder.read(long) == before)
  }

  /// A state, changed by another program.
  private func tampered(_ sql: String) throws {
    _ = try open("a.db", .write(create: true))
    let other = try Connection.open(folder.path("a.db"), access: .write, interrupted: { 0 })
    try other.execute(sql, "write")
  }

  private func made(_ name: String) -> String {
    folder.write([], to: name)
    return folder.path(name)
  }
}
