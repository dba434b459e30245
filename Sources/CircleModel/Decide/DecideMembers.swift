/// Joining, leaving, being removed, and roles.
extension Snapshot {
  func join(
    _ server: ServerIndex, _ user: UserIndex, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let user = try actor(concerning: user, server, request)
    if role(of: user, in: server) != nil {
      throw refusal(.repeatedOperation, server, user, "\(spelling(user)) is a member already")
    }
    if !request.isAdministrative, servers[server.position].type == .private {
      throw refusal(.privateServer, server, user, "the server is private; it takes an invitation")
    }
    try requireRoom(for: user, in: server)
    outcome.append(joining(.joinServer, server, user, request))
  }

  func requireRoom(for user: UserIndex, in server: ServerIndex) throws(CircleError) {
    if users[user.position].joined >= limits.joined {
      let servers = limits.joined == 1 ? "server" : "servers"
      throw refusal(
        .reachLimit, server, user, "\(spelling(user)) is in \(limits.joined) \(servers), the limit, already")
    }
  }

  /// The record of one who becomes a member; all who were hear of it.
  func joining(_ kind: OperationKind, _ server: ServerIndex, _ user: UserIndex, _ request: Request) -> Record {
    var record = record(kind, server, actor: user, user: user, request)
    record.roleAfter = .user
    record.audience = UInt32(clamping: servers[server.position].memberCount)
    if !servers[server.position].base.absentees.isEmpty {
      record.listingBefore = servers[server.position].base.absentees[user] ?? []
    }
    record.listingAfter = request.kind == .apply ? request.origin.listing ?? [] : record.listingBefore
    return record
  }

  func leave(
    _ server: ServerIndex, _ user: UserIndex, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let user = try actor(concerning: user, server, request)
    if servers[server.position].owner == user {
      throw refusal(.ownerCannotLeave, server, user, "the owner can't leave, only destroy the server")
    }
    guard let member = servers[server.position].members[user] else {
      throw refusal(.notMember, server, user, "\(spelling(user)) is not a member")
    }
    var record = record(.leaveServer, server, actor: user, user: user, request)
    record.note(member)
    record.roleAfter = nil
    record.listingAfter = request.kind == .apply ? [] : member.listing
    record.audience = othersCount(in: server)
    outcome.append(record)
  }

  func remove(
    _ server: ServerIndex, _ removals: [Removal], _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    try requireRole(actor, in: server, moderatorsToo: true)
    guard !removals.isEmpty else { throw refusal(.invalidParam, server, actor, "no user is given") }
    let isOwner = servers[server.position].owner == actor
    var seen = Set<UserIndex>(minimumCapacity: removals.count)
    var removed: [RemovedMember] = []
    var moderators = 0
    for removal in removals where seen.insert(removal.user).inserted {
      let member = try removable(removal.user, server, actor: actor, isOwner: isOwner)
      if member.role == .moderator { moderators += 1 }
      removed.append(
        RemovedMember(
          member, rule: removal.rule, place: removal.place,
          listingAfter: request.kind == .apply ? [] : member.listing))
    }
    var record = record(.removeUsers, server, actor: actor, request)
    // The removed, the owner and the moderators who remain; the actor is one of the latter two.
    record.audience = UInt32(clamping: removed.count + servers[server.position].moderatorCount - moderators)
    outcome.append(record, .removed(removed))
  }

  private func removable(
    _ user: UserIndex, _ server: ServerIndex, actor: UserIndex, isOwner: Bool
  ) throws(CircleError) -> Member {
    try requireRegistered(user, server, actor: actor)
    if servers[server.position].owner == user {
      throw refusal(.noPermission, server, actor, "the owner can't be removed")
    }
    guard let member = servers[server.position].members[user] else {
      throw refusal(.notMember, server, actor, "\(spelling(user)) is not a member")
    }
    if !isOwner, member.role != .user {
      throw refusal(.noPermission, server, actor, "only the owner may remove a moderator")
    }
    return member
  }

  /// Makes a member a moderator, or a moderator a user again.
  func assign(
    _ role: Role, to user: UserIndex, _ server: ServerIndex, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    try requireRole(actor, in: server, moderatorsToo: false)
    try requireRegistered(user, server, actor: actor)
    if servers[server.position].owner == user {
      throw refusal(.noPermission, server, actor, "the owner's role can't change")
    }
    guard let member = servers[server.position].members[user] else {
      throw refusal(.notMember, server, actor, "\(spelling(user)) is not a member")
    }
    guard member.role != role else {
      let what = role == .moderator ? "a moderator already" : "no moderator"
      throw refusal(.repeatedOperation, server, actor, "\(spelling(user)) is \(what)")
    }
    var record = record(
      role == .moderator ? .addModerator : .removeModerator, server, actor: actor, user: user, request)
    record.note(member)
    record.roleAfter = role
    if request.kind == .apply, let listing = request.origin.listing { record.listingAfter = listing }
    record.audience = othersCount(in: server)
    outcome.append(record)
  }
}

extension Record {
  /// The member as he is before the operation, and, until it says otherwise, after it.
  fileprivate mutating func note(_ member: Member) {
    roleBefore = member.role
    roleAfter = member.role
    listingBefore = member.listing
    listingAfter = member.listing
    accepted = member.accepted
    joinedAt = member.joinedAt
  }
}
