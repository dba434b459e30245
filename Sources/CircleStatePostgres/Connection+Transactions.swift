import CircleState
import Glibc

extension Connection {
  /// Begins a transaction and reads for the first time, so that it sees one state from now on.
  /// - Returns: the format of the rows; who writes finds only the newest.
  /// - Throws: `.busy` when another process writes, at once; `.conflict` when it has just done so.
  func begin(writing: Bool) throws(StateError) -> Int {
    let format = "SELECT format FROM \(Schema.lock) WHERE key = 0"
    // Where this machine is cut off from the server, the others need not wait for its transaction for long.
    let sql =
      writing
      ? "BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL idle_in_transaction_session_timeout = '5min'; "
        + "\(format) FOR UPDATE NOWAIT"
      : "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY; \(format)"
    return try checkedFormat(run(sql, writing ? "write" : "read").last, writing: writing)
  }

  /// Commits; a signal that comes once it has begun changes nothing.
  func commit() throws(StateError) {
    // Until then rows may be on their way, and look at the patience too.
    joinSender()
    let signal = patience.interrupted()
    if signal != 0 { throw .interrupted(signal: signal) }
    let patience = self.patience
    defer { self.patience = patience }
    self.patience.interrupted = { 0 }
    // The server answers to the commit of a transaction that failed with a rollback, which is no error to it.
    guard try run("COMMIT", "write").last?.command == "COMMIT" else {
      throw .io("can't write '\(url.text)': the server gave the transaction up")
    }
  }

  /// The state's format; refuses those that this version does not know, and to write into an older one.
  private func checkedFormat(_ answer: Answer?, writing: Bool) throws(StateError) -> Int {
    guard let answer, answer.rowCount == 1, let found = answer.digits(0, 0) else {
      throw .damaged("'\(url.text)': the row of the format is missing")
    }
    guard found <= StateFormat.newest else { throw .newerFormat(found: found, supported: StateFormat.newest) }
    guard found == StateFormat.newest || (found > 0 && !writing) else {
      throw .damaged("'\(url.text)': it says that its format is \(found)")
    }
    return found
  }

  /// Waits for another process.
  func pause(milliseconds: Int) throws(StateError) {
    let signal = patience.interrupted()
    if signal != 0 { throw .interrupted(signal: signal) }
    var time = timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000)
    // A signal ends the sleep, and the next call sees it.
    nanosleep(&time, nil)
  }
}
