import CircleModel
package import Digest

/// What a cut of the log would take away.
package struct CutExtent: Equatable, Sendable {
  package var runs: ClosedRange<UInt32>
  /// The number of the first event; that of the next one where there are none.
  package var firstSeq: Int64
  package var eventCount: Int
  /// Times of the first and of the last run, Unix milliseconds.
  package var times: ClosedRange<Int64>
  /// The hash of the run before the first; zero for the beginning of the log.
  package var previous: SHA256.Digest
  /// The hash of the last run.
  package var hash: SHA256.Digest

  package var runCount: Int { runs.count }
  /// Nil where there are none.
  package var events: ClosedRange<Int64>? { eventCount == 0 ? nil : firstSeq...firstSeq + Int64(eventCount) - 1 }

  /// - Throws: `.damaged` where the last run comes before the first.
  init(first: Run, last: Run, eventCount: Int) throws(StateError) {
    guard first.number <= last.number, first.time <= last.time else {
      throw .damaged("run \(last.number) of the history comes before run \(first.number)")
    }
    runs = first.number...last.number
    firstSeq = first.firstSeq
    self.eventCount = eventCount
    times = first.time...last.time
    previous = first.previous
    hash = last.hash
  }
}

/// A cut of the log that is worked out and not yet made: what is put in the place of the runs.
package struct LogCut {
  package let extent: CutExtent
  /// How far the state had come.
  package let head: Head
  private let last: Run
  private let pieces: [[UInt8]]
  /// Blocks that go, or become shorter, each with its server's number.
  private let changes: [Change]

  private struct Change {
    var server: UInt32
    var key: RowKey
    /// Nil where nothing of it is kept.
    var bytes: [UInt8]?
  }

  /// Works out the cut. The caller is in the transaction in which `extent` was found.
  fileprivate init(_ extent: CutExtent, head: Head, in rows: any StateRows) throws(StateError) {
    self.extent = extent
    self.head = head
    let (fold, last) = try Self.fold(through: extent, in: rows)
    self.last = last
    var atCut = Head()
    atCut.run = last.number
    atCut.revision = Int64(last.number)
    atCut.nextSeq = last.firstSeq + Int64(last.eventCount)
    atCut.time = last.time
    atCut.hash = last.hash
    pieces = CheckpointState(fold.snapshot, head: atCut).pieces
    changes = try Self.changes(through: last.number, after: fold.snapshot, in: rows)
  }

  /// Computes the hash of each run anew on the way: nothing that was changed goes into an archive.
  private static func fold(
    through extent: CutExtent, in rows: any StateRows
  ) throws(StateError) -> (fold: StateFold, last: Run) {
    _ = try rows.soundCheckpoint()
    var (fold, _) = try rows.beginFold()
    var chain: RunChain?
    try rows.scan(.runs, from: RowKey(extent.runs.lowerBound), through: RowKey(extent.runs.upperBound)) {
      (key, row) throws(StateError) in
      let run = try Run(row, number: key.a)
      var folded = fold
      fold = StateFold()
      let hash = try rows.hash(of: run) { (bytes) throws(StateError) in
        let outcome = try folded.outcome(of: try LogBlock(bytes))
        for record in outcome.records { folded.apply(record, of: outcome, in: run) }
      }
      fold = folded
      var next = chain ?? RunChain(at: run)
      next.add(run, number: key.a, hash: hash)
      chain = next
      if let fault = next.faults.first { throw .damaged(fault) }
      return true
    }
    guard let last = chain?.last, last.number == extent.runs.upperBound else {
      throw .damaged("run \(extent.runs.upperBound) is missing from the history")
    }
    return (fold, last)
  }

  /// What becomes of the blocks of all runs up to `run`, those cut earlier included.
  private static func changes(
    through run: UInt32, after snapshot: Snapshot, in rows: any StateRows
  ) throws(StateError) -> [Change] {
    var changes: [Change] = []
    var server: UInt32 = 0
    var keys: [RowKey] = []
    func finish() throws(StateError) {
      var last: LastChanges? = server == 0 ? nil : LastChanges()
      for key in keys.reversed() {
        let change = try rows.withRow(.log, key) { (bytes) throws(StateError) -> Change? in
          let block = try LogBlock(bytes)
          let index = snapshot.serverIDs[Text(block.serverID)]
          if index.map({ snapshot[$0].isDestroyed }) ?? true { last = nil }
          let kept = try last?.kept(of: bytes)
          return kept.map { $0.elementsEqual(bytes) } == true ? nil : Change(server: server, key: key, bytes: kept)
        }
        guard let change else { throw .damaged("the index of the log names a block of run \(key.a) that is not there") }
        if let change { changes.append(change) }
      }
      keys = []
    }
    try rows.scan(.logByServer) { (key, _) throws(StateError) in
      if key.a != server { try finish() }
      server = key.a
      if key.b <= run { keys.append(RowKey(key.b, key.c)) }
      return true
    }
    try finish()
    return changes
  }

  /// Puts the checkpoint in the place of the runs, in the caller's transaction.
  ///
  /// - Parameter request: of the run that this is.
  fileprivate func write(to rows: any StateRows, time: Int64, request: RunRequest) throws(StateError) -> Run {
    let time = max(time, head.time)
    for change in changes {
      if let bytes = change.bytes {
        try rows.put(.log, change.key, bytes: bytes)
      } else {
        try rows.remove(.log, change.key)
        try rows.remove(.logByServer, RowKey(change.server, change.key.a, change.key.b))
      }
    }
    let old = try Checkpoint.read(rows)?.parts ?? 0
    for (position, piece) in pieces.enumerated() {
      try rows.put(.checkpoint, RowKey(UInt32(position) + 1), bytes: piece)
    }
    for part in stride(from: UInt32(pieces.count) + 1, through: old, by: 1) {
      try rows.remove(.checkpoint, RowKey(part))
    }
    var checkpoint = Checkpoint(
      run: last, firstRun: extent.runs.lowerBound, firstSeq: extent.firstSeq, cutAt: time)
    checkpoint.parts = UInt32(pieces.count)
    checkpoint.digest = try checkpoint.digest(in: rows)
    let encoder = LogEncoder(
      run: Run(
        number: head.run + 1, request: request, time: time, firstSeq: head.nextSeq, previous: head.hash,
        checkpoint: checkpoint.digest)
    ) { _ in "" }
    let run = encoder.finish()
    var head = head
    head.run = run.number
    head.revision += 1
    head.time = time
    head.hash = run.hash
    try rows.put(.checkpoint, .first, bytes: checkpoint.row)
    try rows.put(.head, .first, bytes: head.row)
    try rows.put(.runs, RowKey(run.number), bytes: run.row)
    return run
  }
}

extension StateStore {
  /// What a cut of all runs before a time would take away; nil when the log has none of them.
  ///
  /// - Parameter time: Unix milliseconds.
  package func extent(before time: Int64) throws(StateError) -> CutExtent? {
    try retrying { () throws(StateError) in
      try reading { () throws(StateError) in try Self.extent(before: time, in: rows) }
    }
  }

  private static func extent(before time: Int64, in rows: any StateRows) throws(StateError) -> CutExtent? {
    var first: Run?
    var last: Run?
    var eventCount = 0
    let begin = try Checkpoint.read(rows)?.run ?? 0
    try rows.scan(.runs, from: RowKey(begin + 1), through: .last) { (key, row) throws(StateError) in
      let run = try Run(row, number: key.a)
      guard run.time < time else { return false }
      first = first ?? run
      last = run
      eventCount += run.eventCount
      return true
    }
    guard let first, let last else { return nil }
    return try CutExtent(first: first, last: last, eventCount: eventCount)
  }

  /// Works out the cut of all runs before a time and hands what is cut to `archive`, all of one moment; writes nothing into
  /// the state.
  ///
  /// - Parameter archive: writes the archive; called once.
  /// - Returns: nil when the log has no run before that time; nothing is archived then.
  package func prepareCut(
    before time: Int64, archive: (LogArchiveSource) throws(StateError) -> Void
  ) throws(StateError) -> LogCut? {
    try reading { () throws(StateError) in
      guard let extent = try Self.extent(before: time, in: rows) else { return nil }
      let cut = try LogCut(extent, head: try Head.read(rows), in: rows)
      try archive(LogArchiveSource(rows: rows, extent: extent))
      return cut
    }
  }

  /// Makes the cut in one transaction, as a run of its own, and gives up the lock with it.
  ///
  /// - Parameters:
  ///   - time: raised to the log's last where it is earlier.
  ///   - isCommitting: told just before the transaction is committed: an error after that may leave open whether it was.
  /// - Throws: `.stale` when the state has changed since the cut was worked out; nothing is written then.
  package func cut(
    _ cut: LogCut, time: Int64, request: RunRequest, isCommitting: () -> Void = {}
  ) throws(StateError) -> Run {
    try writing { () throws(StateError) in
      let found = try Head.read(rows)
      guard found == cut.head else { throw .stale(expected: cut.head.revision, found: found.revision) }
      let run = try cut.write(to: rows, time: time, request: request)
      try rows.setLock(nil)
      isCommitting()
      return run
    }
  }
}
