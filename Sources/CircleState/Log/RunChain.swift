package import Digest

/// The history on its way from the first run to the last: what does not follow from what came before.
struct RunChain {
  private(set) var last: Run?
  /// One sentence a fault.
  private(set) var faults: [String] = []
  private var seq: Int64 = 1

  /// Takes the next run.
  ///
  /// - Parameters:
  ///   - number: under which it is stored.
  ///   - hash: as it comes out of what is stored.
  mutating func add(_ run: Run, number: UInt32, hash: SHA256.Digest) {
    let expected = (last?.number ?? 0) + 1
    if run.number != number || run.number != expected { faults.append("run \(expected) is missing from the history") }
    if run.previous != last?.hash ?? .zero {
      faults.append("run \(run.number): its predecessor is not the run before it")
    }
    if run.firstSeq != seq { faults.append("run \(run.number): its events do not follow those before it") }
    if run.time < last?.time ?? .min { faults.append("run \(run.number): it is earlier than the run before it") }
    if hash != run.hash { faults.append("run \(run.number): its entry or its log was changed") }
    seq = run.firstSeq + Int64(run.eventCount)
    last = run
  }

  /// Compares the last run with what the state says of itself.
  mutating func end(at head: Head) {
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
}

extension StateStore {
  /// Computes the chain of hashes anew, without folding the log.
  ///
  /// - Parameter earlier: a head that the log had at some time, and must still contain.
  package func verifyLog(earlier: SHA256.Digest? = nil) throws(StateError) -> LogCheck {
    try reading { () throws(StateError) in
      let head = try Head.read(rows)
      var chain = RunChain()
      var found: UInt32? = earlier == .zero ? 0 : nil
      var damage: [String] = []
      do throws(StateError) {
        try rows.scan(.runs) { (key, row) throws(StateError) in
          let run = try Run(row)
          chain.add(run, number: key.a, hash: try rows.hash(of: run))
          if run.hash == earlier { found = run.number }
          return chain.faults.count < 100
        }
        chain.end(at: head)
      } catch .damaged(let what) {
        damage = [what]
      }
      return LogCheck(faults: chain.faults + damage, head: head, run: found)
    }
  }
}
