import CircleModel
import Diagnostics

/// The steps of a run in their order; within each by handle, then by lower-cased user id.
///
/// Up to the renames servers are gone through by the handle that they have, from then on by the one that they get.
extension Planner {
  mutating func decideAll(_ users: UserDiff, unclaimed: [ServerIndex]) {
    decideUsers(users)
    for position in diffs.indices { withdraw(position) }
    if options.prune { destroy(unclaimed) }
    for position in diffs.indices { remove(position) }
    for position in diffs.indices { demote(position) }
    for position in diffs.indices { removeTags(position) }
    renameAndAdopt()
    if diffs.contains(where: { $0.handle != $0.handleBefore }) { diffs.sort { $0.handle < $1.handle } }
    for position in diffs.indices where diffs[position].isNew { create(position) }
    for position in diffs.indices { updateAttributes(position) }
    for position in diffs.indices { addTags(position) }
    for position in diffs.indices { bringIn(position) }
    for position in diffs.indices { promote(position) }
    for position in diffs.indices { settle(position) }
  }

  private mutating func withdraw(_ position: Int) {
    let steps = diffs[position].membership.withdrawals
    guard let server = diffs[position].server, takes(.delete, .member, of: position, steps.count) else { return }
    let handle = diffs[position].handle
    for step in steps {
      let verdict = perform(
        .withdrawInvitation(server, step.user, inviter: nil), Origin(step.rule, at: step.place), for: handle,
        on: server)
      add(
        Change(.delete, .invitation, step.kind, server: server, user: step.user, rule: step.rule, at: step.place),
        verdict)
    }
  }

  private mutating func remove(_ position: Int) {
    let steps = diffs[position].membership.removals
    guard let server = diffs[position].server, let first = steps.first else { return }
    guard takes(.delete, .member, of: position, steps.count) else { return }
    let removals = steps.map { Removal($0.user, $0.rule, at: $0.place) }
    let verdict = perform(
      .removeUsers(server, removals), Origin(first.rule, at: first.place), for: diffs[position].handle, on: server)
    for step in steps {
      var change = Change(
        .delete, .membership, step.kind, server: server, user: step.user, rule: step.rule, at: step.place)
      change.roleBefore = step.role
      add(change, verdict)
    }
  }

  private mutating func demote(_ position: Int) {
    let steps = diffs[position].membership.demotions
    guard let server = diffs[position].server, takes(.update, .moderator, of: position, steps.count) else { return }
    let handle = diffs[position].handle
    for step in steps {
      let verdict = perform(
        .removeModerator(server, step.user), Origin(step.rule, at: step.place, listing: step.listing), for: handle,
        on: server)
      addRole(step, .user, server, verdict)
    }
  }

  private mutating func addRole(_ step: MembershipStep, _ role: Role, _ server: ServerIndex, _ verdict: Verdict) {
    var change = Change(.update, .role, step.kind, server: server, user: step.user, rule: step.rule, at: step.place)
    change.roleBefore = step.role
    change.roleAfter = role
    add(change, verdict)
  }

  private mutating func bringIn(_ position: Int) {
    let diff = diffs[position]
    guard !diff.membership.arrivals.isEmpty || !diff.membership.refused.isEmpty else { return }
    let server = diff.server ?? .none
    for (user, refusal, place) in diff.membership.refused {
      plan.notes.append(PlanNote(kind: .notInvitedAgain(refusal), server: server, user: user, place: place))
    }
    let isInvited = diff.lists.join == .invite
    // As of now: an inviter who was just removed took his invitations with him.
    let pending = isInvited ? diff.server.map { plan.result[$0].invitations } ?? Invitations() : Invitations()
    let isTaken = takes(.create, .member, of: position, 0, dependsOnLeftOut: diff.isLeftOut)
    // Who joins is noted as a moderator only if that comes to be: an invitation stands for all that the lists say.
    let notesAll = isInvited || takes(.update, .moderator, of: position, 0)
    let welcome = diff.entry.welcome.map { $0.value } ?? diff.server.flatMap { plan.result[$0].settings.welcome }
    for step in diff.membership.arrivals {
      var verdict = Verdict.blocked(diff.blockedCreate)
      if pending.isInvited(step.user) { continue }
      if !isTaken || unregistered.contains(step.user) {
        _ = takes(.create, .member, of: position, dependsOnLeftOut: true)
        diffs[position].leftOutArrivals.insert(step.user)
        continue
      }
      if diff.server != nil {
        verdict = perform(
          isInvited ? .inviteUser(server, step.user, welcome: welcome) : .joinServer(server, step.user),
          Origin(step.rule, at: step.place, listing: notesAll ? step.listing : .member), for: diff.handle, on: server)
      }
      if case .blocked(let refusal) = verdict { diffs[position].blockedArrivals[step.user] = refusal }
      var change = Change(
        .create, isInvited ? .invitation : .membership, step.kind, server: server, user: step.user, rule: step.rule,
        at: step.place)
      if !isInvited { change.roleAfter = .user }
      add(change, verdict)
    }
  }

  private mutating func promote(_ position: Int) {
    let server = diffs[position].server
    let handle = diffs[position].handle
    let diff = diffs[position]
    for step in diff.membership.promotions {
      let isAway = diff.isLeftOut || diff.leftOutArrivals.contains(step.user)
      guard takes(.update, .moderator, of: position, dependsOnLeftOut: isAway) else { continue }
      let verdict: Verdict
      if let refusal = diffs[position].blockedArrivals[step.user] {
        verdict = .blocked(refusal)
      } else if let server {
        verdict = perform(
          .addModerator(server, step.user), Origin(step.rule, at: step.place, listing: step.listing), for: handle,
          on: server)
      } else {
        verdict = .blocked(diffs[position].blockedCreate)
      }
      addRole(step, .moderator, server ?? .none, verdict)
    }
  }
}
