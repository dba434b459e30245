/// Inviting, and what becomes of an invitation.
extension Snapshot {
  func invite(
    _ server: ServerIndex, _ invitee: UserIndex, _ welcome: Text?, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    _ = try memberRole(of: actor, in: server)
    try requireRegistered(invitee, server, actor: actor)
    if role(of: invitee, in: server) != nil {
      throw refusal(.repeatedOperation, server, actor, "\(spelling(invitee)) is a member already")
    }
    if let welcome, let violation = TextRule.welcome.check(welcome) { throw refusal(violation, server, actor) }
    let invitation = Invitation(
      inviter: actor, invitee: invitee, welcome: TextRule.unlessBlank(welcome), createdAt: request.time)
    let replaced = servers[server.position].invitations[InvitationKey(invitee: invitee, inviter: actor)]
    var record = record(.inviteUser, server, actor: actor, user: invitee, request)
    record.audience = 1
    outcome.append(
      record,
      .invitation(
        invitation, replaced: replaced, serverName: servers[server.position].attributes[.name],
        icon: servers[server.position].attributes[.icon],
        refusalBefore: servers[server.position].refusals[invitee]))
  }

  func accept(
    _ server: ServerIndex, _ key: InvitationKey, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    let invitation = try pending(server, key, request)
    let user = key.invitee
    try requireRoom(for: user, in: server)
    var record = joining(.acceptInvitation, server, user, request)
    record.accepted = true
    outcome.append(record, .answered(invitation))
  }

  func decline(
    _ server: ServerIndex, _ key: InvitationKey, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    let invitation = try pending(server, key, request)
    var record = record(.declineInvitation, server, actor: key.invitee, user: key.invitee, request)
    record.audience = 1
    outcome.append(record, .answered(invitation))
  }

  /// The invitation that its invitee answers.
  private func pending(
    _ server: ServerIndex, _ key: InvitationKey, _ request: Request
  ) throws(CircleError) -> Invitation {
    try requireServer(server, request)
    let actor = try actor(concerning: key.invitee, server, request)
    if role(of: actor, in: server) != nil {
      throw refusal(.repeatedOperation, server, actor, "\(spelling(actor)) is a member already")
    }
    guard let invitation = servers[server.position].invitations[key] else {
      throw refusal(
        .noInvitation, server, actor, "\(spelling(key.inviter)) has no pending invitation for \(spelling(actor))")
    }
    return invitation
  }

  func withdraw(
    _ server: ServerIndex, _ invitee: UserIndex, _ inviter: UserIndex?, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    if !request.isAdministrative, let inviter, inviter != actor {
      throw refusal(.noPermission, server, actor, "only \(spelling(inviter)) or an administrator may do this")
    }
    let invitations = servers[server.position].invitations
    var withdrawn: [Invitation] = []
    if let one = request.isAdministrative ? inviter : actor {
      if let own = invitations[InvitationKey(invitee: invitee, inviter: one)] { withdrawn = [own] }
    } else {
      withdrawn = invitations.of(invitee: invitee, by: names)
    }
    guard !withdrawn.isEmpty else {
      throw refusal(.noInvitation, server, actor, "there is no such pending invitation for \(spelling(invitee))")
    }
    outcome.append(
      record(.withdrawInvitation, server, actor: actor, user: invitee, request), .withdrawn(withdrawn))
  }
}
