import CircleModel

/// Reads the events of a state as they come, with who receives each: remembers how far it has read and what the state was
/// there. The caller is in a transaction (`StateStore.reading`).
package struct EventFollower {
  private var fold: StateFold
  /// The last run that was read; nil before the first reading.
  private var lastRun: UInt32?

  /// Begins with the first event that the log has.
  package init() {
    fold = StateFold()
    lastRun = nil
  }

  /// Begins after the last event of the log.
  ///
  /// - Parameter listeners: the users of whom `Audience.includes` will be asked; nil for everyone, and for
  ///   `Audience.users`.
  package init(after log: EventLog, listeners: [String]?) throws(StateError) {
    var names = UserNames()
    for user in listeners ?? [] { _ = names.intern(user) }
    let scope =
      listeners == nil
      ? Scope.everything : Scope(everyServer: true, members: .named, serversOfUsers: true, userDetails: true)
    let loaded = try StateLoader.load(log.rows, scope, names: names)
    fold = StateFold(from: loaded.snapshot)
    lastRun = loaded.head.run
  }

  /// Calls `body` for each event with a number greater than `since` that was written since the last call, until it
  /// answers false; there is nothing to read after that.
  ///
  /// - Throws: `.archived` when the log was cut beyond what was read, or at the first reading `since` lies before its
  ///   beginning.
  package mutating func forEachNew(
    in log: EventLog, since: Int64? = nil, _ body: (LoggedEvent, Audience) throws(StateError) -> Bool
  ) throws(StateError) {
    let checkpoint = try log.checkpoint(since: lastRun == nil ? since : nil)
    if let lastRun, let checkpoint, checkpoint.run > lastRun { throw .archived(through: checkpoint.lastSeq) }
    if lastRun == nil { (fold, lastRun) = try log.rows.beginFold() }
    var fold = self.fold
    self.fold = StateFold()
    var lastRun = self.lastRun ?? 0
    defer {
      self.fold = fold
      self.lastRun = lastRun
    }
    let head = try Head.read(log.rows)
    guard lastRun < head.run else { return }
    try log.forEachBlock((lastRun + 1)...head.run) { (run, bytes) throws(StateError) in
      lastRun = run.number
      let block = try LogBlock(bytes)
      let outcome = try fold.outcome(of: block)
      var events = BlockEvents(block, of: run)
      for position in 0..<block.count {
        let record = outcome.records[position]
        // Of a destroyed server the members are those before; of all else those after.
        if record.kind != .destroyServer { fold.apply(record, of: outcome, in: run) }
        let goesOn = try events?.forEach(at: position, outcome.detail(of: record)) { (event) throws(StateError) in
          guard event.seq > since ?? 0 else { return true }
          let audience = Audience(
            rule: event.name.audience, record: record, detail: event.detail, snapshot: fold.snapshot,
            actingDevice: run.request.device)
          return try body(event, audience)
        }
        if goesOn == false { return false }
        if record.kind == .destroyServer { fold.apply(record, of: outcome, in: run) }
      }
      return true
    }
    // Runs that only cut the log have no blocks.
    lastRun = head.run
  }
}
