package import CircleModel
import CircleState
import Diagnostics

/// The SDK's operations on communities, for one user on one of his devices.
///
/// Managers are cheap: make one for each user and device. Every operation is decided by the rules that the command line
/// follows too, written in one transaction, and told to those who receive its events.
///
/// All throw `CircleError` when a rule says no, and `CircleStoreError` when the state can't be read or written; nothing is
/// changed then.
public struct CircleManager: Sendable {
  /// The state that it works on.
  public let store: CircleStore
  /// The current user.
  public let userId: String
  /// The device on which he acts: one of those that he is registered with, which then hears nothing of what he does
  /// here; nil acts on none of them.
  public let device: String?

  /// A manager for a user, registered or not yet.
  ///
  /// - Parameters:
  ///   - store: the state.
  ///   - userId: the current user.
  ///   - device: on which of his registered devices he acts; nil acts on none of them.
  public init(store: CircleStore, userId: String, device: String? = nil) {
    self.store = store
    self.userId = userId
    self.device = device
  }

  var caller: Session.Caller { .user(userId, device: device) }

  // MARK: Creating, changing and destroying

  /// Creates a server, whose owner the current user is.
  ///
  /// - Parameters:
  ///   - attribute: `name` is required.
  ///   - handle: what manifests and the command line call it, `[a-z0-9][a-z0-9-]{0,62}`; made from the name when left out.
  /// - Throws: `reachLimit` (113) when he owns as many servers as he may (100), `queryParamReachesLimit` (112) for a text
  ///   that is too long, `invalidParam` (110), `handleTaken`, `notRegistered`.
  public func createServer(_ attribute: CircleServerAttribute, handle: String? = nil) async throws -> CircleServer {
    try await store.perform(as: caller, "createServer", in: Scope(everyServer: true)) { (snapshot) throws(Refused) in
      var attributes = ServerAttributes()
      for setting in attribute.settings { attributes[setting.field] = setting.value }
      let owner = snapshot.user(named: userId)
      return [.createServer(NewServer(handle: handle.map { Text($0) }, attributes: attributes, owner: owner))]
    } answer: { (decision) throws(Refused) in
      CircleServer(decision.result.servers[decision.result.servers.count - 1], decision.result.names)
    }
  }

  /// Changes the attributes that are given; `""` clears one. Owner and moderators may.
  ///
  /// - Throws: `notMember`, `noPermission`, `notFound`, `queryParamReachesLimit` (112), `invalidParam` (110).
  public func updateServer(_ serverId: String, attribute: CircleServerAttribute) async throws -> CircleServer {
    try await changing(serverId, "updateServer") { _, server in [.updateServer(server, attribute.settings)] }
  }

  /// Destroys a server, with its tags, memberships and invitations. Only the owner may.
  ///
  /// - Throws: `notMember`, `noPermission`, `notFound`, `protected`.
  public func destroyServer(_ serverId: String) async throws {
    _ = try await changing(serverId, "destroyServer", members: .all) { _, server in [.destroyServer(server)] }
  }

  // MARK: Invitations

  /// Invites a user; a repeated invitation replaces the one before and is sent again. Any member may.
  ///
  /// - Parameters:
  ///   - serverId: the server's id.
  ///   - userId: of the user to invite, who must be registered.
  ///   - welcome: at most 500 UTF-16 code units.
  /// - Throws: `repeatedOperation` (114) for a member, `notRegistered`, `notMember`, `notFound`,
  ///   `queryParamReachesLimit` (112).
  public func inviteUserToServer(serverId: String, userId: String, welcome: String? = nil) async throws {
    _ = try await changing(serverId, "inviteUserToServer", users: [userId]) { (snapshot, server) throws(Refused) in
      [.inviteUser(server, snapshot.user(named: userId), welcome: welcome.map { Text($0) })]
    }
  }

  /// Accepts an invitation, and is a member then.
  ///
  /// - Throws: `noInvitation`, `repeatedOperation` (114) for a member, `reachLimit` (113), `notFound`.
  public func acceptServerInvitation(_ serverId: String, inviter: String) async throws -> CircleServer {
    try await changing(serverId, "acceptServerInvitation", users: [inviter]) { (snapshot, server) throws(Refused) in
      let invitee = snapshot.user(named: self.userId)
      return [.acceptInvitation(server, inviter: snapshot.user(named: inviter), invitee: invitee)]
    }
  }

  /// Declines an invitation.
  ///
  /// - Throws: `noInvitation`, `repeatedOperation` (114) for a member, `notFound`.
  public func declineServerInvitation(_ serverId: String, inviter: String) async throws {
    _ = try await changing(serverId, "declineServerInvitation", users: [inviter]) {
      (snapshot, server) throws(Refused) in
      let invitee = snapshot.user(named: self.userId)
      return [.declineInvitation(server, inviter: snapshot.user(named: inviter), invitee: invitee)]
    }
  }

  // MARK: Tags

  /// Adds tags, each of 1–20 UTF-16 code units; names that are there already are skipped. Owner and moderators may.
  ///
  /// - Returns: the tags that were added.
  /// - Throws: `reachLimit` (113) for more than 10 tags in all, `queryParamReachesLimit` (112), `notMember`,
  ///   `noPermission`, `notFound`.
  public func addTags(toServer serverId: String, tags: [String]) async throws -> [CircleServerTag] {
    let scope = Scope(servers: [Text(serverId)], members: .named)
    return try await store.perform(as: caller, "addTagsToServer", in: scope) { (snapshot) throws(Refused) in
      [.addTags(try snapshot.server(withId: serverId), tags.map { Given(Text($0), at: .none) })]
    } answer: { (decision) throws(Refused) in
      guard let record = decision.outcome.records.first, case .tags(let added, _)? = decision.outcome.detail(of: record)
      else { return [] }
      return added.map { CircleServerTag(tagId: $0.id.string, name: $0.name.string) }
    }
  }

  /// Removes tags by their ids, at most 10 in one call; one unknown id refuses them all. Owner and moderators may.
  ///
  /// - Throws: `notFound`, `queryParamReachesLimit` (112), `notMember`, `noPermission`.
  public func removeTags(fromServer serverId: String, tagIds: [String]) async throws {
    _ = try await changing(serverId, "removeTagsFromServer") { _, server in
      [.removeTags(server, tagIds.map { Text($0) })]
    }
  }

  /// The tags of a server, in the order in which they were added. Members may see them.
  ///
  /// - Throws: `notMember`, `notFound`.
  public func fetchServerTags(_ serverId: String) async throws -> [CircleServerTag] {
    try await store.read(as: caller, Scope(servers: [Text(serverId)], members: .named)) {
      (snapshot, authority) throws(Refused) in
      try Query.serverTags(try snapshot.server(withId: serverId), by: authority, in: snapshot)
        .map { CircleServerTag(tagId: $0.id.string, name: $0.name.string) }
    }
  }

  // MARK: Reading servers

  /// A server's details. Members may see them.
  ///
  /// - Throws: `notMember`, `notFound`.
  public func fetchServerDetail(_ serverId: String) async throws -> CircleServer {
    try await store.read(as: caller, Scope(servers: [Text(serverId)], members: .named)) {
      (snapshot, authority) throws(Refused) in
      let server = try snapshot.server(withId: serverId)
      return CircleServer(try Query.serverDetail(server, by: authority, in: snapshot), snapshot.names)
    }
  }

  /// The servers that the current user is in, the owned ones included, by the time of joining and the id.
  ///
  /// - Parameters:
  ///   - limit: rows of a page, 1–20.
  ///   - cursor: of the page before; nil for the first.
  /// - Throws: `invalidParam` (110) for another limit or a cursor of another list.
  public func fetchJoinedServers(
    _ limit: Int = 20, cursor: String? = nil
  ) async throws -> CircleCursorResult<CircleServer> {
    try await store.read(as: caller, Scope(members: .named, serversOfUsers: true)) {
      (snapshot, authority) throws(Refused) in
      try Query.check(pageSize: limit)
      let user = snapshot.user(named: self.userId)
      let joined = try Query.joinedServers(of: user, by: authority, in: snapshot)
      let page = try Page(of: joined, list: Text("joined \(Text(self.userId).folded)"), after: cursor, limit: limit) {
        PageKey([Text(ordered: $0.joinedAt), snapshot[$0.server].id])
      }
      return CircleCursorResult(
        list: page.rows.map { CircleServer(snapshot[$0.server], snapshot.names) }, cursor: page.next)
    }
  }

  /// The members of a server, the owner included: owner, moderators, users, each by the time of joining and the id.
  /// Members may see them.
  ///
  /// - Parameters:
  ///   - serverId: the server's id.
  ///   - limit: rows of a page, 1–20.
  ///   - cursor: of the page before; nil for the first.
  /// - Throws: `notMember`, `notFound`, `invalidParam` (110) for another limit or a cursor of another list.
  public func fetchServerMembers(
    _ serverId: String, limit: Int = 20, cursor: String? = nil
  ) async throws -> CircleCursorResult<CircleServerMember> {
    try await store.read(as: caller, Scope(servers: [Text(serverId)], members: .all)) {
      (snapshot, authority) throws(Refused) in
      try Query.check(pageSize: limit)
      let server = try snapshot.server(withId: serverId)
      let members = try Query.serverMembers(server, by: authority, in: snapshot)
      let page = try Page(of: members, list: Text("members \(serverId)"), after: cursor, limit: limit) {
        PageKey(of: $0, in: snapshot)
      }
      return CircleCursorResult(
        list: page.rows.map {
          CircleServerMember(userId: snapshot.names[$0.user], role: CircleUserRole($0.role), joinedAt: $0.joinedAt)
        }, cursor: page.next)
    }
  }

  /// The public servers whose name begins with the keyword, that have a tag of exactly this name, or whose id it is, by
  /// name and id.
  ///
  /// - Throws: `invalidParam` (110) for a blank keyword.
  public func fetchServers(withKeyword keyword: String) async throws -> [CircleServer] {
    try await store.read(as: caller, Scope(everyServer: true)) { (snapshot, authority) throws(Refused) in
      try Query.servers(withKeyword: Text(keyword), by: authority, in: snapshot)
        .map { CircleServer(snapshot[$0], snapshot.names) }
    }
  }

  // MARK: Joining and leaving

  /// Joins a public server.
  ///
  /// - Throws: `privateServer`, `repeatedOperation` (114) for a member, `reachLimit` (113) when he has joined as many
  ///   servers as he may (100), `notFound`.
  public func joinServer(_ serverId: String) async throws -> CircleServer {
    try await changing(serverId, "joinServer") { (snapshot, server) throws(Refused) in
      [.joinServer(server, snapshot.user(named: self.userId))]
    }
  }

  /// Leaves a server. The owner can't: he can only destroy it.
  ///
  /// - Throws: `ownerCannotLeave`, `notMember`, `notFound`.
  public func leaveServer(_ serverId: String) async throws {
    _ = try await changing(serverId, "leaveServer") { (snapshot, server) throws(Refused) in
      [.leaveServer(server, snapshot.user(named: self.userId))]
    }
  }

  /// Removes a member. The owner may remove anyone but himself, a moderator those of role `user`.
  ///
  /// - Throws: `notMember`, `noPermission`, `notRegistered`, `notFound`.
  public func removeUser(fromServer serverId: String, userId: String) async throws {
    try await removeUsers(fromServer: serverId, userIds: [userId])
  }

  /// Removes members, all or none, with one event.
  ///
  /// - Throws: as `removeUser(fromServer:userId:)`; `invalidParam` (110) without a user.
  public func removeUsers(fromServer serverId: String, userIds: [String]) async throws {
    _ = try await changing(serverId, "removeUserFromServer", users: userIds) { (snapshot, server) throws(Refused) in
      [.removeUsers(server, userIds.map { Removal(snapshot.user(named: $0)) })]
    }
  }

  // MARK: Roles

  /// Whether the current user is in the server.
  ///
  /// - Throws: `notFound`.
  public func checkSelfIs(inServer serverId: String) async throws -> Bool {
    try await store.read(as: caller, Scope(servers: [Text(serverId)], members: .named)) {
      (snapshot, authority) throws(Refused) in
      let server = try snapshot.server(withId: serverId)
      return try Query.isInServer(snapshot.user(named: self.userId), server, by: authority, in: snapshot)
    }
  }

  /// What the current user is in the server.
  ///
  /// - Throws: `notMember`, `notFound`.
  public func fetchSelfServerRole(_ serverId: String) async throws -> CircleUserRole {
    try await store.read(as: caller, Scope(servers: [Text(serverId)], members: .named)) {
      (snapshot, authority) throws(Refused) in
      let server = try snapshot.server(withId: serverId)
      return CircleUserRole(
        try Query.role(of: snapshot.user(named: self.userId), in: server, by: authority, in: snapshot))
    }
  }

  /// Makes a member a moderator. Only the owner may.
  ///
  /// - Throws: `repeatedOperation` (114) for a moderator, `notMember`, `noPermission`, `notRegistered`, `notFound`.
  public func addModerator(toServer serverId: String, userId: String) async throws {
    _ = try await changing(serverId, "addModeratorToServer", users: [userId]) { (snapshot, server) throws(Refused) in
      [.addModerator(server, snapshot.user(named: userId))]
    }
  }

  /// Makes a moderator a user again. Only the owner may.
  ///
  /// - Throws: `repeatedOperation` (114) for one who is none, `notMember`, `noPermission`, `notRegistered`, `notFound`.
  public func removeModerator(fromServer serverId: String, userId: String) async throws {
    _ = try await changing(serverId, "removeModeratorFromServer", users: [userId]) {
      (snapshot, server) throws(Refused) in
      [.removeModerator(server, snapshot.user(named: userId))]
    }
  }

  // MARK: -

  /// Operations on one server, found by its id; the server as it is afterwards.
  private func changing(
    _ serverId: String, _ command: String, users: [String] = [], members: Scope.Members = .named,
    _ operations: @Sendable (Snapshot, ServerIndex) throws(Refused) -> [CircleModel.Operation]
  ) async throws -> CircleServer {
    let scope = Scope(servers: [Text(serverId)], members: members)
    return try await store.perform(as: caller, command, in: scope, users: users) {
      (snapshot) throws(Refused) in
      try operations(snapshot, try snapshot.server(withId: serverId))
    } answer: { (decision) throws(Refused) in
      let server = try decision.loaded.snapshot.server(withId: serverId)
      return CircleServer(decision.result[server], decision.result.names)
    }
  }
}

extension Snapshot {
  /// - Throws: `notFound`; a handle is no id here.
  func server(withId id: String) throws(Refused) -> ServerIndex {
    guard let server = serverIDs[Text(id)], server != .none else {
      throw Refused(.notFound, "there is no server with the id '\(id)'")
    }
    return server
  }
}

extension PageKey {
  /// Where a member stands among a server's: by role, time of joining and id.
  package init(of member: Member, in snapshot: Snapshot) {
    self.init([
      Text(ordered: Int64(member.role.rawValue)), Text(ordered: member.joinedAt),
      Text(snapshot.names[member.user]).folded,
    ])
  }
}
