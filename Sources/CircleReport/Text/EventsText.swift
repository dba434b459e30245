import CircleModel
import CircleState
import Diagnostics
import JSONText

/// Events as text: a line each where they were asked for, else how many of each name there are and how many hear them.
struct EventsText {
  let section: EventsSection
  let style: TextStyle
  /// Whether something stands before and after, from which the counts keep a blank line away.
  var neighbours = (before: false, after: false)

  /// So many users of a list are named.
  private static let longestList = 5

  func write(to sink: inout ByteSink) throws(RenderError) {
    switch section.purpose {
    case .listing: try writeLines(to: &sink)
    case .consequence: try writeCounts(to: &sink)
    }
  }

  private func writeLines(to sink: inout ByteSink) throws(RenderError) {
    var lines = AlignedLines([.right, .left, .left, .left, .left, .left], style: style)
    // Thousands of events in a row have the same time.
    var time = (value: Int64.min, text: "")
    try section.forEach { (event, names, users) throws(OutputError) in
      if event.time != time.value { time = (event.time, UTCTime.text(event.time)) }
      let audience = users.map { $0.map { terminalSafe($0) }.joined(separator: " ") }
      lines.append(
        [
          .init(String(event.seq), .faint), .init(time.text, .faint),
          .init(event.name.word.description), .init(event.handle.terminalText, .heading),
          .init(details(of: event, names)),
          .init(
            "→ \(counted(event.audience, event.name.isDeviceEvent ? "device" : "user"))\(audience.map { $0.isEmpty ? "" : ": \($0)" } ?? "")"
          ),
        ], to: &sink.buffer)
      try sink.drain()
    }
    lines.flush(to: &sink.buffer)
  }

  /// Who acted, and on whom.
  private func details(of event: LoggedEvent, _ names: UserNames) -> String {
    var words = event.actor.terminalText
    if event.isAdministrative { words += " (admin)" }
    switch event.name.subject {
    case .none:
      break
    case .user:
      if !event.user.isEmpty, !event.user.elementsEqual(event.actor) { words += ": \(event.user.terminalText)" }
      if event.name == .onServerRoleAssigned { words += event.kind == .addModerator ? " → moderator" : " → user" }
    case .removed:
      let removed = event.removedMembers
      var shown = removed.prefix(Self.longestList).map { terminalSafe(names[$0.member.user]) }
      if removed.count > shown.count { shown.append("\(removed.count - shown.count) more") }
      words += ": \(enumerated(shown))"
    case .attributes:
      guard case .updated(let changes, _, _) = event.detail else { break }
      words += ": \(enumerated(changes.map { $0.field.word }))"
    }
    return words
  }

  private func writeCounts(to sink: inout ByteSink) throws(RenderError) {
    var counts = [Int](repeating: 0, count: EventName.allCases.count)
    var receivers = counts
    try section.forEach { (event, _, _) throws(OutputError) in
      counts[Int(event.name.rawValue)] += 1
      receivers[Int(event.name.rawValue)] += event.audience
    }
    guard counts.contains(where: { $0 > 0 }) else { return }
    if neighbours.before { sink.buffer.append("\n") }
    sink.buffer.append(utf8: style.paint("Events", .heading) + "\n")
    var lines = AlignedLines([.left, .right, .left, .right, .left], indent: 2, style: style)
    for name in EventName.allCases where counts[Int(name.rawValue)] > 0 {
      let heard = receivers[Int(name.rawValue)]
      let noun = name.isDeviceEvent ? "device" : "user"
      lines.append(
        [
          .init(name.word.description), .init(String(counts[Int(name.rawValue)])), .init("to"), .init(String(heard)),
          .init(heard == 1 ? noun : noun + "s"),
        ], to: &sink.buffer)
    }
    lines.flush(to: &sink.buffer)
    if neighbours.after { sink.buffer.append("\n") }
  }
}

extension EventName {
  fileprivate enum Subject {
    case none, user, removed, attributes
  }

  /// What the event is about beside its server.
  fileprivate var subject: Subject {
    switch self {
    case .onServerDestroyed, .deviceCreate, .deviceDestroy, .deviceUpdate: .none
    case .onServerUpdated: .attributes
    case .onMemberRemovedFromServer, .deviceRemoveUser: .removed
    default: .user
    }
  }
}
