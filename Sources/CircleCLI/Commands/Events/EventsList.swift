import CircleModel
import CircleReport
import CircleState
import CommandTree

/// `circlectl events list`: what has happened, in the order of the events' numbers.
enum EventsList {
  static let spec = CommandSpec<Action>(
    "list", "List events.",
    discussion: """
      An event's audience is told as a rule and a count; --expand-audience lists the users as of that moment, which \
      means to play the log from its beginning, as --recipient does. --follow lists what is there and then goes on: \
      a state that is not there yet is waited for.
      """,
    examples: [
      Example("circlectl events list --server swift-fans -o ndjson", "Lists a server's events, one record a line."),
      Example("circlectl events list --recipient alice/phone --limit 20", "What alice heard first on her phone."),
      Example("circlectl events list --since 120 --follow -o ndjson", "Each event after number 120, as it comes."),
    ],
    options: [
      .value("since", "SEQ", "Only events with a greater number."),
      .value(
        "server", "SERVER", completion: .kind("server"),
        "Only events of this server, by handle, id or the beginning of its name."),
      .value(
        "name", "EVENT", repeatable: true, choices: EventName.allCases.map { Choice("\($0.word)") },
        "Only events of this name."),
      .value("recipient", "USER[/DEVICE]", completion: .kind("user"), "Only events that this user, or device, hears."),
      .flag("expand-audience", "List the users who hear each event."),
      .value("limit", "N", "At most N events."),
      .flag("follow", "Go on with what is written from now on, by whomever, until interrupted."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    if run.arguments.flag("follow") { return try follow(run) }
    let since = Int64(try run.count("since") ?? 0)
    let limit = try run.count("limit")
    let state = try run.openForReading()
    let filter = try EventFilter(run, state.store)
    let recipient = try run.arguments.value("recipient").map { (text) throws(Failure) in try Recipient(parsing: text) }
    if let recipient { try run.requireKnown(recipient, in: state.store) }
    let expands = run.arguments.flag("expand-audience")
    let store = state.store
    let section = EventsSection(.listing) { (receiver: EventsSection.Receiver) throws(StateError) in
      var rest = limit ?? Int.max
      guard rest > 0 else { return }
      func take(_ event: LoggedEvent, _ names: UserNames, _ audience: Audience?) throws(StateError) -> Bool {
        let signal = run.interruption.arrived()
        guard signal == 0 else { throw .interrupted(signal: signal) }
        guard filter.admits(event) else { return true }
        if let recipient, audience?.includes(recipient.user.string, device: recipient.device) == false { return true }
        rest -= 1
        return try receiver(event, names, expands ? audience?.users() : nil) && rest > 0
      }
      try store.reading { () throws(StateError) in
        let log = EventLog(store.rows)
        if expands || recipient != nil {
          try log.forEachWithAudience(since: since) { (event, audience) throws(StateError) in
            try take(event, audience.names, audience)
          }
        } else {
          try log.forEach(since: since) { (event, names) throws(StateError) in try take(event, names, nil) }
        }
      }
    }
    try run.deliver(Report(command: run.command, result: .done, sections: [.events(section)]))
    return .done
  }
}

/// Which events are wanted, as far as an event alone shows it.
struct EventFilter {
  private let names: Set<EventName>
  /// The ids of the servers that are wanted, so that their events under earlier handles count too; nil wants all.
  private var serverIDs: Set<[UInt8]>?

  init(_ run: CommandRun, _ store: StateStore) throws(Failure) {
    let words = run.arguments.values("name")
    names = Set(EventName.allCases.filter { name in words.contains { $0.utf8.elementsEqual("\(name.word)".utf8) } })
    guard let name = run.arguments.value("server") else {
      serverIDs = nil
      return
    }
    if let found = try run.findServer(name, in: store) {
      serverIDs = [Array(found.id.string.utf8)]
    } else {
      serverIDs = try Self.gone(Array(name.utf8), run, store)
      if serverIDs?.isEmpty == true { throw run.noServer(name, in: store) }
    }
  }

  /// The ids of servers that are in the state no more: those that had the name as their id or last handle, or, where
  /// there is none such, as an earlier handle.
  private static func gone(_ name: [UInt8], _ run: CommandRun, _ store: StateStore) throws(Failure) -> Set<[UInt8]> {
    var last: Set<[UInt8]> = []
    var ever: Set<[UInt8]> = []
    try run.onState { () throws(StateError) in
      try store.reading { () throws(StateError) in
        try EventLog(store.rows).forEach { (event, _) throws(StateError) in
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
