import CSQLite
package import CircleState
import Glibc

extension SQLiteRows {
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
    let format = try connection.format()
    try connection.checkSize(exactly: false)
    if try connection.isBlank() {
      // Also when the file's first transaction was cut off and has been rolled back by now.
      guard mode == .write(create: true) else { throw .missing(path) }
      connection.rollback()
      makePrivate(path)
      created = try connection.createTables()
    } else if format > 0 && format < StateFormat.newest && mode != .read {
      try connection.checkSchema(of: format)
      connection.rollback()
      upgrade = try connection.bringUpToDate()
    }
    let found = try connection.checkedFormat(writing: mode != .read)
    try connection.checkSchema(of: found)
    return SQLiteRows(
      connection, format: found, isNew: created, isNewFile: isNew && created, upgrade: upgrade, patience: timeout)
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
    // SQLite takes a file of one byte for an empty one.
    guard status.st_size != 1 else { throw .notAState("'\(path)' is no circlectl state") }
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

  /// A file that is to become a state may have been made, empty, for others to read.
  private static func makePrivate(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0, status.st_uid == geteuid() { chmod(path, 0o600) }
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
    guard try format() == 0 else { return false }
    return try integer("SELECT count(*) FROM sqlite_schema", "read") == 0
  }

  /// The state's format; refuses those that this version does not know, and to write into an older one.
  func checkedFormat(writing: Bool) throws(StateError) -> Int {
    let found = try format()
    guard found <= StateFormat.newest else { throw .newerFormat(found: found, supported: StateFormat.newest) }
    guard found == StateFormat.newest || (found > 0 && !writing) else {
      throw .damaged("it says that its format is \(found)")
    }
    return found
  }

  /// Refuses a file that is shorter than its header says, if only by a part of the last page, which SQLite would take for
  /// zeros. In a transaction, since others write header and pages one after the other.
  ///
  /// - Parameter exactly: whether it may not be longer either.
  func checkSize(exactly: Bool) throws(StateError) {
    let (size, bytes) = try header(100)
    guard let bytes else { return }
    let number = { (range: Range<Int>) in bytes[range].reduce(Int64(0)) { $0 << 8 | Int64($1) } }
    // The number of pages stands there since SQLite 3.7, together with the counter of changes that it belongs to.
    let isKnown = number(24..<28) == number(92..<96)
    guard isKnown || exactly else { return }
    let promised = number(28..<32) * (number(16..<18) == 1 ? 65536 : number(16..<18))
    guard isKnown, exactly ? size == promised : size >= promised else {
      throw .damaged("its file has \(size) bytes, but its header tells of \(promised)")
    }
  }

  /// Refuses a file with other tables, or with indexes, views or triggers.
  func checkSchema(of format: Int) throws(StateError) {
    var missing = Schema.tables(of: format)
    // An empty text takes the place of what is none, which SQLite would read like one.
    let columns = ["type", "name", "tbl_name", "sql"].map { "iif(typeof(\($0)) = 'text', \($0), '')" }
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM sqlite_schema"
    try using(sql: sql, "read") { (statement) throws(StateError) in
      while try statement.step() {
        let table = Schema.Table(
          type: try statement.text(0), name: try statement.text(1), table: try statement.text(2),
          sql: try statement.text(3))
        guard let index = missing.firstIndex(of: table) else {
          throw .damaged("it holds '\(table.name)', which is none of a state's tables")
        }
        missing.remove(at: index)
      }
    }
    if let table = missing.first { throw .damaged("the table '\(table.name)' is missing") }
  }

  /// Makes the tables in an empty file.
  /// - Returns: whether it was empty; another process may have been faster.
  func createTables() throws(StateError) -> Bool {
    // Heeded only while the file is empty. Sizes from 4 to 16 KiB take the same time; most rows fit whole into 8.
    try execute("PRAGMA page_size = 8192", "write")
    return try writing { () throws(StateError) in
      guard try isBlank() else { return false }
      try migrate(from: 0)
      try execute("PRAGMA application_id = \(Schema.applicationID)", "write")
      return true
    }
  }

  /// Brings a state of an older format to the newest, once a copy of its file is kept.
  /// - Returns: nil when another process was faster.
  func bringUpToDate() throws(StateError) -> StateUpgrade? {
    try writing { () throws(StateError) in
      let found = try format()
      guard found > 0 && found < StateFormat.newest else { return nil }
      let copy = FormatCopy(of: path, format: found)
      // Nothing of this transaction is in the file yet, and nobody else may write into it.
      let kept = try copy.make { (descriptor) throws(StateError) in
        try forEachPiece { (bytes) throws(StateError) in
          var rest = bytes
          while !rest.isEmpty {
            let count = write(descriptor, rest.baseAddress, rest.count)
            guard count > 0 || errno == EINTR else { throw copy.failure(errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
          }
        }
      }
      try migrate(from: found)
      return StateUpgrade(from: found, copy: kept)
    }
  }

  private func migrate(from found: Int) throws(StateError) {
    for statement in Schema.migrations.dropFirst(found).joined() { try execute(statement, "write") }
    if found > 0 {
      let rows = SQLiteRows(writing: self)
      try rows.bringUpToDate(from: found)
      try rows.settle()
    }
    try execute("PRAGMA user_version = \(StateFormat.newest)", "write")
  }

  private func writing<R>(_ body: () throws(StateError) -> R) throws(StateError) -> R {
    try begin(writing: true)
    do throws(StateError) {
      let result = try body()
      _ = try checkedFormat(writing: true)
      try commit()
      return result
    } catch {
      rollback()
      throw error
    }
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
