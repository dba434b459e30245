/// Why a state can't be read or written. The texts name files, runs and ids, never values of profile fields.
package enum StateError: Error, Equatable, Sendable {
  /// No file there, or one without content: reads treat it as an empty state.
  case missing(String)
  /// A file, a folder, a device or a database that is not a circlectl state.
  case notAState(String)
  /// Written by a later version.
  case newerFormat(found: Int, supported: Int)
  /// Content that can't be what circlectl wrote.
  case damaged(String)
  /// Another writer's transaction did not end in time.
  case busy
  /// The server could not fit the transaction in between those of others; nothing was written, and trying again helps.
  case conflict
  /// Another run holds the lock.
  case locked(StateLock)
  /// The revision moved since the state was read.
  case stale(expected: Int64, found: Int64)
  /// Events that were asked for stand in an archive: those up to this number.
  case archived(through: Int64)
  /// SIGINT or SIGTERM came; nothing was written.
  case interrupted(signal: Int32)
  /// The system said no: disk full, permission, a path that can't be opened.
  case io(String)
}
