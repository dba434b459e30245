import CircleModel
import Diagnostics

/// The steps of a run that concern servers themselves.
extension Planner {
  /// Destroys the servers of this stack that no manifest names.
  mutating func destroy(_ unclaimed: [ServerIndex]) {
    for server in unclaimed.ofStack(options.stack, in: actual) {
      let handle = actual[server].handle
      guard takesDestroying(server) else { continue }
      let verdict = perform(.destroyServer(server), Origin(.prune), for: handle, on: server)
      add(
        Change(.delete, .server, .pending, server: server, rule: .prune, at: .none), verdict,
        text: ChangeText(before: handle))
    }
  }

  mutating func removeTags(_ position: Int) {
    let steps = diffs[position].removedTags
    guard let server = diffs[position].server, let first = steps.first else { return }
    guard takes(.delete, .tag, of: position, steps.count) else { return }
    let verdict = perform(
      .removeTags(server, steps.compactMap(\.id)), Origin(.tagsComplete, at: first.place), for: diffs[position].handle,
      on: server)
    for step in steps {
      add(
        Change(.delete, .tag, step.kind, server: server, rule: .tagsComplete, at: step.place), verdict,
        text: ChangeText(before: step.name))
    }
  }

  mutating func renameAndAdopt() {
    let renames = diffs.indices.compactMap { position in
      let diff = diffs[position]
      return diff.handleBefore == diff.handle
        ? nil : RenameOrder.Rename(from: diff.handleBefore, to: diff.handle, position: position)
    }
    let order = RenameOrder(renames)
    for cycle in order.cycles where takesAll(cycle.positions) { refuseCycle(cycle.handles, cycle.positions) }
    for position in order.positions { rename(position) }
    for position in diffs.indices { adopt(position) }
  }

  private mutating func rename(_ position: Int) {
    let diff = diffs[position]
    guard let server = diff.server else { return }
    guard takes(.update, .server, of: position, dependsOnLeftOut: heldHandles.contains(diff.handle)) else {
      heldHandles.insert(diff.handleBefore)
      return
    }
    let verdict = perform(
      .renameHandle(server, diff.handle), Origin(diff.match.rule, at: diff.match.place), for: diff.handle, on: server)
    addRename(diff, server, verdict)
  }

  private mutating func addRename(_ diff: ServerDiff, _ server: ServerIndex, _ verdict: Verdict) {
    add(
      Change(.update, .handle, .pending, server: server, rule: diff.match.rule, at: diff.match.place), verdict,
      text: ChangeText(before: diff.handleBefore, after: diff.handle))
  }

  private mutating func refuseCycle(_ handles: [Text], _ positions: [Int]) {
    guard let first = handles.first, let position = positions.first else { return }
    let circle = (handles + [first]).map { "'\($0)'" }.joined(separator: " → ")
    let refusal = refuse(
      PlanRefusal(
        .renameCycle(handles), handle: diffs[position].handle, server: diffs[position].server ?? .none,
        at: diffs[position].match.place, "servers can't change handles in a circle: \(circle)",
        wayOut: ["give '\(first)' a free handle first, with 'renamedFrom' and in an apply of its own"]))
    for position in positions {
      addRename(diffs[position], diffs[position].server ?? .none, .blocked(refusal))
    }
  }

  private mutating func adopt(_ position: Int) {
    let diff = diffs[position]
    guard diff.match.isAdopted, let server = diff.server, touches(position) else { return }
    _ = perform(
      .adoptServer(server, stack: options.stack), Origin(.adoption, at: diff.match.place), for: diff.handle, on: server)
    plan.notes.append(PlanNote(kind: .adoption, server: server, user: .none, place: diff.match.place))
  }

  mutating func create(_ position: Int) {
    let entry = diffs[position].entry
    guard let owner = entry.owner else { return }
    let isHeld = unregistered.contains(owner.value) || heldHandles.contains(entry.handle)
    guard takes(.create, .server, of: position, dependsOnLeftOut: isHeld) else {
      diffs[position].isLeftOut = true
      return
    }
    var attributes = ServerAttributes()
    for attribute in entry.attributes {
      attributes[attribute.field] = TextRule.stored(attribute.value, as: attribute.field)
    }
    let new = NewServer(handle: entry.handle, attributes: attributes, owner: owner.value, stack: options.stack)
    let verdict = perform(
      .createServer(new), Origin(.manifest, at: entry.place), for: entry.handle, on: .none)
    var change = Change(.create, .server, .pending, user: owner.value, at: entry.place)
    switch verdict {
    case .done(let record):
      let server = plan.outcome.records[Int(record)].server
      diffs[position].server = server
      change.server = server
    case .blocked(let refusal):
      diffs[position].blockedCreate = refusal
    case .nothing: break
    }
    add(change, verdict, text: ChangeText(after: entry.handle))
  }

  mutating func updateAttributes(_ position: Int) {
    refuseOwnerChange(position)
    let steps = diffs[position].attributes
    guard let server = diffs[position].server, let first = steps.first else { return }
    guard takes(.update, .server, of: position, steps.count) else { return }
    let verdict = perform(
      .updateServer(server, steps.map(\.setting)), Origin(.manifest, at: first.setting.place),
      for: diffs[position].handle, on: server)
    for step in steps {
      var change = Change(.update, .attribute, step.kind, server: server, at: step.setting.place)
      change.field = step.setting.field.rawValue
      add(change, verdict, text: ChangeText(before: step.before, after: step.setting.value))
    }
  }

  private mutating func refuseOwnerChange(_ position: Int) {
    let diff = diffs[position]
    guard let server = diff.match.actual, let owner = diff.entry.owner, owner.value != actual[server].owner else {
      return
    }
    guard takes(.update, .server, of: position) else { return }
    let row = actual[server]
    let names = (before: actual.names[row.owner], after: actual.names[owner.value])
    let others = max(row.memberCount - 1, 0)
    let refusal = refuse(
      PlanRefusal(
        .ownerChange(before: row.owner, after: owner.value), handle: diff.handle, server: server, at: owner.place,
        "the owner of an existing server can't change from '\(names.before)' to '\(names.after)'",
        wayOut: [
          "keep 'owner: \(names.before)', or destroy the server and create it anew: apply once with --prune and "
            + "without '\(row.handle)', then with it",
          "that loses its id \(row.id), when its \(counted(others, "other member")) joined, and "
            + counted(row.invitations.count, "pending invitation"),
        ]))
    add(
      Change(.update, .owner, .pending, server: server, user: owner.value, at: owner.place), .blocked(refusal),
      text: ChangeText(before: Text(names.before), after: Text(names.after)))
  }

  mutating func addTags(_ position: Int) {
    let diff = diffs[position]
    guard let first = diff.addedTags.first else { return }
    guard takes(.create, .tag, of: position, diff.addedTags.count, dependsOnLeftOut: diff.isLeftOut) else { return }
    var verdict = Verdict.blocked(diff.blockedCreate)
    if let server = diff.server {
      verdict = perform(
        .addTags(server, diff.addedTags.map { Given($0.name, at: $0.place) }), Origin(.manifest, at: first.place),
        for: diff.handle, on: server)
    }
    for step in diff.addedTags {
      add(
        Change(.create, .tag, step.kind, server: diff.server ?? .none, at: step.place), verdict,
        text: ChangeText(after: step.name))
    }
  }

  /// Settings and marks, when all else of the run is done: the bookkeeping that makes a second apply empty.
  mutating func settle(_ position: Int) {
    // Of what is left out in part nothing is noted as applied, or the next apply would take it for done.
    guard let server = diffs[position].server, !diffs[position].hasLeftOut, settles(position) else { return }
    let entry = diffs[position].entry
    let handle = entry.handle
    let origin = Origin(.manifest, at: entry.place)
    let before = plan.result[server].settings
    if let news = entry.settings(unlike: before) {
      let verdict = perform(
        .setServerSettings(server, news.settings, clearsWelcome: news.clearsWelcome), origin, for: handle, on: server)
      if case .done = verdict { noteSettings(of: server, entry, before: before) }
    }
    let listingsDiffer = diffs[position].membership.listingsDiffer
    if let marks = entry.marks(for: plan.result[server], listingsDiffer: listingsDiffer) {
      _ = perform(.markServer(server, marks), origin, for: handle, on: server)
    }
  }
}

extension Planner {
  private mutating func noteSettings(of server: ServerIndex, _ entry: DesiredServer, before: ServerSettings) {
    let after = plan.result[server].settings
    for setting in ServerSetting.allCases where before[setting] != after[setting] {
      plan.notes.append(
        PlanNote(
          kind: .setting(setting, before: before[setting], after: after[setting]), server: server, user: .none,
          place: entry.place(of: setting) ?? entry.place))
    }
  }
}

extension DesiredServer {
  fileprivate func place(of setting: ServerSetting) -> Place? {
    switch setting {
    case .membership: membership?.place
    case .join: join?.place
    case .welcome: welcome?.place
    case .protect: protect?.place
    }
  }
}

extension [ServerIndex] {
  /// Those of the stack, by handle; nil for those of none.
  func ofStack(_ stack: Text?, in snapshot: Snapshot) -> [ServerIndex] {
    filter { snapshot[$0].stack == stack }.sorted { snapshot[$0].handle < snapshot[$1].handle }
  }
}

/// The number with its noun.
func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
