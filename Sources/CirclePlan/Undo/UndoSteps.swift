import CircleModel
import Diagnostics

/// The steps of an undo within one server, up to the renames.
extension UndoPlanner {
  private func handle(_ position: Int) -> Text { servers[position].handle }

  private func line(
    _ action: Change.Action, _ object: Change.Object, _ position: Int, user: UserIndex = .none
  ) -> Change {
    Change(action, object, .pending, server: servers[position].server, user: user, rule: .command, at: .none)
  }

  private mutating func perform(_ operation: Operation, _ position: Int) -> Verdict {
    plan.perform(operation, .command, for: handle(position), on: servers[position].server)
  }

  mutating func withdraw(_ position: Int) {
    let server = servers[position].server
    for invitation in servers[position].withdrawals {
      let verdict = perform(
        .withdrawInvitation(server, invitation.invitee, inviter: invitation.inviter), position)
      plan.add(line(.delete, .invitation, position, user: invitation.invitee), verdict)
    }
  }

  mutating func destroy(_ position: Int) {
    let verdict = perform(.destroyServer(servers[position].server), position)
    plan.add(line(.delete, .server, position), verdict, text: ChangeText(before: servers[position].handleNow))
  }

  mutating func remove(_ position: Int) {
    let removals = servers[position].removals
    guard !removals.isEmpty else { return }
    let verdict = perform(.removeUsers(servers[position].server, removals.map { Removal($0.user) }), position)
    for (user, role) in removals {
      var change = line(.delete, .membership, position, user: user)
      change.roleBefore = role
      plan.add(change, verdict)
    }
  }

  mutating func demote(_ position: Int) {
    for user in servers[position].demotions {
      addRole(user, .moderator, .user, position, perform(.removeModerator(servers[position].server, user), position))
    }
  }

  private mutating func addRole(
    _ user: UserIndex, _ before: Role, _ after: Role, _ position: Int, _ verdict: Verdict
  ) {
    var change = line(.update, .role, position, user: user)
    change.roleBefore = before
    change.roleAfter = after
    plan.add(change, verdict)
  }

  mutating func removeTags(_ position: Int) {
    let tags = servers[position].removedTags
    guard !tags.isEmpty else { return }
    let verdict = perform(.removeTags(servers[position].server, tags.map(\.id)), position)
    for tag in tags { plan.add(line(.delete, .tag, position), verdict, text: ChangeText(before: tag.name)) }
  }

  // MARK: Handles and stacks

  mutating func renameAndAdopt() {
    let order = RenameOrder(
      servers.indices.compactMap { position in
        let undone = servers[position]
        return undone.handleNow == undone.handle
          ? nil : RenameOrder.Rename(from: undone.handleNow, to: undone.handle, position: position)
      })
    for cycle in order.cycles { refuseCycle(cycle.handles, cycle.positions) }
    for position in order.positions {
      addRename(position, perform(.renameHandle(servers[position].server, handle(position)), position))
    }
    for position in servers.indices where servers[position].fate == .stays {
      let server = servers[position].server
      if servers[position].isReleased { _ = perform(.releaseServer(server), position) }
      if let stack = servers[position].adoption { _ = perform(.adoptServer(server, stack: stack), position) }
    }
  }

  private mutating func addRename(_ position: Int, _ verdict: Verdict) {
    plan.add(
      line(.update, .handle, position), verdict,
      text: ChangeText(before: servers[position].handleNow, after: handle(position)))
  }

  private mutating func refuseCycle(_ handles: [Text], _ positions: [Int]) {
    guard let first = handles.first, let position = positions.first else { return }
    let circle = (handles + [first]).map { "'\($0)'" }.joined(separator: " → ")
    let refusal = plan.refuse(
      PlanRefusal(
        .renameCycle(handles), handle: handle(position), server: servers[position].server, at: .none,
        "servers can't change handles in a circle: \(circle)",
        wayOut: ["give '\(first)' a free handle first: circlectl server rename \(first) NEW"]))
    for position in positions { addRename(position, .blocked(refusal)) }
  }

  // MARK: From the renames on

  mutating func create(_ position: Int) {
    let old = servers[position].before
    let new = NewServer(handle: old.handle, attributes: old.attributes, owner: old.owner, stack: old.stack)
    let verdict = perform(.createServer(new), position)
    switch verdict {
    case .done(let record): servers[position].server = plan.outcome.records[Int(record)].server
    case .blocked(let refusal): servers[position].blockedCreate = refusal
    case .nothing: break
    }
    plan.add(line(.create, .server, position, user: old.owner), verdict, text: ChangeText(after: old.handle))
    remark("gets a new id, and who was in it joins anew", server: old.handle)
    remark("its old id was \(old.id)", server: old.handle)
  }

  mutating func setAttributes(_ position: Int) {
    let fields = servers[position].attributes
    guard !fields.isEmpty else { return }
    let settings = fields.map { FieldSetting($0.field, $0.after) }
    let verdict = perform(.updateServer(servers[position].server, settings), position)
    for field in fields {
      var change = line(.update, .attribute, position)
      change.field = field.field.rawValue
      plan.add(change, verdict, text: ChangeText(before: field.before, after: field.after))
    }
  }

  mutating func addTags(_ position: Int) {
    let tags = servers[position].addedTags
    guard !tags.isEmpty else { return }
    let verdict: Verdict
    if let refusal = servers[position].blockedCreate {
      verdict = .blocked(refusal)
    } else {
      verdict = perform(.addTags(servers[position].server, tags.map { Given($0, at: .none) }), position)
    }
    for tag in tags { plan.add(line(.create, .tag, position), verdict, text: ChangeText(after: tag)) }
    if servers[position].fate == .stays {
      remark("\(tags.count == 1 ? "a tag gets a new id" : "tags get new ids")", server: handle(position))
    }
  }

  mutating func bringIn(_ position: Int) {
    let server = servers[position].server
    for user in servers[position].joins {
      let verdict: Verdict
      if let refusal = servers[position].blockedCreate {
        verdict = .blocked(refusal)
      } else {
        verdict = perform(.joinServer(server, user), position)
      }
      if case .blocked(let refusal) = verdict { servers[position].blockedJoins[user] = refusal }
      var change = line(.create, .membership, position, user: user)
      change.roleAfter = .user
      plan.add(change, verdict)
    }
    if servers[position].fate == .stays {
      remark(servers[position].joins, position, one: "joins anew, as of now", many: "members join anew, as of now")
    }
    // The others can't be sent in their inviters' names.
    let owner = servers[position].before.owner
    let all = servers[position].invitations
    let sent = all.filter { $0.inviter == owner }
    for invitation in sent { invite(invitation, position) }
    remark(
      sent.map(\.invitee), position, one: "is invited again, as of now", many: "users are invited again, as of now")
    remark(
      all.filter { $0.inviter != owner }.map(\.invitee), position, one: "not invited again: it was not by the owner",
      many: "invitations lost: they were not by the owner")
  }

  /// A line for each of a few, one for all of many.
  private mutating func remark(_ users: [UserIndex], _ position: Int, one: String, many: String) {
    guard users.count > 3 else {
      for user in users { remark(one, server: handle(position), user: user) }
      return
    }
    remark("\(users.count) \(many)", server: handle(position))
  }

  private mutating func invite(_ invitation: Invitation, _ position: Int) {
    let verdict: Verdict
    if let refusal = servers[position].blockedCreate {
      verdict = .blocked(refusal)
    } else {
      verdict = perform(
        .inviteUser(servers[position].server, invitation.invitee, welcome: invitation.welcome), position)
    }
    plan.add(line(.create, .invitation, position, user: invitation.invitee), verdict)
  }

  mutating func promote(_ position: Int) {
    for user in servers[position].promotions {
      let refusal = servers[position].blockedCreate ?? servers[position].blockedJoins[user]
      let verdict = refusal.map { Verdict.blocked($0) }
      addRole(
        user, .user, .moderator, position,
        verdict ?? perform(.addModerator(servers[position].server, user), position))
    }
  }
}
