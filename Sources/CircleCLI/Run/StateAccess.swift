import CircleKit
import CircleReport
import CircleState
import Glibc

/// A state that was opened, and whether there is one.
struct OpenState {
  var store: StateStore
  /// Whether nothing was there, so that an empty state stands in for it.
  var isMissing: Bool
}

extension CommandRun {
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
    let place = try place(of: path)
    detail("the state is '\(path ?? options.state.path)'")
    let timeout = options.lockTimeout.milliseconds
    return try onState(at: path) { () throws(StateError) in
      do throws(StateError) {
        let rows = try place.open(.read, timeout: timeout, interrupted: interruption.arrived)
        return OpenState(store: StateStore(rows, timeout: timeout), isMissing: false)
      } catch .missing {
        return OpenState(store: StateStore(MemoryRows()), isMissing: true)
      }
    }
  }

  private func place(of path: String?) throws(Failure) -> StatePlace {
    guard let path else { return options.state.place(in: context) }
    return try StateLocation.place(path, in: context)
  }

  /// Opens the state for writing; where there is none it is made.
  ///
  /// - Parameter path: of another state than the one of the run's options.
  func openForWriting(at path: String? = nil) throws(Failure) -> StateStore {
    let place = try place(of: path)
    let rows = try onState(at: path) { () throws(StateError) in
      try place.open(
        .write(create: true), timeout: options.lockTimeout.milliseconds, interrupted: interruption.arrived)
    }
    if let upgrade = rows.upgrade {
      let copy = upgrade.copy.map { "; as it was it is kept in '\($0)'" } ?? ""
      note("the state '\(path ?? options.state.path)' was brought from format \(upgrade.from) to \(upgrade.to)\(copy)")
    }
    // The lock is waited for as long as was said. Who has it waits for the short moments of others, also with `0`: what was
    // written has to be reported.
    return StateStore(rows, timeout: max(options.lockTimeout.milliseconds, 10_000))
  }

  /// Takes the lock, and gives it up again when `body` did not write; a commit gives it up itself. A state that was
  /// made for nothing is removed.
  func holdingLock<R>(of store: StateStore, _ body: () throws(Failure) -> R) throws(Failure) -> R {
    var hasLock = false
    defer { if !hasWritten { cleanUp(store, hasLock: hasLock) } }
    try phase(.waiting) { () throws(Failure) in
      try onState { () throws(StateError) in
        try store.takeLock(
          now: context.clock(), timeout: options.lockTimeout.milliseconds, interrupted: interruption.arrived)
      }
    }
    hasLock = true
    return try body()
  }

  private func cleanUp(_ store: StateStore, hasLock: Bool) {
    // A signal that ended the run must not keep it from cleaning up.
    interruption.isHeeded = false
    if hasLock { store.releaseLock() }
    store.rows.removeIfUnused()
  }

  /// Notes that the run is written: from now on no signal changes anything.
  func noteWritten(to store: StateStore) {
    hasWritten = true
    if store.rows.isNew { note("the state '\(options.state.path)' was created") }
  }

  /// Tells what is odd about the time of a run that is about to be written: it is in the log for ever.
  func checkTime(against head: Head) {
    if let now = options.now, now - context.clock() > 86_400_000 {
      note("warning: --now is more than a day later than the clock; no later run can have an earlier time")
    }
    if head.time > now {
      let source = options.now == nil ? "the clock" : "--now"
      note("warning: \(source) is earlier than the last run; this run gets its time, \(UTCTime.text(head.time))")
    }
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
