import CircleModel
import Diagnostics

/// How deep a plan cuts into one set.
struct GuardedSet {
  var kind: GuardKind
  /// The handle after the plan; nil for the stack's servers.
  var handle: Text?
  /// Without the owner.
  var base: Int
  /// Of moderators: those lost minus those gained.
  var removals: Int
  /// After the plan, without the owner; invitations don't count.
  var remaining: Int

  /// What the guard says against it, or nil.
  func breach(_ options: PlanOptions) -> GuardBreach? {
    guard removals > 0 else { return nil }
    let isAllowed = options.allow.contains {
      $0.kind == kind && $0.handle == handle && removals <= $0.ceiling
    }
    if isAllowed { return nil }
    var reason: GuardBreach.Reason?
    if base >= 10, options.maxRemovals.isExceeded(by: removals, of: base) { reason = .moreThan(options.maxRemovals) }
    if remaining <= 0 { reason = .leavesEmpty }
    return reason.map { GuardBreach(kind: kind, handle: handle, removals: removals, base: base, reason: $0) }
  }
}

extension GuardBreach {
  /// One sentence for a person.
  var message: String {
    let place = handle.map { "of '\($0)'" } ?? "of the stack"
    let what: String
    if removals < base {
      what = "\(removals) of the \(counted(base, kind.word)) \(place)"
    } else {
      what = removals == 1 ? "the only \(kind.word) \(place)" : "all \(counted(removals, kind.word)) \(place)"
    }
    switch reason {
    case .leavesEmpty: return "removing \(what) would leave none"
    case .moreThan(let limit):
      return "removing \(what) is more than the \(limit.text) that --max-removals allows"
    }
  }
}

/// What the records of a plan take out of one server.
private struct SetCuts {
  var removals = 0
  var moderatorsLost = 0
  var moderatorsGained = 0
  var place = Place.none
}

extension Plan {
  /// Refuses the plan where it cuts too deep into a server's members, its moderators or the stack's servers.
  ///
  /// - Parameter actual: the state before it.
  mutating func guardSets(from actual: Snapshot, _ options: PlanOptions) {
    var cuts: [ServerIndex: SetCuts] = [:]
    var destroyed = 0
    for record in outcome.records {
      switch record.kind {
      case .removeUsers:
        guard case .removed(let members)? = outcome.detail(of: record) else { continue }
        cuts[record.server, default: SetCuts()].removals += members.count
        cuts[record.server]?.moderatorsLost += members.count { $0.member.role == .moderator }
        cuts[record.server]?.place = members.first?.place ?? record.place
      case .removeModerator:
        cuts[record.server, default: SetCuts()].moderatorsLost += 1
        if cuts[record.server]?.place.isKnown == false { cuts[record.server]?.place = record.place }
      case .addModerator: cuts[record.server]?.moderatorsGained += 1
      // Of another stack, or of none, an undo alone may destroy one.
      case .destroyServer where actual[record.server].stack == stack: destroyed += 1
      default: break
      }
    }
    var breaches: [(refusal: Int32, kind: GuardKind, server: ServerIndex)] = []
    let servers = cuts.keys.filter { $0.position < actual.servers.count }
    for server in servers.sorted(by: { result.handle(of: $0) < result.handle(of: $1) }) {
      guard let cut = cuts[server] else { continue }
      for set in guardedSets(cut, server, from: actual) {
        guard let breach = set.breach(options) else { continue }
        breaches.append((refuse(breach, server, at: cut.place), set.kind, server))
      }
    }
    if destroyed > 0, let breach = stackServers(destroyed, from: actual).breach(options) {
      breaches.append((refuse(breach, .none, at: .none), .server, .none))
    }
    if !breaches.isEmpty { block(breaches) }
  }

  private func guardedSets(_ cut: SetCuts, _ server: ServerIndex, from actual: Snapshot) -> [GuardedSet] {
    let before = actual[server]
    let after = result[server]
    return [
      GuardedSet(
        kind: .member, handle: after.handle, base: before.memberCount - 1, removals: cut.removals,
        remaining: after.memberCount - 1),
      GuardedSet(
        kind: .moderator, handle: after.handle, base: before.moderatorCount,
        removals: cut.moderatorsLost - cut.moderatorsGained, remaining: after.moderatorCount),
    ]
  }

  private func stackServers(_ destroyed: Int, from actual: Snapshot) -> GuardedSet {
    GuardedSet(
      kind: .server, handle: nil, base: actual.servers.count { !$0.isDestroyed && $0.stack == stack },
      removals: destroyed, remaining: result.servers.count { !$0.isDestroyed && $0.stack == stack })
  }

  private mutating func refuse(_ breach: GuardBreach, _ server: ServerIndex, at place: Place) -> Int32 {
    refuse(
      PlanRefusal(
        .guard(breach), handle: breach.handle, server: server, at: place, breach.message,
        wayOut: ["if that is meant: --allow '\(breach.allowance.text)' --reason '…'"]))
  }

  mutating func refuse(_ refusal: PlanRefusal) -> Int32 {
    refusals.append(refusal)
    return Int32(truncatingIfNeeded: refusals.count - 1)
  }

  /// The change is refused; the caller counts it.
  mutating func block(_ change: inout Change, by refusal: Int32) {
    change.kind = .blocked
    change.refusal = refusal
    refusals[Int(refusal)].changes += 1
  }

  /// Marks the removals that a guard refuses.
  private mutating func block(_ breaches: [(refusal: Int32, kind: GuardKind, server: ServerIndex)]) {
    var members: [ServerIndex: Int32] = [:]
    var moderators: [ServerIndex: Int32] = [:]
    var servers: Int32?
    for breach in breaches {
      switch breach.kind {
      case .member: members[breach.server] = breach.refusal
      case .moderator: moderators[breach.server] = breach.refusal
      case .server: servers = breach.refusal
      }
    }
    for position in changes.indices where changes[position].kind != .blocked {
      var change = changes[position]
      var refusal: Int32?
      switch (change.object, change.action) {
      case (.membership, .delete):
        refusal = members[change.server] ?? (change.roleBefore == .moderator ? moderators[change.server] : nil)
      case (.role, .update) where change.roleBefore == .moderator: refusal = moderators[change.server]
      case (.server, .delete): refusal = servers
      default: break
      }
      guard let refusal else { continue }
      counts[change.kind] -= 1
      counts.blocked += 1
      block(&change, by: refusal)
      changes[position] = change
    }
  }
}
