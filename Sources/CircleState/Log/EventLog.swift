package import CircleModel

/// One event as the log tells it. Texts are valid during the call that gets it.
package struct LoggedEvent {
  package var seq: Int64
  /// Unix milliseconds, UTC.
  package var time: Int64
  package var run: UInt32
  package var name: EventName
  package var kind: OperationKind
  package var serverID: UnsafeBufferPointer<UInt8>
  /// As it was at that moment.
  package var handle: UnsafeBufferPointer<UInt8>
  package var actor: UnsafeBufferPointer<UInt8>
  package var isAdministrative: Bool
  /// The member, invitee or user concerned; empty where the operation names none or several.
  package var user: UnsafeBufferPointer<UInt8>
  /// How many receive it.
  package var audience: Int
  /// What the event carries beside: attributes, invitation, the members removed; user ids through the names that come
  /// with the event.
  package var detail: Detail?
}

/// Reads the events of a state in the order of their numbers. The caller is in a transaction (`StateStore.reading`).
package struct EventLog {
  package let rows: any StateRows

  package init(_ rows: any StateRows) {
    self.rows = rows
  }

  /// Calls `body` for each event with a number greater than `since`, until it answers false.
  ///
  /// - Parameters:
  ///   - since: nil for all that the log has.
  ///   - runs: only of these runs.
  /// - Throws: `.archived` where the log no longer has the event after `since`.
  package func forEach(
    since: Int64? = nil, runs: ClosedRange<UInt32> = 1...RowKey.last.a,
    _ body: (LoggedEvent, UserNames) throws(StateError) -> Bool
  ) throws(StateError) {
    try checkpoint(since: since)
    let since = since ?? 0
    var names = UserNames()
    try forEachBlock(runs) { (run, bytes) throws(StateError) in
      guard run.firstSeq + Int64(run.eventCount) > since + 1 else { return true }
      let block = try LogBlock(bytes)
      guard var events = BlockEvents(block, of: run) else { return true }
      let outcome: Outcome? = block.hasDetails ? try block.outcome(server: .none) { names.intern($0) } : nil
      // One copy a block, not one an event.
      let known = names
      for position in 0..<block.count {
        let detail = outcome.flatMap { $0.detail(of: $0.records[position]) }
        let goesOn = try events.forEach(at: position, detail) { (event) throws(StateError) in
          event.seq <= since ? true : try body(event, known)
        }
        if !goesOn { return false }
      }
      return true
    }
  }

  /// The same, with who receives each event: as of its moment, by folding the log from its beginning, or from where it
  /// was cut.
  package func forEachWithAudience(
    since: Int64? = nil, _ body: (LoggedEvent, Audience) throws(StateError) -> Bool
  ) throws(StateError) {
    var follower = EventFollower()
    try follower.forEachNew(in: self, since: since, body)
  }

  /// Where the log was cut, if it was.
  ///
  /// - Throws: `.archived` where it no longer has the event after `since`.
  @discardableResult
  package func checkpoint(since: Int64? = nil) throws(StateError) -> Checkpoint? {
    guard let checkpoint = try Checkpoint.read(rows) else { return nil }
    if let since, since < checkpoint.lastSeq { throw .archived(through: checkpoint.lastSeq) }
    return checkpoint
  }

  /// Calls `body` for each block of these runs that the log still has, in order, until it answers false.
  func forEachBlock(
    _ runs: ClosedRange<UInt32>, _ body: (Run, UnsafeRawBufferPointer) throws(StateError) -> Bool
  ) throws(StateError) {
    let first = max(runs.lowerBound, try Checkpoint.read(rows).map { $0.run + 1 } ?? 0)
    try rows.scan(.runs, from: RowKey(first), through: RowKey(runs.upperBound)) {
      (key, row) throws(StateError) in
      let run = try Run(row, number: key.a)
      var goesOn = true
      try rows.scan(.log, of: run.number) { (_, bytes) throws(StateError) in
        goesOn = try body(run, bytes)
        return goesOn
      }
      return goesOn
    }
  }
}

/// The events of one block, record by record.
struct BlockEvents {
  private let block: LogBlock
  /// At most two server events a record; held apart, since an array would be counted for each of a million.
  private let serverEventCount: Int
  private let firstServerEvent: EventName
  private let secondServerEvent: EventName
  private let deviceEvent: EventName?
  private var event: LoggedEvent

  /// Nil where records of the block's kind are no events.
  init?(_ block: LogBlock, of run: Run) {
    self.block = block
    let serverEvents = block.kind.serverEvents
    serverEventCount = serverEvents.count
    firstServerEvent = serverEvents.first ?? .onServerUpdated
    secondServerEvent = serverEvents.last ?? .onServerUpdated
    deviceEvent = block.kind.deviceEvent
    if serverEvents.isEmpty, deviceEvent == nil { return nil }
    event = LoggedEvent(
      seq: block.firstSeq, time: run.time, run: run.number, name: .onServerUpdated, kind: block.kind,
      serverID: block.serverID, handle: block.handle, actor: block.handle,
      isAdministrative: block.isAdministrative, user: block.handle, audience: 0)
  }

  /// Calls `body` for each event of the record at `position`, until it answers false. Positions come in order.
  mutating func forEach(
    at position: Int, _ detail: Detail?, _ body: (LoggedEvent) throws(StateError) -> Bool
  ) throws(StateError) -> Bool {
    event.actor = block.actor(position)
    event.user = block.user(position)
    if block.hasDetails { event.detail = detail }
    for index in 0..<serverEventCount {
      let name = index == 0 ? firstServerEvent : secondServerEvent
      event.name = name
      event.audience =
        switch name.audience {
        case .invitee, .inviter: 1
        default: block.audience(position)
        }
      if try !body(event) { return false }
      event.seq += 1
    }
    let devices = block.devices(position)
    guard let deviceEvent, devices > 0 else { return true }
    event.name = deviceEvent
    event.audience = Int(devices)
    if try !body(event) { return false }
    event.seq += 1
    return true
  }
}
