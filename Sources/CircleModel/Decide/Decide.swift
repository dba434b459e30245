/// Decides one operation: what it changes and who hears of it, or why it is refused.
///
/// Pure but for `context`, which gives new servers and tags their ids and handles. A refused operation, and one that changes
/// nothing, appends nothing; else one record is appended, which `Snapshot.apply` carries out.
/// - Throws: the reason of the refusal, naming server and actor.
package func decide(
  _ operation: Operation, by authority: Authority, from origin: Origin, in snapshot: borrowing Snapshot,
  context: inout RunContext, into outcome: inout Outcome
) throws(CircleError) {
  let request = Request(authority: authority, origin: origin, kind: context.kind, time: context.time)
  switch operation {
  case .joinServer(let server, let user): try snapshot.join(server, user, request, &outcome)
  case .createServer(let new): try snapshot.create(new, request, &context, &outcome)
  case .updateServer(let server, let settings): try snapshot.update(server, settings, request, &outcome)
  case .destroyServer(let server):
    try snapshot.destroy(server, request, &outcome)
    context.freeHandles.forget()
  case .addTags(let server, let names): try snapshot.addTags(server, names, request, &context.ids, &outcome)
  case .removeTags(let server, let ids): try snapshot.removeTags(server, ids, request, &outcome)
  case .inviteUser(let server, let user, let welcome): try snapshot.invite(server, user, welcome, request, &outcome)
  case .acceptInvitation(let server, let inviter, let invitee):
    try snapshot.accept(server, InvitationKey(invitee: invitee, inviter: inviter), request, &outcome)
  case .declineInvitation(let server, let inviter, let invitee):
    try snapshot.decline(server, InvitationKey(invitee: invitee, inviter: inviter), request, &outcome)
  case .withdrawInvitation(let server, let invitee, let inviter):
    try snapshot.withdraw(server, invitee, inviter, request, &outcome)
  case .leaveServer(let server, let user): try snapshot.leave(server, user, request, &outcome)
  case .removeUsers(let server, let removals): try snapshot.remove(server, removals, request, &outcome)
  case .addModerator(let server, let user):
    try snapshot.assign(.moderator, to: user, server, request, &outcome)
  case .removeModerator(let server, let user):
    try snapshot.assign(.user, to: user, server, request, &outcome)
  case .registerUser(let user, let profile, let devices, let managed, let isChecked):
    try snapshot.register(user, profile, devices, managed: managed, isChecked: isChecked, request, &outcome)
  case .updateUser(let user, let settings): try snapshot.updateUser(user, settings, request, &outcome)
  case .setDevices(let user, let devices): try snapshot.setDevices(user, devices, request, &outcome)
  case .renameHandle(let server, let handle):
    try snapshot.rename(server, handle, request, &outcome)
    context.freeHandles.forget()
  case .adoptServer(let server, let stack): try snapshot.adopt(server, stack, request, &outcome)
  case .releaseServer(let server): try snapshot.release(server, request, &outcome)
  case .setServerSettings(let server, let settings, let clearsWelcome):
    try snapshot.setSettings(server, settings, clearsWelcome, request, &outcome)
  case .markServer(let server, let marks): try snapshot.markServer(server, marks, request, &outcome)
  case .markUser(let user, let named): try snapshot.markUser(user, named, request, &outcome)
  case .setLimit(let kind, let value): try snapshot.setLimit(kind, value, request, &outcome)
  }
}

/// With what authority, from where and in what run one operation is asked for.
struct Request {
  let authority: Authority
  let origin: Origin
  let kind: RunKind
  let time: Int64

  var isAdministrative: Bool {
    if case .administrator = authority { return true }
    return false
  }
}

// MARK: - Who acts, on what

extension Snapshot {
  /// The refusal, with the names of server and actor.
  func refusal(
    _ name: CircleErrorName, _ server: ServerIndex, _ actor: UserIndex, _ reason: String
  ) -> CircleError {
    CircleError(
      name, server: isLoaded(server) ? handle(of: server) : nil,
      actor: actor.position < users.count ? Text(names[actor]) : nil, reason)
  }

  func refusal(
    _ violation: RuleViolation, _ server: ServerIndex, _ actor: UserIndex
  ) -> CircleError {
    refusal(violation.name, server, actor, violation.reason)
  }

  /// The id for a sentence.
  func spelling(_ user: UserIndex) -> String {
    user.position < users.count ? names[user] : "(nobody)"
  }

  func isLoaded(_ server: ServerIndex) -> Bool { server.position < servers.count }

  package func isRegistered(_ user: UserIndex) -> Bool {
    user.position < users.count && users[user.position].isRegistered
  }

  func requireServer(_ server: ServerIndex, _ request: Request) throws(CircleError) {
    guard isLoaded(server), !servers[server.position].isDestroyed else {
      throw refusal(.notFound, server, caller(request), "there is no such server")
    }
  }

  func requireRegistered(_ user: UserIndex, _ server: ServerIndex, actor: UserIndex) throws(CircleError) {
    guard isRegistered(user) else {
      var refusal = refusal(.notRegistered, server, actor, "\(spelling(user)) is not registered")
      refusal.unregistered = user.position < users.count ? Text(names[user]) : nil
      throw refusal
    }
  }

  /// The user of the authority, or nobody for an administrator who acts in no user's name.
  func caller(_ request: Request) -> UserIndex {
    if case .user(let user, _) = request.authority { return user }
    return .none
  }

  /// The actor of an operation that a user runs for himself: an administrator acts in the name of `user`, and nobody
  /// else may.
  func actor(concerning user: UserIndex, _ server: ServerIndex, _ request: Request) throws(CircleError) -> UserIndex {
    guard case .user(let caller, let device) = request.authority else {
      try requireRegistered(user, server, actor: user)
      return user
    }
    try requireCaller(caller, device, server)
    guard caller == user else {
      throw refusal(.noPermission, server, caller, "only \(spelling(user)) or an administrator may do this")
    }
    return caller
  }

  /// The actor of an operation on a server: an administrator acts in the name of its owner.
  func actor(on server: ServerIndex, _ request: Request) throws(CircleError) -> UserIndex {
    guard case .user(let caller, let device) = request.authority else { return servers[server.position].owner }
    try requireCaller(caller, device, server)
    return caller
  }

  /// The actor of an operation that only an administrator may run; `.none`, or the owner of the server it is about.
  func administrator(on server: ServerIndex = .none, _ request: Request) throws(CircleError) -> UserIndex {
    guard case .user(let caller, let device) = request.authority else {
      return isLoaded(server) ? servers[server.position].owner : .none
    }
    try requireCaller(caller, device, server)
    throw refusal(.noPermission, server, caller, "only an administrator may do this")
  }

  /// Any user, who must be registered, or an administrator.
  func reader(_ request: Request) throws(CircleError) -> UserIndex {
    guard case .user(let caller, let device) = request.authority else { return .none }
    try requireCaller(caller, device, .none)
    return caller
  }

  private func requireCaller(_ caller: UserIndex, _ device: Text?, _ server: ServerIndex) throws(CircleError) {
    try requireRegistered(caller, server, actor: caller)
    if let device, details[caller]?.devices.contains(device) != true {
      throw refusal(.notRegistered, server, caller, "the device '\(device)' of \(spelling(caller)) is not registered")
    }
  }

  /// What the user is in the server, or nil; the owner is known even where his membership is not loaded.
  package func role(of user: UserIndex, in server: ServerIndex) -> Role? {
    if servers[server.position].owner == user { return .owner }
    return servers[server.position].members[user]?.role
  }

  /// The role of an actor who must be a member.
  func memberRole(of actor: UserIndex, in server: ServerIndex) throws(CircleError) -> Role {
    guard let role = role(of: actor, in: server) else {
      throw refusal(.notMember, server, actor, "\(spelling(actor)) is not a member")
    }
    return role
  }

  /// Refuses all but the owner and, where they may, the moderators.
  func requireRole(
    _ actor: UserIndex, in server: ServerIndex, moderatorsToo: Bool
  ) throws(CircleError) {
    switch try memberRole(of: actor, in: server) {
    case .owner: return
    case .moderator where moderatorsToo: return
    case .moderator, .user:
      let who = moderatorsToo ? "the owner or a moderator" : "the owner"
      throw refusal(.noPermission, server, actor, "only \(who) may do this")
    }
  }

  /// The beginning of each record: who did it, why, and how many of his other devices hear of it.
  func record(
    _ kind: OperationKind, _ server: ServerIndex, actor: UserIndex, user: UserIndex = .none, _ request: Request
  ) -> Record {
    var record = Record(kind, server: server, actor: actor, user: user)
    record.rule = request.origin.rule
    record.place = request.origin.place
    record.isAdministrative = request.isAdministrative
    if kind.deviceEvent != nil {
      var devices = details.deviceCount(of: actor)
      if case .user(_, .some) = request.authority { devices -= 1 }
      record.devices = UInt32(clamping: devices)
    }
    return record
  }

  /// The members but one, as the audience of an event.
  func othersCount(in server: ServerIndex) -> UInt32 {
    UInt32(clamping: servers[server.position].memberCount - 1)
  }
}
