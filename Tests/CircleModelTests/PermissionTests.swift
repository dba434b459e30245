import CircleModel
import Testing

private typealias W = World

/// Each operation, asked for by the owner, a moderator, a user, an outsider and an administrator, in a public and in
/// a private server.
struct PermissionTests {
  enum Caller: Int, CaseIterable {
    case owner, moderator, user, outsider, administrator

    /// The user himself; an administrator acts for the outsider.
    var user: UserIndex {
      switch self {
      case .owner: W.alice
      case .moderator: W.mod
      case .user: W.bob
      case .outsider, .administrator: W.dave
      }
    }

    var authority: Authority { self == .administrator ? .administrator : .user(user) }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var title: String
    /// In the order of `Caller`; nil is allowed.
    var expected: [CircleErrorName?]
    /// Where it differs in a private server.
    var inPrivate: [CircleErrorName?]?
    var operation: @Sendable (ServerIndex, UserIndex) -> Operation

    init(
      _ title: String, _ expected: [CircleErrorName?], inPrivate: [CircleErrorName?]? = nil,
      _ operation: @escaping @Sendable (ServerIndex, UserIndex) -> Operation
    ) {
      self.title = title
      self.expected = expected
      self.inPrivate = inPrivate
      self.operation = operation
    }

    var testDescription: String { title }
  }

  private static let staff: [CircleErrorName?] = [nil, nil, .noPermission, .notMember, nil]
  private static let owner: [CircleErrorName?] = [nil, .noPermission, .noPermission, .notMember, nil]
  private static let admin: [CircleErrorName?] = [
    .noPermission, .noPermission, .noPermission, .noPermission, nil,
  ]
  private static let answer: [CircleErrorName?] = [
    .repeatedOperation, .repeatedOperation, .repeatedOperation, .noInvitation, .noInvitation,
  ]

  static let rows: [Row] = [
    Row("createServer", [nil, nil, nil, nil, nil]) { _, caller in
      .createServer(NewServer(handle: nil, attributes: ServerAttributes(name: "New"), owner: caller))
    },
    Row("updateServer", staff) { server, _ in .updateServer(server, [FieldSetting(.desc, "D")]) },
    Row("destroyServer", owner) { server, _ in .destroyServer(server) },
    Row("addTagsToServer", staff) { server, _ in .addTags(server, ServerRows.tags("new")) },
    Row("removeTagsFromServer", [.notFound, .notFound, .noPermission, .notMember, .notFound]) { server, _ in
      .removeTags(server, ["unknown"])
    },
    Row("inviteUserToServer", [nil, nil, nil, .notMember, nil]) { server, _ in
      .inviteUser(server, W.erin, welcome: nil)
    },
    Row("acceptServerInvitation", answer) { server, caller in
      .acceptInvitation(server, inviter: W.alice, invitee: caller)
    },
    Row("declineServerInvitation", answer) { server, caller in
      .declineInvitation(server, inviter: W.alice, invitee: caller)
    },
    Row(
      "joinServer", [.repeatedOperation, .repeatedOperation, .repeatedOperation, nil, nil],
      inPrivate: [.repeatedOperation, .repeatedOperation, .repeatedOperation, .privateServer, nil]
    ) { server, caller in .joinServer(server, caller) },
    Row("leaveServer", [.ownerCannotLeave, nil, nil, .notMember, .notMember]) { server, caller in
      .leaveServer(server, caller)
    },
    Row("removeUserFromServer, a user", staff) { server, _ in .removeUsers(server, [Removal(W.carol)]) },
    Row("removeUserFromServer, a moderator", owner) { server, _ in .removeUsers(server, [Removal(W.mod)]) },
    Row(
      "removeUserFromServer, the owner", [.noPermission, .noPermission, .noPermission, .notMember, .noPermission]
    ) { server, _ in .removeUsers(server, [Removal(W.alice)]) },
    Row("addModeratorToServer", owner) { server, _ in .addModerator(server, W.carol) },
    Row("removeModeratorFromServer", owner) { server, _ in .removeModerator(server, W.mod) },
    Row("registerUser", admin) { _, _ in .registerUser(W.ghost, UserProfile(), devices: []) },
    Row("updateUser, himself", [nil, nil, nil, nil, nil]) { _, caller in
      .updateUser(caller, [FieldSetting(.sign, "S")])
    },
    Row("setDevices", admin) { _, caller in .setDevices(caller, ["a"]) },
    Row("renameHandle", admin) { server, _ in .renameHandle(server, "new") },
    Row("adoptServer", admin) { server, _ in .adoptServer(server, stack: "s") },
    Row("releaseServer", admin) { server, _ in .releaseServer(server) },
    Row("setServerSettings", admin) { server, _ in
      .setServerSettings(server, ServerSettings(protect: true), clearsWelcome: false)
    },
    Row("markManaged, a server", admin) { server, _ in
      .markServer(server, ServerMarks(managed: .tags, listings: [], tags: []))
    },
    Row("markManaged, a user", admin) { _, caller in .markUser(caller, .devices) },
    Row("withdrawInvitation", [.noInvitation, .noInvitation, .noInvitation, .noInvitation, .noInvitation]) {
      server, _ in .withdrawInvitation(server, W.erin, inviter: nil)
    },
    Row("setLimit", admin) { _, _ in .setLimit(.created, 7) },
  ]

  @Test(arguments: rows, [false, true])
  func `everyone may do what the rules say and nothing else`(row: Row, isPrivate: Bool) throws {
    let world = try World()
    let server = isPrivate ? W.priv : W.pub
    let expected = isPrivate ? row.inPrivate ?? row.expected : row.expected
    for caller in Caller.allCases {
      var world = world
      let refusal = world.refusal(row.operation(server, caller.user), by: caller.authority)
      #expect(refusal == expected[caller.rawValue], "\(caller)")
    }
  }

  @Test func `one who is not registered may do nothing`() throws {
    var world = try World()
    for row in Self.rows {
      let refusal = world.refusal(row.operation(W.pub, W.ghost), by: .user(W.ghost))
      #expect(refusal == .notRegistered, "\(row.title)")
    }
  }

  @Test func `a refusal names the server and the actor`() throws {
    var world = try World()
    let error = #expect(throws: CircleError.self) { try world.run(.destroyServer(W.pub), by: .user(W.bob)) }
    #expect(error?.server == "pub")
    #expect(error?.actor == "bob")
  }
}
