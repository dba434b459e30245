import CSQLite
import CircleState
import Glibc

/// The one handle of SQLite: a connection to one file, its prepared statements, its handlers. From one thread at a time.
///
/// SQLite calls back into this object while a statement runs, so it closes the connection when it goes.
final class Connection {
  let path: String
  private let handle: OpaquePointer
  private let interrupted: @Sendable () -> Int32

  /// What failed since the transaction began. SQLite may have rolled it back by then, so that a further write would be a transaction of its own.
  private var failed: StateError?
  /// The signal that stopped the last statement, or 0.
  private var signal: Int32 = 0
  /// When waiting for another process ends, in milliseconds of the monotonic clock.
  private var deadline: Int = 0
  /// Of each query the statement that is ready; further ones, of scans within scans, in `spare`.
  private var ready = [OpaquePointer?](repeating: nil, count: Query.count)
  private var spare = [[OpaquePointer]](repeating: [], count: Query.count)

  enum Access {
    case read
    case write
  }

  /// Opens the file, without reading it: SQLite reads it for the first time when the first statement runs.
  static func open(
    _ path: String, access: Access, interrupted: @escaping @Sendable () -> Int32
  ) throws(StateError) -> Connection {
    _ = withoutStatistics
    var opened: OpaquePointer?
    let flags =
      (access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    // With the prefix, names such as ':memory:' and 'file:x' are files.
    let code = sqlite3_open_v2(path.utf8.first == UInt8(ascii: "/") ? path : "./" + path, &opened, flags, nil)
    guard let opened, code == SQLITE_OK else {
      let system = opened.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close(opened)
      throw Failure(code: code, system: system, action: "open", path: path).error
    }
    let connection = Connection(opened, path: path, interrupted: interrupted)
    if access == .write && sqlite3_db_readonly(opened, "main") != 0 {
      throw .io("can't write '\(path)': \(String(cString: strerror(EACCES)))")
    }
    return connection
  }

  /// For the whole process, before SQLite is used for the first time.
  private static let withoutStatistics = csqlite_forgo_statistics()

  private init(_ handle: OpaquePointer, path: String, interrupted: @escaping @Sendable () -> Int32) {
    self.handle = handle
    self.path = path
    self.interrupted = interrupted
    let setting = { (name: Int32, on: Int32) in _ = csqlite_set(handle, name, on) }
    setting(SQLITE_DBCONFIG_DEFENSIVE, 1)
    setting(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    setting(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    setting(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    setting(SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    sqlite3_busy_handler(handle, { context, tries in Connection.from(context).waits(tries) ? 1 : 0 }, me)
    listen(true)
  }

  deinit {
    for statement in ready { sqlite3_finalize(statement) }
    for statement in spare.joined() { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  /// Whether a transaction is open; SQLite ends it by itself after some errors.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Lets statements wait for other processes, from now on, for that many milliseconds.
  func wait(atMost milliseconds: Int) {
    deadline = Self.now.addingReportingOverflow(max(0, milliseconds)).partialValue
    if deadline < 0 { deadline = Int.max }
  }

  /// A second connection to the same file, which waits as long as this one.
  func again(_ access: Access) throws(StateError) -> Connection {
    let other = try Connection.open(path, access: access, interrupted: interrupted)
    other.deadline = deadline
    return other
  }

  /// The state's format; 0 for a file without content.
  func format() throws(StateError) -> Int {
    Int(try integer("PRAGMA user_version", "read"))
  }

  /// Begins a transaction and reads for the first time, so that it sees one state from now on.
  /// - Returns: SQLite's result; after an error no transaction is open.
  func beginReading() -> Int32 {
    let code = sqlite3_exec(handle, "BEGIN; PRAGMA user_version", nil, nil, nil)
    if code != SQLITE_OK { rollback() }
    return code
  }

  /// Runs statements that answer nothing.
  func execute(_ sql: String, _ action: String) throws(StateError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, action) }
  }

  /// Commits; a signal that comes once it has begun changes nothing.
  func commit() throws(StateError) {
    try stopIfInterrupted()
    listen(false)
    defer { listen(true) }
    try execute("COMMIT", "write")
  }

  /// Rolls back if a transaction is open.
  func rollback() {
    guard isInTransaction else { return }
    listen(false)
    defer { listen(true) }
    // An error leaves the transaction to the journal, which the next opening rolls back.
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Calls `body` with the statement, prepared or prepared before; it is free for others again afterwards.
  func using<R>(
    _ query: Query, _ action: String, _ body: (Statement) throws(StateError) -> R
  ) throws(StateError) -> R {
    let slot = query.slot
    let pointer: OpaquePointer
    if let statement = ready[slot] {
      ready[slot] = nil
      pointer = statement
    } else {
      pointer = if let statement = spare[slot].popLast() { statement } else { try prepare(query.sql, action) }
    }
    defer {
      sqlite3_reset(pointer)
      if ready[slot] == nil { ready[slot] = pointer } else { spare[slot].append(pointer) }
    }
    return try body(Statement(pointer, of: self, action: action))
  }

  /// Calls `body` with a statement that is used once.
  func using<R>(
    sql: String, _ action: String, _ body: (Statement) throws(StateError) -> R
  ) throws(StateError) -> R {
    let pointer = try prepare(sql, action)
    defer { sqlite3_finalize(pointer) }
    return try body(Statement(pointer, of: self, action: action))
  }

  /// The first column of the first row.
  func integer(_ sql: String, _ action: String) throws(StateError) -> Int64 {
    try using(sql: sql, action) { (statement) throws(StateError) in
      try statement.step() ? statement.integer(0) : 0
    }
  }

  /// The error that a result code stands for, remembered until the next transaction.
  func failure(_ code: Int32, _ action: String) -> StateError {
    let isStopped = signal != 0 && (code & 0xFF == SQLITE_INTERRUPT || code & 0xFF == SQLITE_BUSY)
    let error =
      isStopped
      ? StateError.interrupted(signal: signal)
      : Failure(code: code, system: sqlite3_system_errno(handle), action: action, path: path).error
    failed = error
    return error
  }

  /// Throws what has failed since the transaction began: after an error nothing of it is written.
  func checkNothingFailed() throws(StateError) {
    if let failed { throw failed }
  }

  func forgetFailure() {
    failed = nil
  }

  /// The bytes at the file's beginning, read without a lock; nil when it has fewer.
  ///
  /// Through SQLite's own descriptor: closing another one would drop the locks that this process holds on the file.
  func header(_ count: Int) throws(StateError) -> (size: Int64, bytes: [UInt8]?) {
    let (file, methods) = try file()
    var size: Int64 = 0
    let code = methods.xFileSize(file, &size)
    guard code == SQLITE_OK else { throw failure(code, "read") }
    return (size, size < count ? nil : try read(count, at: 0))
  }

  private func read(_ count: Int, at offset: Int64) throws(StateError) -> [UInt8] {
    let (file, methods) = try file()
    var bytes = [UInt8](repeating: 0, count: count)
    let code = bytes.withUnsafeMutableBytes { methods.xRead(file, $0.baseAddress, Int32(count), offset) }
    guard code == SQLITE_OK else { throw failure(code, "read") }
    return bytes
  }

  private func file() throws(StateError) -> (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { throw failure(code, "read") }
    return (file, methods.pointee)
  }

  /// Calls `body` with the bytes of the file, one piece after the other; a signal ends it.
  ///
  /// Through SQLite's own descriptor, as `header` reads.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(StateError) -> Void) throws(StateError) {
    let (size, _) = try header(0)
    var offset: Int64 = 0
    while offset < size {
      try stopIfInterrupted()
      let bytes = try read(Int(min(size - offset, 1 << 20)), at: offset)
      try bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in try body(UnsafeRawBufferPointer(bytes)) }
      offset += Int64(bytes.count)
    }
  }

  private func prepare(_ sql: String, _ action: String) throws(StateError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code, action) }
    return statement
  }

  private func stopIfInterrupted() throws(StateError) {
    signal = interrupted()
    if signal != 0 { throw .interrupted(signal: signal) }
  }

  /// Asks for signals every thousand steps of a statement, or not at all.
  private func listen(_ on: Bool) {
    sqlite3_progress_handler(handle, on ? 1000 : 0, { context in Connection.from(context).isInterrupted ? 1 : 0 }, me)
  }

  private var isInterrupted: Bool {
    signal = interrupted()
    return signal != 0
  }

  /// Called by SQLite when another process is in the way: sleeps a little and says whether to try again.
  private func waits(_ tries: Int32) -> Bool {
    guard !isInterrupted else { return false }
    let left = deadline - Self.now
    guard left > 0 else { return false }
    let milliseconds = min(left, tries < 4 ? 1 << Int(tries) : 20)
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    // A signal ends the sleep, and the next call sees it.
    nanosleep(&time, nil)
    return true
  }

  private static var now: Int { Int(StateStore.monotonicMilliseconds()) }

  private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Connection {
    // The context is `me`, which SQLite gives back as it got it.
    Unmanaged<Connection>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }
}
