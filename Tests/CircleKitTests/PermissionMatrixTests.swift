import CircleKit
import Testing

/// Who may do what (document A, and the table of operations in the domain): each role, each operation, each type.
@Suite struct PermissionMatrixTests {
  enum Who: String, CaseIterable, Sendable { case owner, moderator, user, outsider }

  struct Case: Sendable, CustomTestStringConvertible {
    let operation: String
    /// What the owner, a moderator, a user and an outsider get.
    let expected: [CircleError.Name?]
    /// What an outsider gets in a private server, where that differs.
    var privately: CircleError.Name?
    let run: @Sendable (CircleManager, String) async throws -> Void

    init(
      _ operation: String, _ owner: CircleError.Name?, _ moderator: CircleError.Name?, _ user: CircleError.Name?,
      _ outsider: CircleError.Name?, privately: CircleError.Name? = nil,
      _ run: @escaping @Sendable (CircleManager, String) async throws -> Void
    ) {
      self.operation = operation
      expected = [owner, moderator, user, outsider]
      self.privately = privately
      self.run = run
    }

    var testDescription: String { operation }
  }

  static let cases: [Case] = [
    Case("createServer", nil, nil, nil, nil) { manager, _ in _ = try await manager.createServer(.init(name: "N")) },
    Case("updateServer", nil, nil, .noPermission, .notMember) { manager, id in
      _ = try await manager.updateServer(id, attribute: .init(desc: "new"))
    },
    Case("destroyServer", nil, .noPermission, .noPermission, .notMember) { try await $0.destroyServer($1) },
    Case("addTags", nil, nil, .noPermission, .notMember) { _ = try await $0.addTags(toServer: $1, tags: ["new"]) },
    Case("removeTags", nil, nil, .noPermission, .notMember) { manager, id in
      let owner = CircleManager(store: manager.store, userId: "owner")
      let tag = try await owner.fetchServerTags(id)[0].tagId
      try await manager.removeTags(fromServer: id, tagIds: [tag])
    },
    Case("inviteUserToServer", nil, nil, nil, .notMember) {
      try await $0.inviteUserToServer(serverId: $1, userId: "guest")
    },
    Case("acceptServerInvitation", .repeatedOperation, .repeatedOperation, .repeatedOperation, .noInvitation) {
      _ = try await $0.acceptServerInvitation($1, inviter: "other")
    },
    Case("declineServerInvitation", .repeatedOperation, .repeatedOperation, .repeatedOperation, .noInvitation) {
      try await $0.declineServerInvitation($1, inviter: "other")
    },
    Case(
      "joinServer", .repeatedOperation, .repeatedOperation, .repeatedOperation, nil, privately: .privateServer
    ) { _ = try await $0.joinServer($1) },
    Case("leaveServer", .ownerCannotLeave, nil, nil, .notMember) { try await $0.leaveServer($1) },
    Case("removeUser: a user", nil, nil, .noPermission, .notMember) {
      try await $0.removeUser(fromServer: $1, userId: "victim")
    },
    Case("removeUser: a moderator", nil, .noPermission, .noPermission, .notMember) {
      try await $0.removeUser(fromServer: $1, userId: "moderator2")
    },
    Case("removeUser: the owner", .noPermission, .noPermission, .noPermission, .notMember) {
      try await $0.removeUser(fromServer: $1, userId: "owner")
    },
    Case("addModerator", nil, .noPermission, .noPermission, .notMember) {
      try await $0.addModerator(toServer: $1, userId: "victim")
    },
    Case("removeModerator", nil, .noPermission, .noPermission, .notMember) {
      try await $0.removeModerator(fromServer: $1, userId: "moderator2")
    },
    Case("fetchServerDetail", nil, nil, nil, .notMember) { _ = try await $0.fetchServerDetail($1) },
    Case("fetchServerMembers", nil, nil, nil, .notMember) { _ = try await $0.fetchServerMembers($1) },
    Case("fetchServerTags", nil, nil, nil, .notMember) { _ = try await $0.fetchServerTags($1) },
    Case("fetchJoinedServers", nil, nil, nil, nil) { manager, id in
      let joined = try await manager.fetchJoinedServers().list.contains { $0.serverId == id }
      #expect(joined == (manager.userId != "outsider"))
    },
    Case("checkSelfIs", nil, nil, nil, nil) { manager, id in
      let isIn = try await manager.checkSelfIs(inServer: id)
      #expect(isIn == (manager.userId != "outsider"))
    },
    Case("fetchSelfServerRole", nil, nil, nil, .notMember) { manager, id in
      let role = try await manager.fetchSelfServerRole(id)
      #expect("\(role)" == manager.userId)
    },
  ]

  @Test(arguments: cases, CircleServerType.allCases)
  func `each role may do what the domain says`(_ row: Case, _ type: CircleServerType) async throws {
    for (who, expected) in zip(Who.allCases, row.expected) {
      let (store, id) = try await server(type)
      let manager = CircleManager(store: store, userId: who.rawValue)
      let isPrivate = type == .private && who == .outsider
      let wanted = isPrivate ? row.privately ?? expected : expected
      let found = await refusal { try await row.run(manager, id) }
      #expect(found == wanted, "\(who) \(row.operation) in a \(type) server")
    }
  }

  @Test(arguments: CircleServerType.allCases)
  func `only public servers are found`(_ type: CircleServerType) async throws {
    let (store, id) = try await server(type)
    for keyword in ["Com", "tag", id] {
      for who in Who.allCases {
        let found = try await CircleManager(store: store, userId: who.rawValue).fetchServers(withKeyword: keyword)
        #expect(found.map(\.serverId) == (type == .public ? [id] : []), "\(keyword)")
      }
    }
  }

  /// A server with a tag, and members of each role beside those who try.
  private func server(_ type: CircleServerType) async throws -> (CircleStore, String) {
    let store = CircleStore(clock: { 0 })
    for user in ["owner", "moderator", "user", "outsider", "victim", "moderator2", "guest", "other"] {
      try await store.registerUser(user)
    }
    let owner = CircleManager(store: store, userId: "owner")
    let id = try await owner.createServer(.init(name: "Community", type: type)).serverId
    _ = try await owner.addTags(toServer: id, tags: ["tag"])
    for user in ["moderator", "user", "victim", "moderator2", "other"] {
      try await owner.inviteUserToServer(serverId: id, userId: user)
      _ = try await CircleManager(store: store, userId: user).acceptServerInvitation(id, inviter: "owner")
    }
    for user in ["moderator", "moderator2"] { try await owner.addModerator(toServer: id, userId: user) }
    return (store, id)
  }
}
