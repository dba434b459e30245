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
      a state that is not there yet is waited for. Where the beginning of the log has gone into an archive, the list begins \
      after it; --archive lists what is in archives instead.
      """,
    examples: [
      Example("circlectl events list --server swift-fans -o ndjson", "Lists a server's events, one record a line."),
      Example("circlectl events list --recipient alice/phone --limit 20", "What alice heard first on her phone."),
      Example("circlectl events list --since 120 --follow -o ndjson", "Each event after number 120, as it comes."),
      Example("circlectl events list --archive 2024.ndjson", "Lists the events that an archive holds."),
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
      .archive("List the events that this archive holds, not those of the log; several follow each other."),
      .flag("follow", "Go on with what is written from now on, by whomever, until interrupted."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    if run.arguments.flag("follow") { return try follow(run) }
    let limit = try run.count("limit") ?? Int.max
    let state = try run.openForReading()
    let recipient = try run.recipient()
    let archive = try run.archive()
    let store = archive?.store ?? state.store
    let selection = try EventSelection(run, recipient: recipient, in: state.store, log: store)
    if let archive, selection.needsAudience, !archive.isFromBeginning {
      throw Failure(
        .refused, "who received an event follows from all events before it, and the archives do not begin with run 1",
        next: ["Give the earlier archives too: --archive can be repeated."])
    }
    if let recipient, archive == nil || !state.isMissing {
      try run.requireKnown(recipient, in: state.store, log: store)
    }
    if archive == nil { try run.checkBegin(of: store) }
    let section = EventsSection(.listing) { (receiver: EventsSection.Receiver) throws(StateError) in
      var rest = limit
      guard rest > 0 else { return }
      try store.reading { () throws(StateError) in
        let log = EventLog(store.rows)
        if selection.needsAudience {
          try log.forEachWithAudience(since: selection.since) { (event, audience) throws(StateError) in
            try selection.take(event, audience.names, audience, &rest, run, receiver)
          }
        } else {
          try log.forEach(since: selection.since) { (event, names) throws(StateError) in
            try selection.take(event, names, nil, &rest, run, receiver)
          }
        }
      }
    }
    try run.deliver(Report(command: run.command, result: .done, sections: [.events(section)]))
    return .done
  }
}
