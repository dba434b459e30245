import CSQLite
import CircleState

/// A prepared statement while it is in use: values in, rows out. Columns count from 0, parameters from 1.
struct Statement {
  private let pointer: OpaquePointer
  private let connection: Connection
  private let action: String

  init(_ pointer: OpaquePointer, of connection: Connection, action: String) {
    self.pointer = pointer
    self.connection = connection
    self.action = action
  }

  func bind(_ parameter: Int32, _ value: Int64) throws(StateError) {
    try check(sqlite3_bind_int64(pointer, parameter, value))
  }

  /// The bytes are not copied: they must stay until the statement is stepped for the last time.
  func bind(_ parameter: Int32, _ bytes: UnsafeRawBufferPointer) throws(StateError) {
    // No address would mean NULL, which is not the empty value.
    guard !bytes.isEmpty else { return try check(sqlite3_bind_zeroblob(pointer, parameter, 0)) }
    try check(sqlite3_bind_blob64(pointer, parameter, bytes.baseAddress, UInt64(bytes.count), nil))
  }

  func bind(_ parameter: Int32, text: String) throws(StateError) {
    // SQLITE_TRANSIENT, a macro: SQLite copies the text.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    try check(sqlite3_bind_text(pointer, parameter, text, Int32(clamping: text.utf8.count), copies))
  }

  /// Goes to the next row; false when there is none.
  func step() throws(StateError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw connection.failure(code, action)
    }
  }

  func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(pointer, column)
  }

  /// Valid until the next step.
  func bytes(_ column: Int32) throws(StateError) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(pointer, column)
    let count = Int(sqlite3_column_bytes(pointer, column))
    guard start != nil || count == 0 else { throw connection.failure(SQLITE_NOMEM, action) }
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  func text(_ column: Int32) throws(StateError) -> String {
    String(decoding: try bytes(column), as: UTF8.self)
  }

  private func check(_ code: Int32) throws(StateError) {
    guard code == SQLITE_OK else { throw connection.failure(code, action) }
  }
}
