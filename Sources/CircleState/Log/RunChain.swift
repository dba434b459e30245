import Digest

/// The history on its way from the first run to the last: what does not follow from what came before.
struct RunChain {
  private(set) var last: Run?
  /// One sentence a fault.
  private(set) var faults: [String] = []
  private var seq: Int64 = 1
  /// The number and the hash of the run before the first; an archive begins after others.
  private var before: (run: UInt32, hash: SHA256.Digest) = (0, .zero)
  /// The checkpoint that the last run which cut the log speaks of.
  private var checkpoint: SHA256.Digest?

  init() {}

  /// Begins in the middle of a history.
  init(at first: Run) {
    seq = first.firstSeq
    before = (first.number - 1, first.previous)
  }

  /// Takes the next run.
  ///
  /// - Parameters:
  ///   - number: under which it is stored.
  ///   - hash: as it comes out of what is stored.
  mutating func add(_ run: Run, number: UInt32, hash: SHA256.Digest) {
    let expected = (last?.number ?? before.run) + 1
    if run.number != number || run.number != expected { faults.append("run \(expected) is missing from the history") }
    if run.previous != last?.hash ?? before.hash {
      faults.append("run \(run.number): its predecessor is not the run before it")
    }
    if run.firstSeq != seq { faults.append("run \(run.number): its events do not follow those before it") }
    if run.time < last?.time ?? .min { faults.append("run \(run.number): it is earlier than the run before it") }
    if hash != run.hash { faults.append("run \(run.number): its entry or its log was changed") }
    seq = run.firstSeq + Int64(run.eventCount)
    last = run
    checkpoint = run.checkpoint ?? checkpoint
  }

  /// Compares the last run with what the state says of itself.
  ///
  /// - Parameter cut: where the log was cut.
  mutating func end(at head: Head, cut: Checkpoint?) {
    if cut?.digest != checkpoint {
      faults.append(
        cut == nil
          ? "the log was cut, but its checkpoint is missing"
          : checkpoint == nil
            ? "there is a checkpoint, but no run that cut the log"
            : "the checkpoint is not the one that the last cut of the log left")
    }
    if head.run != last?.number ?? 0 {
      faults.append("the last run is \(head.run), but the history ends with \(last?.number ?? 0)")
    }
    if head.hash != last?.hash ?? .zero { faults.append("the head of the log is not the hash of its last run") }
    if head.nextSeq != seq { faults.append("the next event would be \(head.nextSeq), but the log ends before \(seq)") }
    if head.time != last?.time ?? 0 { faults.append("the time of the last run is not that of the log") }
  }
}

extension StateRows {
  /// The hash that a run ought to have, from what is stored of it.
  ///
  /// - Parameter body: gets each of its blocks on the way.
  func hash(
    of run: Run, _ body: (UnsafeRawBufferPointer) throws(StateError) -> Void = { _ in }
  ) throws(StateError) -> SHA256.Digest {
    var hash = SHA256()
    hash.update(run.canonicalHead)
    var part: UInt32 = 0
    guard run.number > 0 else { throw PackedReader.damaged }
    try scan(.log, of: run.number) { (key, bytes) throws(StateError) in
      guard key.b == part else { throw .damaged("run \(run.number): block \(part) of its log is missing") }
      part += 1
      hash.update(bytes)
      try body(bytes)
      return true
    }
    hash.update(run.canonicalTail)
    guard part == run.blockCount else { throw .damaged("run \(run.number): the end of its log is missing") }
    return hash.finish()
  }
}

/// What a check of the log found.
package struct LogCheck: Sendable {
  /// One sentence a fault; none when the chain of hashes can be computed again.
  package var faults: [String]
  package var head: Head
  /// The run after which the log had the hash that was asked for, 0 for an empty log; nil when it never had.
  package var run: UInt32?
  /// Where the log was cut; of the runs up to there only what is kept of them was checked.
  package var checkpoint: Checkpoint?
}

extension StateRows {
  /// Goes through the whole history to compare it with the head: the hashes of the runs that the log still has are
  /// computed anew; those of the others are what the checkpoint covers.
  ///
  /// - Parameters:
  ///   - checkpoint: one that was found to be as it was written.
  ///   - hash: computes the hash of a run that the log still has.
  ///   - take: gets each run.
  func chain(
    upTo head: Head, _ checkpoint: Checkpoint?, hash: (Run) throws(StateError) -> SHA256.Digest,
    take: (Run) -> Void = { _ in }
  ) throws(StateError) -> RunChain {
    var chain = RunChain()
    try scan(.runs) { (key, row) throws(StateError) in
      let run = try Run(row, number: key.a)
      chain.add(run, number: key.a, hash: key.a <= checkpoint?.run ?? 0 ? run.hash : try hash(run))
      take(run)
      return chain.faults.count < 100
    }
    chain.end(at: head, cut: checkpoint)
    return chain
  }

  /// Where the log was cut, if it was and what is kept of it is as it was written.
  func soundCheckpoint() throws(StateError) -> Checkpoint? {
    guard let checkpoint = try Checkpoint.read(self) else { return nil }
    guard try checkpoint.digest(in: self) == checkpoint.digest else {
      throw .damaged("the checkpoint, or what is kept of the runs before it, was changed")
    }
    return checkpoint
  }
}

extension StateStore {
  /// Computes the chain of hashes anew, without folding the log.
  ///
  /// - Parameter earlier: a head that the log had at some time, and must still contain, or the beginning of one; in
  ///   hexadecimal digits, lower case.
  package func verifyLog(earlier: String? = nil) throws(StateError) -> LogCheck {
    try reading { () throws(StateError) in
      let head = try Head.read(rows)
      let isEarlier = { (hash: SHA256.Digest) in earlier.map { hash.hex.utf8.starts(with: $0.utf8) } ?? false }
      var found: UInt32? = isEarlier(.zero) ? 0 : nil
      var check = LogCheck(faults: [], head: head)
      do throws(StateError) {
        check.checkpoint = try rows.soundCheckpoint()
        let chain = try rows.chain(
          upTo: head, check.checkpoint, hash: { (run) throws(StateError) in try rows.hash(of: run) },
          take: { if isEarlier($0.hash) { found = $0.number } })
        check.faults = chain.faults
      } catch .damaged(let what) {
        check.faults = [what]
      }
      check.run = found
      return check
    }
  }
}
