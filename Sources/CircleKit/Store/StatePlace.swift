package import CircleState
package import CircleStatePostgres
import CircleStateSQLite

/// Where a state is kept.
package enum StatePlace: Equatable, Sendable {
  case file(path: String)
  case server(ServerURL)

  /// What a location means: a URL of a server, or else a path.
  /// - Throws: why a URL is not used; it must not be repeated then.
  package init(_ location: String) throws(ServerURL.Refusal) {
    self = ServerURL.isMeant(by: location) ? .server(try ServerURL(location)) : .file(path: location)
  }

  /// Opens the state there.
  ///
  /// - Parameters:
  ///   - timeout: how many milliseconds reads, and the end of a transaction, wait for another process.
  ///   - interrupted: the signal that has come, or 0; asked while waiting and before a commit, from this thread.
  /// - Throws: `.missing` where there is none, unless it may be made.
  package func open(
    _ mode: OpeningMode, timeout: Int, interrupted: @escaping @Sendable () -> Int32 = { 0 }
  ) throws(StateError) -> any StateRows {
    switch self {
    case .file(let path):
      try SQLiteRows.open(path: path, mode: mode, timeout: timeout, interrupted: interrupted)
    case .server(let url):
      try PostgresRows.open(url, mode: mode, timeout: timeout, interrupted: interrupted)
    }
  }

  /// Whoever on this host keeps others from a state that can't even be read for it, since its process began; nil where that
  /// can't be told. Only for a run that has no transaction.
  package func holder() -> StateLock? {
    guard case .file(let path) = self else { return nil }
    return SQLiteRows.writingProcess(of: path).flatMap(StateLock.ofRunningProcess)
  }
}
