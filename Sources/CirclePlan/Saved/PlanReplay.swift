package import CircleModel
package import Diagnostics

/// Something that a saved plan was made on and that is no longer so.
package struct StaleValue: Equatable, Sendable {
  /// One sentence without a full stop.
  package var message: String
  /// The manifest line that asked for the operation, in the plan's own files.
  package var place: Place

  /// The same as a fault of that line, or of the plan where no line asked for it.
  ///
  /// - Parameters:
  ///   - plan: the plan's file as people know it.
  ///   - start: where that file begins, among the files of the place.
  ///   - help: what to do next.
  package func fault(of plan: String, at start: Place, help: String) -> Diagnostic {
    .error(
      PlanFileFault.stale.rawValue, "the plan '\(plan)' no longer fits the state: \(message)",
      at: place.isKnown ? place : start, help: help)
  }
}

/// A saved plan decided again, on what is now.
package struct PlanReplay: Sendable {
  /// With the plan's operations and no others; its places mean the saved plan's paths.
  package private(set) var plan: Plan
  /// Empty where the plan still fits.
  package private(set) var stale: [StaleValue] = []

  private let saved: SavedPlan
  private let actual: Snapshot
  private let first: ContiguousArray<Int32>
  /// By server of the saved plan: the one of the state, `.none` while there is none.
  private var servers: ContiguousArray<ServerIndex>
  private var isMissing: Set<ServerIndex> = []

  /// Decides the operations of a saved plan one after the other, and looks whether each finds what it was decided on.
  ///
  /// - Parameters:
  ///   - actual: loaded by `saved.scope` with the names of the plan first, so that users have the same indices in both.
  ///   - options: those of the plan, with the allowances that have been added to it.
  ///   - context: of an apply.
  package init(_ saved: SavedPlan, on actual: Snapshot, options: PlanOptions, context: RunContext) {
    self.saved = saved
    self.actual = actual
    first = saved.plan.firstChanges
    plan = Plan(stack: saved.plan.stack, context: context, result: actual)
    servers = ContiguousArray(repeating: .none, count: saved.plan.result.servers.count)
    matchServers()
    for position in saved.plan.outcome.records.indices { decide(position) }
    guard stale.isEmpty else { return }
    keepNotes()
    plan.guardSets(from: actual, options)
  }

  private mutating func matchServers() {
    // Of each server that changes, what asked for that first.
    var places: [ServerIndex: Place] = [:]
    for record in saved.plan.outcome.records where places[record.server]?.isKnown != true {
      places[record.server] = record.place
    }
    for (server, facts) in saved.facts.sorted(by: { $0.key.raw < $1.key.raw }) {
      let row = saved.plan.result[server]
      guard let found = actual.serverIDs[row.id], found != .none, !actual[found].isDestroyed else {
        isMissing.insert(server)
        continue
      }
      servers[server.position] = found
      let place = places[server]
      if let place, actual[found].stack != facts.stack {
        let stack = actual[found].stack.map { "the stack '\($0)'" } ?? "no stack"
        note("'\(row.handle)' belongs to \(stack) now", place)
      }
      guard let content = facts.content else { continue }
      if actual[found].memberCount != facts.members {
        note(
          "'\(row.handle)', which is to be destroyed, has \(counted(actual[found].memberCount, "member")) now",
          place ?? .none)
      } else if actual[found].contentDigest(by: actual.names) != content {
        note("'\(row.handle)', which is to be destroyed, has changed", place ?? .none)
      }
    }
  }

  private mutating func note(_ message: String, _ place: Place) {
    if stale.last?.message != message { stale.append(StaleValue(message: message, place: place)) }
  }

  private mutating func decide(_ position: Int) {
    let record = saved.plan.outcome.records[position]
    let detail = saved.plan.outcome.detail(of: record)
    var server = ServerIndex.none
    if record.server != .none, record.kind != .createServer {
      server = servers[record.server.position]
      guard server != .none else {
        // Of a server that could not be created the reason is known already.
        if isMissing.contains(record.server) {
          note("there is no server '\(saved.plan.result.handle(of: record.server))' any more", record.place)
        }
        return
      }
    }
    guard let planned = PlannedOperation(record, detail, on: server, kept: kept(record, server)) else { return }
    if record.kind == .inviteUser, plan.result[server].invitations.isInvited(record.user) {
      note("'\(plan.result.names[record.user])' has been invited to '\(plan.result.handle(of: server))'", record.place)
      return
    }
    if let message = staleTag(record, detail, server) { return note(message, record.place) }
    let before = plan.outcome.records.count
    do throws(CircleError) {
      try CircleModel.decide(
        planned.operation, by: .administrator, from: planned.origin, in: plan.result, context: &plan.context,
        into: &plan.outcome)
    } catch {
      let whose = error.server.map { "'\($0)': " } ?? ""
      note("\(whose)\(error.reason) (\(error.name.rawValue))", record.place)
      return
    }
    guard plan.outcome.records.count > before else {
      // Marks that are there already are no change that anyone has read.
      guard record.kind != .markServer, record.kind != .markUser else { return }
      note("\(subject(record, server)) is as the plan wants it already", record.place)
      return
    }
    carryOut(before, record, detail, position)
  }

  /// Of tags the first one that is there already, or gone.
  private func staleTag(_ record: Record, _ detail: Detail?, _ server: ServerIndex) -> String? {
    guard case .tags(let tags, _)? = detail, server != .none else { return nil }
    let (present, handle) = (plan.result[server].tags, plan.result.handle(of: server))
    switch record.kind {
    case .addTags:
      return tags.first { tag in present.contains { $0.name == tag.name } }
        .map { "'\(handle)' has the tag '\($0.name)' already" }
    case .removeTags:
      return tags.first { tag in !present.contains { $0.id == tag.id } }
        .map { "'\(handle)' no longer has the tag '\($0.name)'" }
    default: return nil
    }
  }

  private mutating func carryOut(_ decided: Int, _ record: Record, _ detail: Detail?, _ position: Int) {
    let new = plan.outcome.records[decided]
    let handle = new.server == .none || record.kind == .createServer ? "" : plan.result.handle(of: new.server)
    let basis = PlanBasis(names: plan.result.names, handle: handle)
    if let difference = basis.difference(record, detail, new, plan.outcome.detail(of: new)) {
      note(difference, record.place)
    }
    plan.result.apply(new, of: plan.outcome, in: plan.context)
    if record.kind == .createServer { servers[record.server.position] = new.server }
    let (saved, first) = (saved, first)
    plan.addChanges(of: decided) { saved.plan.isDrift($0, of: position, first) }
  }

  /// What an operation is about, for a sentence.
  private func subject(_ record: Record, _ server: ServerIndex) -> String {
    if server != .none { return "'\(plan.result.handle(of: server))'" }
    return record.user.position < plan.result.names.count ? "user '\(plan.result.names[record.user])'" : "something"
  }

  // MARK: Marks

  /// What has been noted of the server since the plan was made: the plan's marks leave that alone.
  private func kept(_ record: Record, _ server: ServerIndex) -> KeptMarks {
    guard record.kind == .markServer, let facts = saved.facts[record.server] else { return KeptMarks() }
    var kept = KeptMarks()
    kept.tags = actual[server].tags.filter { $0.isListed && !facts.tags.contains($0.name) }.map(\.name)
    let base = actual[server].base
    for override in base.overrides where !facts.overridden.contains(override.field) {
      kept.base.insert(FieldMask(override.field))
    }
    if base.lostTags.sorted() != facts.lostTags { kept.base.insert(.tags) }
    return kept
  }

  private mutating func keepNotes() {
    for note in saved.plan.notes {
      var kept = note
      switch note.kind {
      case .notPruned: continue
      case .looksRenamed(let from, let shared, let all):
        kept.kind = .looksRenamed(from: servers[from.position], shared: shared, of: all)
      case .adoption, .notInvitedAgain, .setting: break
      }
      kept.server = note.server.position < servers.count ? servers[note.server.position] : .none
      plan.notes.append(kept)
    }
    plan.counts.leftOut = saved.plan.counts.leftOut
    plan.counts.dependent = saved.plan.counts.dependent
  }
}

extension SavedPlan {
  /// What of a state it reads: the servers that it names, and of those the users that it names.
  package var scope: Scope {
    var named: [Text] = []
    for server in facts.keys.sorted(by: { $0.raw < $1.raw }) { named.append(plan.result[server].id) }
    var readsAll = false
    var looksAtHandles = false
    for record in plan.outcome.records {
      switch (record.kind, plan.outcome.detail(of: record)) {
      case (.destroyServer, _): readsAll = true
      case (.createServer, .created(let server)?):
        looksAtHandles = true
        named.append(server.handle)
      case (.renameHandle, .handle(_, let after)?): named.append(after)
      default: break
      }
    }
    // A few look-ups for each server and user, or else all members at once.
    let isSmall = facts.count * plan.result.names.count <= 4096
    return Scope(
      servers: named, everyServer: readsAll || looksAtHandles, members: readsAll || !isSmall ? .all : .named,
      userDetails: true)
  }
}
