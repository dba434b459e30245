package import CircleModel

extension StateStore {
  /// What a run did, by folding the log up to it, from its beginning or from where it was cut; linear in that.
  ///
  /// - Returns: nil where the log no longer has all of that run and of those before it, or never had the run.
  package func effect(ofRun number: UInt32) throws(StateError) -> RunEffect? {
    try reading { () throws(StateError) in
      var reader = RunEffectReader(rows, number)
      return try reader.read()
    }
  }
}

/// Folds the log from where it begins, and stops twice: before a run and after it.
private struct RunEffectReader {
  private let rows: any StateRows
  private let number: UInt32
  private var fold = StateFold()
  private var servers: [ServerIndex] = []
  private var users: [UserIndex] = []
  private var isKnown: Set<UInt64> = []

  init(_ rows: any StateRows, _ number: UInt32) {
    self.rows = rows
    self.number = number
  }

  mutating func read() throws(StateError) -> RunEffect? {
    guard number > 0 else { return nil }
    var runs: [Run] = []
    let begin = try rows.beginFold()
    guard number > begin.run else { return nil }
    fold = begin.fold
    try rows.scan(.runs, from: RowKey(begin.run + 1), through: RowKey(number)) { (key, row) throws(StateError) in
      runs.append(try Run(row, number: key.a))
      return true
    }
    guard let last = runs.last, last.number == number, runs.count == Int(number - begin.run) else { return nil }
    for run in runs.dropLast() {
      guard try fold(run, notes: false) else { return nil }
    }
    let before = fold.snapshot
    guard try fold(last, notes: true) else { return nil }
    var effect = RunEffect(
      run: number, kind: last.request.kind, command: last.request.command, stack: last.request.stack, before: before,
      after: fold.snapshot)
    effect.servers = servers
    effect.users = users
    return effect
  }

  /// - Returns: whether all blocks of the run are there.
  private mutating func fold(_ run: Run, notes: Bool) throws(StateError) -> Bool {
    var folded = fold
    fold = StateFold()
    var outcomes: [Outcome] = []
    var blocks: UInt32 = 0
    try rows.scan(.log, of: run.number) { (_, bytes) throws(StateError) in
      blocks += 1
      let outcome = try folded.outcome(of: try LogBlock(bytes))
      for record in outcome.records { folded.apply(record, of: outcome, in: run) }
      if notes { outcomes.append(outcome) }
      return true
    }
    fold = folded
    for outcome in outcomes {
      for record in outcome.records { note(record) }
    }
    return blocks == run.blockCount
  }

  private mutating func note(_ record: Record) {
    if record.server != .none, isKnown.insert(UInt64(record.server.raw)).inserted { servers.append(record.server) }
    switch record.kind {
    case .registerUser, .updateUser, .setDevices, .markUser:
      if isKnown.insert(UInt64(record.user.raw) | 1 << 32).inserted { users.append(record.user) }
    default: break
    }
  }
}
