import CircleState
import Glibc

extension Connection {
  /// Begins a transaction and reads for the first time, so that it sees one state from now on.
  /// - Throws: `.busy` when another process writes, at once; `.conflict` when it has just done so.
  func begin(writing: Bool) throws(StateError) {
    let format = "SELECT format FROM \(Schema.lock) WHERE key = 0"
    // Where this machine is cut off from the server, the others need not wait for its transaction for long.
    let sql =
      writing
      ? "BEGIN ISOLATION LEVEL SERIALIZABLE; SET LOCAL idle_in_transaction_session_timeout = '5min'; "
        + "\(format) FOR UPDATE NOWAIT"
      : "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY; \(format)"
    try checkFormat(run(sql, writing ? "write" : "read").last, writing: writing)
  }

  /// Commits; a signal that comes once it has begun changes nothing.
  func commit() throws(StateError) {
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

  /// Refuses formats that this version does not know, and to write into one that is not the newest.
  func checkFormat(_ answer: Answer?, writing: Bool) throws(StateError) {
    guard let answer, answer.rowCount == 1, let found = answer.digits(0, 0) else {
      throw .damaged("'\(url.text)': the row of the format is missing")
    }
    guard found <= Schema.format else { throw .newerFormat(found: found, supported: Schema.format) }
    guard found == Schema.format || (!writing && found > 0) else {
      throw .damaged("'\(url.text)': it says that its format is \(found)")
    }
    format = found
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
