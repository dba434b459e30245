/// Reads that the SDK has no operation for.
extension Query {
  /// A pending invitation, and to where.
  package struct Invited: Equatable, Sendable {
    package var server: ServerIndex
    package var invitation: Invitation

    package init(server: ServerIndex, invitation: Invitation) {
      self.server = server
      self.invitation = invitation
    }
  }

  /// All servers, for an administrator.
  package static func everyServer(
    by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> [ServerIndex] {
    try requireAdministrator(authority, in: snapshot)
    return snapshot.servers.indices.filter { !snapshot.servers[$0].isDestroyed }.map { ServerIndex($0) }
  }

  /// All users who are registered, for an administrator.
  package static func everyUser(by authority: Authority, in snapshot: Snapshot) throws(CircleError) -> [UserIndex] {
    try requireAdministrator(authority, in: snapshot)
    return snapshot.users.indices.map { UserIndex($0) }.filter { snapshot.isRegistered($0) }
  }

  /// Who may moderate a server, for its members: the owner, then the moderators, each by (joinedAt, lower-cased id).
  package static func moderators(
    of server: ServerIndex, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> [Member] {
    try serverMembers(server, by: authority, in: snapshot).filter { $0.role != .user }
  }

  /// The pending invitations, for a user those that he sent or got; in no particular order.
  package static func invitations(by authority: Authority, in snapshot: Snapshot) throws(CircleError) -> [Invited] {
    let request = request(authority)
    let reader = try snapshot.reader(request)
    var found: [Invited] = []
    for (position, server) in snapshot.servers.enumerated() where !server.isDestroyed {
      for (pair, invitation) in server.invitations
      where request.isAdministrative || pair.inviter == reader || pair.invitee == reader {
        found.append(Invited(server: ServerIndex(position), invitation: invitation))
      }
    }
    return found
  }

  /// - Throws: `notRegistered`.
  package static func requireRegistered(_ user: UserIndex, in snapshot: Snapshot) throws(CircleError) {
    try snapshot.requireRegistered(user, .none, actor: user)
  }

  /// - Throws: `noPermission` for a user.
  package static func requireAdministrator(
    _ authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) {
    _ = try snapshot.administrator(request(authority))
  }
}
