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

extension Planner {
  /// Refuses a plan that cuts too deep into a server's members, its moderators or the stack's servers.
  mutating func guardSets(unclaimed: [ServerIndex]) {
    var breaches: [(refusal: Int32, kind: GuardKind, server: ServerIndex)] = []
    for diff in diffs where diff.membership.hasRemovals {
      guard let server = diff.server else { continue }
      for set in guardedSets(diff, server) {
        guard let breach = set.breach(options) else { continue }
        let place = (diff.membership.removals.first ?? diff.membership.demotions.first)?.place ?? diff.entry.place
        breaches.append((refuse(breach, server, at: place), set.kind, server))
      }
    }
    if options.prune, let breach = stackServers(unclaimed).breach(options) {
      breaches.append((refuse(breach, .none, at: .none), .server, .none))
    }
    if !breaches.isEmpty { block(breaches) }
  }

  private func guardedSets(_ diff: ServerDiff, _ server: ServerIndex) -> [GuardedSet] {
    let before = actual[server]
    let after = plan.result[server]
    let steps = diff.membership
    let lost = steps.removals.count { $0.role == .moderator } + steps.demotions.count
    return [
      GuardedSet(
        kind: .member, handle: diff.handle, base: before.memberCount - 1, removals: steps.removals.count,
        remaining: after.memberCount - 1),
      GuardedSet(
        kind: .moderator, handle: diff.handle, base: before.moderatorCount, removals: lost - steps.promotions.count,
        remaining: after.moderatorCount),
    ]
  }

  private func stackServers(_ unclaimed: [ServerIndex]) -> GuardedSet {
    GuardedSet(
      kind: .server, handle: nil,
      base: actual.servers.count { !$0.isDestroyed && $0.stack == options.stack },
      removals: unclaimed.count { actual[$0].stack == options.stack },
      remaining: plan.result.servers.count { !$0.isDestroyed && $0.stack == options.stack })
  }

  private mutating func refuse(_ breach: GuardBreach, _ server: ServerIndex, at place: Place) -> Int32 {
    refuse(
      PlanRefusal(
        .guard(breach), handle: breach.handle, server: server, at: place, breach.message,
        wayOut: ["if that is meant: --allow '\(breach.allowance.text)' --reason '…'"]))
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
    for position in plan.changes.indices where plan.changes[position].kind != .blocked {
      var change = plan.changes[position]
      var refusal: Int32?
      switch (change.object, change.action) {
      case (.membership, .delete):
        refusal = members[change.server] ?? (change.roleBefore == .moderator ? moderators[change.server] : nil)
      case (.role, .update) where change.roleBefore == .moderator: refusal = moderators[change.server]
      case (.server, .delete): refusal = servers
      default: break
      }
      guard let refusal else { continue }
      plan.counts[change.kind] -= 1
      plan.counts.blocked += 1
      block(&change, by: refusal)
      plan.changes[position] = change
    }
  }
}
