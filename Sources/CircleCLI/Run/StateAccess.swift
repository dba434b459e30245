import CircleState
import CircleStateSQLite
import Glibc

/// A state that was opened, and whether there is one.
struct OpenState {
  var store: StateStore
  /// Whether nothing was there, so that an empty state stands in for it.
  var isMissing: Bool
}

extension CommandRun {
  private var statePath: String { context.resolve(options.state.path) }

  /// Opens the state without ever writing to it; where there is none, an empty one in memory stands in, and that is said.
  func openForReading() throws(Failure) -> OpenState {
    let opened = try existingState()
    if opened.isMissing { note("there is no state at '\(options.state.path)' yet; it counts as empty") }
    return opened
  }

  /// Likewise, without a word.
  ///
  /// - Parameter path: of another state than the one of the run's options.
  func existingState(at path: String? = nil) throws(Failure) -> OpenState {
    detail("the state is '\(options.state.path)'")
    let path = path.map { context.resolve($0) } ?? statePath
    return try onState { () throws(StateError) in
      do throws(StateError) {
        let rows = try SQLiteRows.open(
          path: path, mode: .read, timeout: options.lockTimeout.milliseconds, interrupted: interruption.arrived)
        return OpenState(store: StateStore(rows, timeout: options.lockTimeout.milliseconds), isMissing: false)
      } catch .missing {
        return OpenState(store: StateStore(MemoryRows()), isMissing: true)
      }
    }
  }

  /// Opens the state for writing; where there is none it is made, and that is said unless the result says so.
  func openForWriting(saysCreated: Bool = true) throws(Failure) -> StateStore {
    let rows = try onState { () throws(StateError) in
      try SQLiteRows.open(
        path: statePath, mode: .write(create: true), timeout: options.lockTimeout.milliseconds,
        interrupted: interruption.arrived)
    }
    if rows.created, saysCreated { note("the state '\(options.state.path)' was created") }
    return StateStore(rows, timeout: options.lockTimeout.milliseconds)
  }

  /// Takes the lock, and gives it up again when `body` did not write; a commit gives it up itself.
  func holdingLock<R>(of store: StateStore, _ body: () throws(Failure) -> R) throws(Failure) -> R {
    try phase(.waiting) { () throws(Failure) in
      try onState { () throws(StateError) in
        try store.takeLock(
          now: context.clock(), timeout: options.lockTimeout.milliseconds, interrupted: interruption.arrived)
      }
    }
    do throws(Failure) {
      let result = try body()
      releaseLock(of: store)
      return result
    } catch {
      releaseLock(of: store)
      throw error
    }
  }

  private func releaseLock(of store: StateStore) {
    if hasWritten { return }
    // A signal that ended the run must not keep it from cleaning up.
    interruption.isHeeded = false
    store.releaseLock()
  }

  /// Who writes, for the history.
  var writer: RunRequest.Writer {
    RunRequest.Writer(host: StateLock.thisHost(), process: getpid(), version: ProgramVersion.number)
  }

  /// The bytes from which ids are made.
  var idSeed: [UInt8] {
    options.idSeed.map { Array($0.utf8) } ?? context.randomBytes(16)
  }
}
