/// The reads of the SDK: who may see what, and in which order. An administrator sees everything.
///
/// They see what the snapshot has loaded; paging is the caller's, over these orders.
package enum Query {
  /// A server that a user is in.
  package struct Joined: Equatable, Sendable {
    package var server: ServerIndex
    package var role: Role
    package var joinedAt: Int64
  }

  /// fetchServerDetail, for members.
  package static func serverDetail(
    _ server: ServerIndex, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> Server {
    try requireMember(server, authority, snapshot)
    return snapshot[server]
  }

  /// fetchServerMembers, for members: owner, moderators, users, each by (joinedAt, lower-cased id).
  package static func serverMembers(
    _ server: ServerIndex, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> ContiguousArray<Member> {
    try requireMember(server, authority, snapshot)
    var members = snapshot[server].members.sorted()
    members.sort { left, right in
      if left.role != right.role { return left.role.rawValue < right.role.rawValue }
      if left.joinedAt != right.joinedAt { return left.joinedAt < right.joinedAt }
      return snapshot.names.precedes(left.user, right.user)
    }
    return members
  }

  /// fetchServerTags, for members.
  package static func serverTags(
    _ server: ServerIndex, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> [Tag] {
    try requireMember(server, authority, snapshot)
    return snapshot[server].tags
  }

  /// fetchJoinedServers, the owned ones included: by (joinedAt, server id). A user asks for himself only.
  package static func joinedServers(
    of user: UserIndex, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> [Joined] {
    let request = request(authority)
    _ = try snapshot.actor(concerning: user, .none, request)
    var joined: [Joined] = []
    for position in snapshot.servers.indices where !snapshot.servers[position].isDestroyed {
      guard let member = snapshot.servers[position].members[user] else { continue }
      joined.append(Joined(server: ServerIndex(position), role: member.role, joinedAt: member.joinedAt))
    }
    joined.sort { left, right in
      if left.joinedAt != right.joinedAt { return left.joinedAt < right.joinedAt }
      return snapshot[left.server].id < snapshot[right.server].id
    }
    return joined
  }

  /// fetchServersWithKeyword: public servers whose name begins with the keyword, that have a tag of exactly this name,
  /// or whose id it is, by name, then id. An administrator finds private ones too.
  /// - Throws: `invalidParam` for a blank keyword.
  package static func servers(
    withKeyword keyword: Text, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> [ServerIndex] {
    let request = request(authority)
    let actor = try snapshot.reader(request)
    guard TextRule.unlessBlank(keyword) != nil else {
      throw snapshot.refusal(.invalidParam, .none, actor, "the keyword is empty")
    }
    var found: [(name: Text, id: Text, server: ServerIndex)] = []
    for (position, server) in snapshot.servers.enumerated() where !server.isDestroyed {
      guard request.isAdministrative || server.type == .public else { continue }
      let name = server.attributes[.name] ?? ""
      if name.begins(with: keyword) || server.id == keyword || server.tags.contains(where: { $0.name == keyword }) {
        found.append((name, server.id, ServerIndex(position)))
      }
    }
    found.sort { $0.name == $1.name ? $0.id < $1.id : $0.name < $1.name }
    return found.map(\.server)
  }

  /// checkSelfIsInServer: any user, of himself.
  package static func isInServer(
    _ user: UserIndex, _ server: ServerIndex, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> Bool {
    let request = request(authority)
    try snapshot.requireServer(server, request)
    let user = try snapshot.actor(concerning: user, server, request)
    return snapshot.role(of: user, in: server) != nil
  }

  /// fetchSelfServerRole: any user, of himself.
  /// - Throws: `notMember` for one who is not in the server.
  package static func role(
    of user: UserIndex, in server: ServerIndex, by authority: Authority, in snapshot: Snapshot
  ) throws(CircleError) -> Role {
    let request = request(authority)
    try snapshot.requireServer(server, request)
    return try snapshot.memberRole(of: snapshot.actor(concerning: user, server, request), in: server)
  }

  /// A page has 1 to 20 rows.
  /// - Throws: `invalidParam` for any other size.
  package static func check(pageSize: Int) throws(CircleError) {
    guard Limits.pageSizes.contains(pageSize) else {
      throw CircleError(.invalidParam, "a page has 1 to 20 rows, not \(pageSize)")
    }
  }

  static func request(_ authority: Authority) -> Request {
    Request(authority: authority, origin: .command, kind: .command, time: 0)
  }

  private static func requireMember(
    _ server: ServerIndex, _ authority: Authority, _ snapshot: Snapshot
  ) throws(CircleError) {
    let request = request(authority)
    try snapshot.requireServer(server, request)
    _ = try snapshot.memberRole(of: snapshot.actor(on: server, request), in: server)
  }
}
