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
  /// What the event carries beside: attributes, invitation, the members removed; user ids through `names`.
  package var detail: Detail?
}

/// Reads the events of a state in the order of their numbers.
package struct EventLog {
  private let rows: any StateRows

  package init(_ rows: any StateRows) {
    self.rows = rows
  }

  /// Calls `body` for each event with a number greater than `since`, until it answers false.
  ///
  /// - Parameter runs: only of these runs.
  package func forEach(
    since: Int64 = 0, runs: ClosedRange<UInt32> = 1...RowKey.last.a,
    _ body: (LoggedEvent, UserNames) throws(StateError) -> Bool
  ) throws(StateError) {
    var names = UserNames()
    try rows.scan(.runs, from: RowKey(runs.lowerBound), through: RowKey(runs.upperBound)) {
      (_, row) throws(StateError) in
      let run = try Run(row)
      guard run.firstSeq + Int64(run.eventCount) > since + 1 else { return true }
      var goesOn = true
      try rows.scan(.log, of: run.number) { (_, bytes) throws(StateError) in
        goesOn = try Self.events(of: bytes, in: run, since: since, &names, body)
        return goesOn
      }
      return goesOn
    }
  }

  private static func events(
    of bytes: UnsafeRawBufferPointer, in run: Run, since: Int64, _ names: inout UserNames,
    _ body: (LoggedEvent, UserNames) throws(StateError) -> Bool
  ) throws(StateError) -> Bool {
    let block = try LogBlock(bytes)
    let serverEvents = block.kind.serverEvents
    let deviceEvent = block.kind.deviceEvent
    if serverEvents.isEmpty, deviceEvent == nil { return true }
    let outcome = block.hasDetails ? try block.outcome(server: .none) { names.intern($0) } : nil
    var event = LoggedEvent(
      seq: block.firstSeq, time: run.time, run: run.number, name: .onServerUpdated, kind: block.kind,
      serverID: block.serverID, handle: block.handle, actor: block.handle,
      isAdministrative: block.isAdministrative, user: block.handle, audience: 0)
    for position in 0..<block.count {
      event.actor = block.actor(position)
      event.user = block.user(position)
      event.detail = outcome.flatMap { $0.detail(of: $0.records[position]) }
      for name in serverEvents {
        event.name = name
        event.audience =
          switch name.audience {
          case .invitee, .inviter: 1
          default: block.audience(position)
          }
        if event.seq > since, try !body(event, names) { return false }
        event.seq += 1
      }
      let devices = block.devices(position)
      guard let deviceEvent, devices > 0 else { continue }
      event.name = deviceEvent
      event.audience = Int(devices)
      if event.seq > since, try !body(event, names) { return false }
      event.seq += 1
    }
    return true
  }
}
