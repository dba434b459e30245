import CircleModel
import CircleReport
import CircleState
import CommandTree

/// Which events a command line asks for, and whether with their audiences.
struct EventSelection {
  /// Only events with a greater number; nil for all that the log has.
  let since: Int64?
  private let filter: EventFilter
  private let recipient: Recipient?
  private let expands: Bool

  /// - Parameters:
  ///   - recipient: who has to hear them.
  ///   - store: knows the servers by name.
  ///   - log: has the events.
  init(_ run: CommandRun, recipient: Recipient?, in store: StateStore, log: StateStore) throws(Failure) {
    since = try run.count("since").map { Int64($0) }
    filter = try EventFilter(run, store, log)
    self.recipient = recipient
    expands = run.arguments.flag("expand-audience")
  }

  /// Whether the log has to be played, to know who heard an event.
  var needsAudience: Bool { expands || recipient != nil }

  /// Hands the event on where it is asked for.
  ///
  /// - Parameters:
  ///   - audience: nil where none is needed.
  ///   - rest: how many more events are wanted.
  /// - Returns: whether more are.
  func take(
    _ event: LoggedEvent, _ names: UserNames, _ audience: Audience?, _ rest: inout Int, _ run: CommandRun,
    _ receiver: EventsSection.Receiver
  ) throws(StateError) -> Bool {
    let signal = run.interruption.arrived()
    guard signal == 0 else { throw .interrupted(signal: signal) }
    guard filter.admits(event) else { return true }
    if let recipient, audience?.includes(recipient.user.string, device: recipient.device) == false { return true }
    rest -= 1
    return try receiver(event, names, expands ? audience?.users() : nil) && rest > 0
  }
}

extension CommandRun {
  /// `--recipient`.
  func recipient() throws(Failure) -> Recipient? {
    try arguments.value("recipient").map { (text) throws(Failure) in try Recipient(parsing: text) }
  }

  /// Refuses `--since` where the log no longer has what it asks for; without it says where the log begins.
  func checkBegin(of log: StateStore) throws(Failure) {
    let since = try count("since").map { Int64($0) }
    let checkpoint = try onState { () throws(StateError) in
      try log.reading { () throws(StateError) in try EventLog(log.rows).checkpoint(since: since) }
    }
    if let checkpoint, since == nil, checkpoint.lastSeq > 0 {
      note("the events up to \(checkpoint.lastSeq) have gone into an archive; the log begins after them")
    }
  }
}

/// Which events are wanted, as far as an event alone shows it.
private struct EventFilter {
  private let names: Set<EventName>
  /// The ids of the servers that are wanted, so that their events under earlier handles count too; nil wants all.
  private var serverIDs: Set<[UInt8]>?

  init(_ run: CommandRun, _ store: StateStore, _ log: StateStore) throws(Failure) {
    let words = run.arguments.values("name")
    names = Set(EventName.allCases.filter { name in words.contains { $0.utf8.elementsEqual("\(name.word)".utf8) } })
    guard let name = run.arguments.value("server") else {
      serverIDs = nil
      return
    }
    if let found = try run.findServer(name, in: store) {
      serverIDs = [Array(found.id.string.utf8)]
    } else {
      serverIDs = try Self.gone(Array(name.utf8), run, log)
      if serverIDs?.isEmpty == true { throw run.noServer(name, in: store) }
    }
  }

  /// The ids of servers that are in the state no more: those that had the name as their id or last handle, or, where
  /// there is none such, as an earlier handle.
  private static func gone(_ name: [UInt8], _ run: CommandRun, _ log: StateStore) throws(Failure) -> Set<[UInt8]> {
    var last: Set<[UInt8]> = []
    var ever: Set<[UInt8]> = []
    try run.onState { () throws(StateError) in
      try log.reading { () throws(StateError) in
        try EventLog(log.rows).forEach { (event, _) throws(StateError) in
          if event.handle.elementsEqual(name) || event.serverID.elementsEqual(name) {
            last.insert(Array(event.serverID))
            ever.insert(Array(event.serverID))
          } else if !last.isEmpty {
            last.remove(Array(event.serverID))
          }
          return true
        }
      }
    }
    return last.isEmpty ? ever : last
  }

  func admits(_ event: LoggedEvent) -> Bool {
    if !names.isEmpty, !names.contains(event.name) { return false }
    return isServer(of: event)
  }

  private func isServer(of event: LoggedEvent) -> Bool {
    guard let serverIDs else { return true }
    return serverIDs.contains { event.serverID.elementsEqual($0) }
  }
}
