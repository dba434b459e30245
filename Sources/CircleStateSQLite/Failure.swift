import CSQLite
import CircleState
import Glibc

/// What a result code of SQLite means for a state. Only codes and file names go into the text, never SQL or values.
struct Failure {
  var code: Int32
  /// The `errno` of the connection's last failed call into the system, or 0.
  var system: Int32
  /// What was tried, as in "can't write".
  var action: String
  var path: String

  var error: StateError {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(reason)
    default: .io("can't \(action) '\(path)': \(reason)")
    }
  }

  private var reason: String {
    // As all else that meets a full disk says it.
    if code & 0xFF == SQLITE_FULL { return String(cString: strerror(ENOSPC)) }
    let text = String(cString: sqlite3_errstr(code))
    let number = code > 0xFF ? " (SQLite code \(code))" : ""
    let isSystems = code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN
    return system == 0 || !isSystems ? text + number : "\(text)\(number): \(String(cString: strerror(system)))"
  }
}
