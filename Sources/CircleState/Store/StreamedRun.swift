import CircleModel
package import Diagnostics
import SideThread

extension StateStore {
  /// Writes a run batch by batch, all or nothing, in the room of a few batches: the log's blocks are written and hashed
  /// as they come. Gives up the lock in the same transaction.
  ///
  /// Batches are decided within the transaction, on what the state is then, so the run can't be stale. While the rows of
  /// one batch are written, the next is decided and packed on a thread beside.
  ///
  /// - Parameters:
  ///   - time: raised to the log's last where it is earlier.
  ///   - path: shows an input file, for the places in the log.
  /// - Returns: nil when nothing was to be written, or the batches may not be; the state is as it was then.
  package func commit(
    _ batches: some UserBatches, time: Int64, request: RunRequest, path: @escaping (FileIndex) -> String
  ) throws(StateError) -> Run? {
    try rows.begin(writing: true, timeout: timeout)
    do throws(StateError) {
      let before = try Head.read(rows)
      var head = before
      head.run += 1
      head.revision += 1
      head.time = max(time, before.time)
      let run = Run(
        number: head.run, request: request, time: head.time, firstSeq: head.nextSeq, previous: before.hash)
      let stream = UserStream(batches, log: LogEncoder(run: run, path: path), head: head)
      try stream.run(on: rows, before: before)
      guard batches.mayCommit(), stream.log.run.recordCount > 0 else {
        rows.rollback()
        return nil
      }
      let written = try stream.finish(on: rows)
      try rows.setLock(nil)
      try rows.commit()
      return written
    } catch {
      rows.rollback()
      throw error
    }
  }

  /// Decides all batches on what the state is now, and writes nothing.
  ///
  /// - Parameter stopsAtChange: whether the first batch that changes something is the last one.
  /// - Returns: whether something would be written.
  package func rehearse(_ batches: some UserBatches, stopsAtChange: Bool = false) throws(StateError) -> Bool {
    try reading { () throws(StateError) in
      let head = try Head.read(rows)
      var changes = false
      while let names = batches.next() {
        let decided = batches.decide(in: try LoadedBatch(names, from: rows, head: head).snapshot)
        if !decided.outcome.records.isEmpty { changes = true }
        if changes, stopsAtChange { break }
      }
      return changes
    }
  }
}

/// A streamed run on its way into the rows of a state.
private final class UserStream<Batches: UserBatches> {
  private let batches: Batches
  private(set) var log: LogEncoder
  private var head: Head
  private var parts: UInt32 = 0

  init(_ batches: Batches, log: LogEncoder, head: Head) {
    self.batches = batches
    self.log = log
    self.head = head
  }

  /// - Parameter before: the head of the state before the run.
  func run(on rows: any StateRows, before: Head) throws(StateError) {
    var next = batches.next()
    var waiting: EncodedBatch?
    while let names = next {
      let loaded = try LoadedBatch(names, from: rows, head: before)
      let work = SideThread.start { self.work(on: loaded) }
      // What the thread holds may not be left behind while it works.
      var failure: StateError?
      do throws(StateError) {
        if let waiting { try write(waiting, to: rows) }
      } catch {
        failure = error
      }
      let done = work.join()
      if let failure { throw failure }
      waiting = done.batch
      next = done.next
    }
    if let waiting { try write(waiting, to: rows) }
    guard head.nextUser < RowKey.last.a else { throw .io("the state is full: no number is left for a new user") }
  }

  private func work(on loaded: LoadedBatch) -> (batch: EncodedBatch, next: UserNames?) {
    let (outcome, result) = batches.decide(in: loaded.snapshot)
    let batch = EncodedBatch(outcome, result, on: loaded, &log, &head)
    return (batch, batches.next())
  }

  private func write(_ batch: EncodedBatch, to rows: any StateRows) throws(StateError) {
    let run = log.run.number
    for block in batch.blocks {
      try rows.put(.log, RowKey(run, parts), bytes: block.bytes)
      try rows.put(.logByServer, RowKey(block.server, run, parts), bytes: [])
      parts += 1
    }
    try batch.rows.withRaw { (bytes) throws(StateError) in
      var start = 0
      for user in batch.users {
        try rows.put(.users, RowKey(user.number), UnsafeRawBufferPointer(rebasing: bytes[start..<user.end]))
        start = user.end
      }
    }
    try batch.ids.withRaw { (bytes) throws(StateError) in
      var start = 0
      for name in batch.names {
        try rows.putName(UnsafeRawBufferPointer(rebasing: bytes[start..<name.end]), name.number, in: .users)
        start = name.end
      }
    }
  }

  /// Writes the history entry and the head.
  func finish(on rows: any StateRows) throws(StateError) -> Run {
    let run = log.finish()
    head.nextSeq = run.firstSeq + Int64(run.eventCount)
    head.hash = run.hash
    try rows.put(.head, .first, bytes: head.row)
    try rows.put(.runs, RowKey(run.number), bytes: run.row)
    return run
  }
}
