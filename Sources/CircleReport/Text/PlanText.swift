import CircleModel
import CirclePlan
import Diagnostics
import JSONText

/// A plan as text: who gains or loses a moderator's rights first, then what is removed, then all else, each by server;
/// what is unmanaged, the notes and the refusals apart; a summary last.
struct PlanText {
  let section: PlanSection
  let style: TextStyle

  private enum Part: Int, CaseIterable {
    case moderators, removals, others, unmanaged

    init(_ change: Change) {
      if change.kind == .unmanaged {
        self = .unmanaged
      } else if (change.roleBefore == .moderator) != (change.roleAfter == .moderator) {
        self = .moderators
      } else if change.action == .delete {
        self = .removals
      } else {
        self = .others
      }
    }

    var heading: String {
      switch self {
      case .moderators: "Moderators"
      case .removals: "Removals"
      case .others: "Changes"
      case .unmanaged: "Unmanaged"
      }
    }
  }

  /// Of a longer run of the same kind in one server so many are shown, unless all is asked for.
  private static let longestRun = 20
  private static let longestList = 100

  private var plan: Plan { section.plan }

  func write(to sink: inout ByteSink) throws(OutputError) {
    let groups = ChangeGroups(plan)
    if section.detail == .summary {
      writeTallies(groups, to: &sink.buffer)
    } else {
      let sorted = groups.sorted(plan.changes, parts: Part.allCases.count) { Part($0).rawValue }
      for part in Part.allCases where part != .unmanaged {
        try write(part, groups, sorted.order, sorted.starts, to: &sink)
      }
      let first = sorted.starts[Part.unmanaged.rawValue * groups.groups.count]
      try writeUnmanaged(sorted.order[first...], to: &sink)
    }
    try writeNotes(to: &sink)
    try writeRefusals(to: &sink)
    line(summary(groups), to: &sink.buffer)
  }

  // MARK: - Changes

  private func write(
    _ part: Part, _ groups: ChangeGroups, _ order: ContiguousArray<UInt32>, _ starts: [Int], to sink: inout ByteSink
  ) throws(OutputError) {
    let first = part.rawValue * groups.groups.count
    guard starts[first] < starts[first + groups.groups.count] else { return }
    heading(part.heading, to: &sink.buffer)
    for (position, group) in groups.groups.enumerated() {
      let slice = order[starts[first + position]..<starts[first + position + 1]]
      guard !slice.isEmpty else { continue }
      let title = group.handle.map { terminalSafe($0.string) } ?? "Users"
      line("  \(style.paint(title, .heading))", to: &sink.buffer)
      try write(slice, to: &sink)
    }
    line("", to: &sink.buffer)
  }

  /// Writes the changes of one server, of long runs only the beginning.
  private func write(_ slice: ArraySlice<UInt32>, to sink: inout ByteSink) throws(OutputError) {
    let writer = ChangeLine(section: section)
    var lines = AlignedLines([.left, .left, .left], indent: 4, style: style)
    var position = slice.startIndex
    while position < slice.endIndex {
      let change = plan.changes[Int(slice[position])]
      var end = position + 1
      while end < slice.endIndex, ChangeLine.areAlike(plan.changes[Int(slice[end])], change) { end += 1 }
      // One line more says "and 1 more" and takes as much room as the line itself.
      let isCut = section.detail != .full && end - position > Self.longestRun + 1
      for index in position..<(isCut ? position + Self.longestRun : end) {
        let change = plan.changes[Int(slice[index])]
        lines.append(writer.cells(change), to: &sink.buffer)
        for value in writer.initialValues(change) { lines.append([AlignedLines.Cell(value)], to: &sink.buffer) }
        try sink.drain()
      }
      if isCut {
        let more = end - position - Self.longestRun
        lines.append(
          [AlignedLines.Cell("   and \(more) more \(ChangeLine.plural(change.object))", .faint)], to: &sink.buffer)
      }
      position = end
    }
    lines.flush(to: &sink.buffer)
    try sink.drain()
  }

  private func writeTallies(_ groups: ChangeGroups, to buffer: inout ByteBuffer) {
    var lines = AlignedLines([.left, .right, .right, .right, .left], indent: 2, style: style)
    var isEmpty = true
    for group in groups.groups where !group.tally.isEmpty {
      let tally = group.tally
      var remarks: [String] = []
      if tally.drift > 0 { remarks.append("\(tally.drift) drift") }
      if tally.blocked > 0 { remarks.append("\(tally.blocked) blocked") }
      func cell(_ sign: String, _ count: Int, _ paint: Paint) -> AlignedLines.Cell {
        AlignedLines.Cell(count == 0 ? "" : "\(sign)\(count)", paint)
      }
      lines.append(
        [
          AlignedLines.Cell(group.handle.map { terminalSafe($0.string) } ?? "Users", .heading),
          cell("+", tally.create, .added), cell("~", tally.update, .changed), cell("-", tally.delete, .removed),
          AlignedLines.Cell(remarks.joined(separator: ", "), tally.blocked > 0 ? .blocked : .drift),
        ], to: &buffer)
      isEmpty = false
    }
    lines.flush(to: &buffer)
    if !isEmpty { line("", to: &buffer) }
  }

  // MARK: - Beside the changes

  private func writeUnmanaged(_ servers: ArraySlice<UInt32>, to sink: inout ByteSink) throws(OutputError) {
    let counts = plan.counts
    guard !servers.isEmpty || counts.unmanagedUsers + counts.unmanagedMembers > 0 else { return }
    heading(Part.unmanaged.heading, to: &sink.buffer)
    var isKept = Set<ServerIndex>()
    for note in plan.notes where note.kind == .notPruned { isKept.insert(note.server) }
    let writer = ChangeLine(section: section)
    var lines = AlignedLines([.left, .left], indent: 2, style: style)
    let shown = section.detail == .full ? servers : servers.prefix(Self.longestList)
    for index in shown {
      let change = plan.changes[Int(index)]
      let cell = writer.cells(change)[0]
      let isOurs = isKept.contains(change.server)
      let remark = isOurs ? "no manifest names it any more; not pruned (--prune destroys it)" : "of no stack"
      lines.append([cell, AlignedLines.Cell(remark, .faint)], to: &sink.buffer)
      try sink.drain()
    }
    lines.flush(to: &sink.buffer)
    let more = servers.count - shown.count
    if more > 0 { line("    and \(more) more servers", to: &sink.buffer) }
    if counts.unmanagedUsers > 0 {
      line("   ? \(counted(counts.unmanagedUsers, "user")) whom no manifest names", to: &sink.buffer)
    }
    if counts.unmanagedMembers > 0 {
      line("   ? \(counted(counts.unmanagedMembers, "member")) whom no list names", to: &sink.buffer)
      if section.detail == .full { try writeUnmanagedMembers(to: &sink) }
    }
    line("", to: &sink.buffer)
  }

  private func writeUnmanagedMembers(to sink: inout ByteSink) throws(OutputError) {
    for group in plan.unmanagedMembers where group.server.position < plan.result.servers.count {
      let names = group.users.map { plan.result.names[$0] }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let shown = names.map { terminalSafe($0) }.joined(separator: ", ")
      line("       \(terminalSafe(plan.result.handle(of: group.server).string)): \(shown)", to: &sink.buffer)
      try sink.drain()
    }
  }

  private func writeNotes(to sink: inout ByteSink) throws(OutputError) {
    let notes = plan.notes.filter(isShown)
    guard !notes.isEmpty else { return }
    heading("Notes", to: &sink.buffer)
    let writer = ChangeLine(section: section)
    var lines = AlignedLines([.left, .left], indent: 2, style: style)
    let shown = section.detail == .full ? notes[...] : notes.prefix(Self.longestList)
    for note in shown {
      lines.append(
        [AlignedLines.Cell(sentence(note)), AlignedLines.Cell(writer.position(of: note.place), .faint)],
        to: &sink.buffer)
      try sink.drain()
    }
    lines.flush(to: &sink.buffer)
    if notes.count > shown.count { line("  and \(notes.count - shown.count) more", to: &sink.buffer) }
    line("", to: &sink.buffer)
  }

  /// Settings are told where all is asked for, and where there is nothing else to tell.
  private func isShown(_ note: PlanNote) -> Bool {
    switch note.kind {
    case .notPruned: false
    case .setting: section.detail == .full || plan.isBookkeepingOnly
    case .adoption, .notInvitedAgain, .looksRenamed: true
    }
  }

  func sentence(_ note: PlanNote) -> String {
    let server =
      note.server.position < plan.result.servers.count
      ? terminalSafe(plan.result.handle(of: note.server).string) : "(no server)"
    let user = note.user.position < plan.result.names.count ? terminalSafe(plan.result.names[note.user]) : "(nobody)"
    return switch note.kind {
    case .adoption: "\(server) comes under stack '\(terminalSafe(plan.stack.string))'"
    case .notPruned: "\(server) is not pruned"
    case .notInvitedAgain(.declined): "\(user) declined an invitation to \(server) and is not invited again"
    case .notInvitedAgain(.leftAfterAccepting):
      "\(user) left \(server) after accepting an invitation and is not invited again"
    case .setting(let setting, let before, let after):
      "\(server): \(setting.word) \(quoted(before, to: nil)) → \(quoted(after, to: nil))"
    case .looksRenamed(let from, let shared, let all): lookalike(server, from, shared, all)
    }
  }

  private func lookalike(_ server: String, _ from: ServerIndex, _ shared: Int, _ all: Int) -> String {
    let old = from.position < plan.result.servers.count ? terminalSafe(plan.result.handle(of: from).string) : "?"
    let members = all == 0 ? "" : ", \(shared) of \(counted(all, "member"))"
    return "\(old) is destroyed and \(server) created, and they look like one server (same owner\(members)): "
      + "'renamedFrom: \(old)' in '\(server)' would keep its id, events and members"
  }

  private func writeRefusals(to sink: inout ByteSink) throws(OutputError) {
    guard !plan.refusals.isEmpty else { return }
    heading("Refused", to: &sink.buffer)
    let writer = ChangeLine(section: section)
    let shown = section.detail == .full ? plan.refusals[...] : plan.refusals.prefix(Self.longestList)
    for refusal in shown {
      let handle = refusal.handle.map { terminalSafe($0.string) + ": " } ?? ""
      let number = refusal.cause.number.map { " \($0)" } ?? ""
      var text = "  ! \(handle)\(terminalSafe(refusal.message)) [\(refusal.cause.word)\(number)]"
      if refusal.changes > 1 { text += ", blocks \(counted(refusal.changes, "change"))" }
      text = style.paint(text, .blocked)
      let position = writer.position(of: refusal.place)
      if !position.isEmpty { text += "  \(style.paint(position, .faint))" }
      line(text, to: &sink.buffer)
      for way in refusal.wayOut { line("      \(terminalSafe(way))", to: &sink.buffer) }
      try sink.drain()
    }
    let more = plan.refusals.count - shown.count
    if more > 0 { line("  and \(more) more", to: &sink.buffer) }
    line("", to: &sink.buffer)
  }

  // MARK: - The last line

  /// The plan in one sentence.
  func summary(_ groups: ChangeGroups) -> String {
    var total = PlanTally()
    for group in groups.groups { total.add(group.tally) }
    var clauses: [String] = []
    let words = section.isApplied ? ("created", "changed", "removed") : ("to create", "to change", "to remove")
    var actions: [String] = []
    if total.create > 0 { actions.append("\(total.create) \(words.0)") }
    if total.update > 0 { actions.append("\(total.update) \(words.1)") }
    if total.delete > 0 { actions.append("\(total.delete) \(words.2)") }
    if !actions.isEmpty { clauses.append(actions.joined(separator: ", ")) }
    if total.drift > 0 { clauses.append("\(total.drift) of them drift") }
    if total.blocked > 0 { clauses.append("\(total.blocked) blocked") }
    if plan.isBlocked, total.blocked == 0 { clauses.append(counted(plan.refusals.count, "refusal")) }
    let unmanaged = [leftOutClause, unmanagedClause].compactMap { $0 }.joined(separator: "; ").nonEmpty
    if clauses.isEmpty {
      let recorded = "settings, adoptions and what the manifests list"
      let bookkeeping =
        !plan.isBookkeepingOnly
        ? "" : section.isApplied ? "; only \(recorded) were recorded" : "; an apply would only record \(recorded)"
      return "Nothing changes\(bookkeeping)\(unmanaged.map { "; \($0)" } ?? "")."
    }
    if let unmanaged { clauses.append(unmanaged) }
    return "\(section.isApplied ? "Applied" : "Plan"): \(clauses.joined(separator: "; "))."
  }

  private var leftOutClause: String? {
    let counts = plan.counts
    guard counts.leftOut > 0 else { return nil }
    let dependent = counts.dependent == 0 ? "" : ", \(counts.dependent) of them since they depend on others"
    return "\(counted(counts.leftOut, "change")) left out\(dependent)"
  }

  private var unmanagedClause: String? {
    let counts = plan.counts
    var parts: [String] = []
    if counts.unmanaged > 0 { parts.append(counted(counts.unmanaged, "server")) }
    if counts.unmanagedUsers > 0 { parts.append(counted(counts.unmanagedUsers, "user")) }
    if counts.unmanagedMembers > 0 { parts.append(counted(counts.unmanagedMembers, "member")) }
    return parts.isEmpty ? nil : "\(enumerated(parts)) unmanaged"
  }

  private func heading(_ text: String, to buffer: inout ByteBuffer) {
    line(style.paint(text, .heading), to: &buffer)
  }

  private func line(_ text: String, to buffer: inout ByteBuffer) {
    buffer.append(utf8: text)
    buffer.append(UInt8(ascii: "\n"))
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension PlanTally {
  fileprivate mutating func add(_ other: PlanTally) {
    create += other.create
    update += other.update
    delete += other.delete
    drift += other.drift
    blocked += other.blocked
  }
}
