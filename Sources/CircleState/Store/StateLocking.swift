import Glibc

/// The lock that a run takes before it writes: a row that names host, process and time.
///
/// A lock whose process on this host has ended is cleared by whoever comes next; one of another host is only cleared
/// by `clear`.
extension StateStore {
  /// Waits at most `timeout` milliseconds for the lock.
  ///
  /// - Parameter now: Unix milliseconds, for people.
  /// - Throws: `.locked` with who holds it; `.busy` when a transaction without a lock row is in the way;
  ///   `.damaged` when it can't be told where the log was cut.
  package func takeLock(now: Int64, timeout: Int, interrupted: () -> Int32 = { 0 }) throws(StateError) {
    let deadline = Self.monotonicMilliseconds() + Int64(timeout)
    let mine = StateLock.ofThisProcess(since: now)
    while true {
      let failure: StateError
      do throws(StateError) {
        if let holder = try tryLock(mine) { failure = .locked(holder) } else { return }
      } catch .busy {
        failure = try holderOfBusyState()
      } catch .conflict {
        failure = .conflict
      }
      let signal = interrupted()
      guard signal == 0 else { throw .interrupted(signal: signal) }
      guard Self.monotonicMilliseconds() < deadline else { throw failure }
      usleep(20_000)
    }
  }

  /// Gives the lock up after a run that did not commit; harmless when it is not ours.
  package func releaseLock() {
    do throws(StateError) {
      try writing { () throws(StateError) in
        if let holder = try rows.lock(), holder.isOfThisProcess { try rows.setLock(nil) }
      }
    } catch {
      // The next run clears the lock of a process that has ended.
      return
    }
  }

  /// Removes the lock, whoever holds it, and answers who did.
  package func clearLock() throws(StateError) -> StateLock? {
    try writing { () throws(StateError) in
      let holder = try rows.lock()
      if holder != nil { try rows.setLock(nil) }
      return holder
    }
  }

  /// Nil when the lock is ours now, else who holds it.
  private func tryLock(_ mine: StateLock) throws(StateError) -> StateLock? {
    try rows.begin(writing: true, timeout: 0)
    do throws(StateError) {
      if let holder = try rows.lock(), !holder.hasEnded, !holder.isOfThisProcess {
        rows.rollback()
        return holder
      }
      // What events are found by once all is written: damage is to be met before anything is.
      _ = try Checkpoint.read(rows)
      try rows.setLock(mine)
      try rows.commit()
      return nil
    } catch {
      rows.rollback()
      throw error
    }
  }

  private func holderOfBusyState() throws(StateError) -> StateError {
    do throws(StateError) {
      return try rows.lock().map { .locked($0) } ?? .busy
    } catch .busy {
      return .busy
    }
  }

  /// Time since some fixed moment, never going back: what waiting is measured with.
  package static func monotonicMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension StateLock {
  package static func ofThisProcess(since: Int64) -> StateLock {
    let process = getpid()
    return StateLock(
      host: thisHost(), process: process, processStart: startTime(of: process) ?? 0, since: since)
  }

  /// What a lock would say of another process on this host, since it began; nil when it has ended.
  package static func ofRunningProcess(_ process: Int32) -> StateLock? {
    var status = stat()
    guard let start = startTime(of: process), stat("/proc/\(process)", &status) == 0 else { return nil }
    let since = Int64(status.st_ctim.tv_sec) * 1000 + Int64(status.st_ctim.tv_nsec) / 1_000_000
    return StateLock(host: thisHost(), process: process, processStart: start, since: since)
  }

  /// Whether it was taken on this host by a process that no longer runs.
  package var hasEnded: Bool {
    guard host == Self.thisHost() else { return false }
    guard let start = Self.startTime(of: process) else { return true }
    return start != processStart
  }

  var isOfThisProcess: Bool {
    host == Self.thisHost() && process == getpid() && processStart == Self.startTime(of: process)
  }

  package static func thisHost() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The start of a running process in clock ticks since the system started; nil when there is none (or a dead one
  /// that waits for its parent).
  private static func startTime(of process: Int32) -> UInt64? {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    // The second field, the program's name, stands in brackets and may hold anything.
    guard let close = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = buffer[(close + 1)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 19, fields[0] != [UInt8(ascii: "Z")] else { return nil }
    return UInt64(String(decoding: fields[19], as: UTF8.self))
  }
}
