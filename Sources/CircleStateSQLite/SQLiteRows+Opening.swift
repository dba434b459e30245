import CSQLite
package import CircleState
import Glibc

extension SQLiteRows {
  /// The newest format of a state, which every opening for writing brings it to.
  package static var format: Int { Schema.format }

  /// Opens the state at a path; a symbolic link leads to its file. What is not a state is neither read further nor changed.
  ///
  /// - Parameters:
  ///   - timeout: how many milliseconds reads, and the end of a transaction, wait for another process.
  ///   - interrupted: the signal that has come, or 0; asked while statements run and before a commit, from this thread.
  /// - Throws: `.missing` for no file or an empty one, unless it may be created; `.notAState`, `.newerFormat`, `.damaged`, `.io`, `.busy`,
  ///   `.interrupted`.
  package static func open(
    path: String, mode: OpeningMode, timeout: Int = 10_000, interrupted: @escaping @Sendable () -> Int32 = { 0 }
  ) throws(StateError) -> SQLiteRows {
    var isNew = false
    if try !isFile(path) {
      guard mode == .write(create: true) else { throw .missing(path) }
      isNew = try createFile(path)
    }
    do throws(StateError) {
      return try open(existing: path, isNew: isNew, mode, timeout, interrupted)
    } catch {
      if isNew { removeIfEmpty(path) }
      throw error
    }
  }

  private static func open(
    existing path: String, isNew: Bool, _ mode: OpeningMode, _ timeout: Int,
    _ interrupted: @escaping @Sendable () -> Int32
  ) throws(StateError) -> SQLiteRows {
    let connection = try Connection.open(path, access: mode == .read ? .read : .write, interrupted: interrupted)
    connection.wait(atMost: timeout)
    let isEmpty = try connection.isEmptyFile()
    guard !isEmpty || mode == .write(create: true) else { throw .missing(path) }
    // The settings read the file too, outside a transaction, and can't roll back what was left in it.
    try connection.begin(writing: false)
    connection.rollback()
    try connection.execute(settings, "read")
    try connection.begin(writing: false)
    defer { connection.rollback() }
    var created = false
    var upgrade: StateUpgrade?
    let format = try connection.readFormat()
    if try connection.isBlank() {
      // Also when the file's first transaction was cut off and has been rolled back by now.
      guard mode == .write(create: true) else { throw .missing(path) }
      connection.rollback()
      created = try connection.migrate() == 0
    } else if format > 0, format < Schema.format, mode != .read {
      try connection.checkSchema()
      connection.rollback()
      upgrade = try connection.upgrade()
    }
    try connection.checkFormat(writing: mode != .read)
    try connection.checkSchema()
    return SQLiteRows(connection, isNew: created, isNewFile: isNew && created, upgrade: upgrade, patience: timeout)
  }

  /// The cache holds the pages that a transaction changes; it writes into the file before its end only beyond that.
  private static let settings = """
    PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
    PRAGMA cell_size_check = ON
    """

  /// Whether a regular file is at the path; everything else but nothing is refused, without opening it.
  private static func isFile(_ path: String) throws(StateError) -> Bool {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .io("'\(path)' can't be a file's name") }
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .io("can't open '\(path)': \(String(cString: strerror(errno)))") }
      return false
    }
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: ""
      case S_IFDIR: "a folder"
      case S_IFIFO: "a FIFO"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    guard kind.isEmpty else { throw .notAState("'\(path)' is \(kind), not a circlectl state") }
    return true
  }

  /// Makes an empty file, for its owner alone: SQLite would let others read it.
  /// - Returns: whether this process made it.
  private static func createFile(_ path: String) throws(StateError) -> Bool {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    var descriptor = Glibc.open(path, flags | O_EXCL, 0o600)
    if descriptor < 0 && errno == EEXIST {
      // Someone was faster, or a symbolic link leads to a file that is still to be made.
      guard try !isFile(path) else { return false }
      descriptor = Glibc.open(path, flags, 0o600)
    }
    guard descriptor >= 0 else { throw .io("can't create '\(path)': \(String(cString: strerror(errno)))") }
    close(descriptor)
    return true
  }

  /// Takes back a file that was made for a state that could not be.
  private static func removeIfEmpty(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0, status.st_size == 0 { FileIdentity.remove(path) }
  }
}

extension Connection {
  /// Begins a transaction and holds the file from now on; rolls back first what a killed process has left.
  func begin(writing: Bool) throws(StateError) {
    guard !writing else { return try execute("BEGIN IMMEDIATE", "write") }
    let code = beginReading()
    guard code != SQLITE_OK else { return }
    // Not imported: a macro of SQLite.
    let needsRollback = SQLITE_READONLY | 3 << 8
    guard code == needsRollback else { throw failure(code, "read") }
    let action = "roll back what an unfinished run has left in"
    let writer: Connection
    do throws(StateError) {
      writer = try again(.write)
    } catch {
      throw .io("can't \(action) '\(path)': any command of someone who may write the file and its folder does that")
    }
    try writer.execute("BEGIN; PRAGMA user_version; COMMIT", action)
    let second = beginReading()
    guard second == SQLITE_OK else { throw failure(second, "read") }
  }

  /// Whether SQLite has made the file and nobody has filled it.
  func isBlank() throws(StateError) -> Bool {
    guard try readFormat() == 0 else { return false }
    return try integer("SELECT count(*) FROM sqlite_schema", "read") == 0
  }

  /// Refuses formats that this version does not know, and to write into one that is not the newest.
  func checkFormat(writing: Bool) throws(StateError) {
    let found = try readFormat()
    guard found <= Schema.format else { throw .newerFormat(found: found, supported: Schema.format) }
    guard found == Schema.format || (!writing && found > 0) else {
      throw .damaged("it says that its format is \(found)")
    }
  }

  /// Refuses a file with other tables, or with indexes, views or triggers.
  func checkSchema() throws(StateError) {
    var missing = Schema.tables(of: format)
    try using(sql: "SELECT name, sql FROM sqlite_schema", "read") { (statement) throws(StateError) in
      while try statement.step() {
        let table = Schema.Table(name: try statement.text(0), sql: try statement.text(1))
        guard let index = missing.firstIndex(of: table) else {
          throw .damaged("it holds '\(table.name)', which is none of a state's tables")
        }
        missing.remove(at: index)
      }
    }
    if let table = missing.first { throw .damaged("the table '\(table.name)' is missing") }
  }

  /// Brings an empty file, or a state of an older format, to the newest.
  /// - Returns: the format that it had, 0 for an empty file; the newest where another process was faster.
  func migrate() throws(StateError) -> Int {
    // Heeded only while the file is empty. Sizes from 4 to 16 KiB take the same time; most rows fit whole into 8.
    try execute("PRAGMA page_size = 8192", "write")
    try begin(writing: true)
    do throws(StateError) {
      let found = try readFormat()
      if try isBlank() || (found > 0 && found < Schema.format) {
        for statement in Schema.migrations[found...].joined() { try execute(statement, "write") }
        try execute(
          "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.format)", "write")
      }
      try checkFormat(writing: true)
      try commit()
      return found
    } catch {
      rollback()
      throw error
    }
  }

  /// Brings a state of an older format to the newest, and keeps a copy of the file as it was beside it.
  /// - Returns: nil where another process was faster.
  func upgrade() throws(StateError) -> StateUpgrade? {
    let copy = try StateCopyFile(beside: path)
    do throws(StateError) {
      try using(sql: "VACUUM INTO ?1", "copy") { (statement) throws(StateError) in
        try statement.bind(1, text: copy.path)
        _ = try statement.step()
      }
      try copy.sync()
      let found = try migrate()
      if found < Schema.format { return StateUpgrade(from: found, to: Schema.format, copy: copy.path) }
    } catch {
      copy.remove()
      throw error
    }
    copy.remove()
    return nil
  }

  /// Whether the file has no content; refuses what is no state by its first bytes alone, before SQLite reads it.
  func isEmptyFile() throws(StateError) -> Bool {
    let (size, bytes) = try header(100)
    guard size > 0 else { return true }
    guard let bytes, bytes.starts(with: "SQLite format 3\0".utf8) else {
      throw .notAState("'\(path)' is no circlectl state")
    }
    let identifier = bytes[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard identifier == UInt32(bitPattern: Schema.applicationID) else {
      throw .notAState("'\(path)' is a SQLite database, but no circlectl state")
    }
    // A reader of such a file would have to write beside it.
    guard bytes[18] == 1, bytes[19] == 1 else {
      throw .notAState(
        "another program has set '\(path)' to write-ahead logging; 'PRAGMA journal_mode = DELETE' in sqlite3 mends it")
    }
    return false
  }
}
