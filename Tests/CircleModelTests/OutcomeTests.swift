import CircleModel
import Diagnostics
import Testing

private typealias W = World

/// What a record and its detail tell, and what becomes of the state.
struct OutcomeTests {
  @Test func `a created server has an id, a handle, its owner and no default attribute`() throws {
    var world = try World()
    var attributes = ServerAttributes(name: "Swift 爱好者")
    attributes[.type] = "public"
    attributes[.desc] = "  "
    let record = try world.run(.createServer(NewServer(handle: nil, attributes: attributes, owner: W.dave)))
    guard case .created(let server) = world.detail(record) else {
      Issue.record("no server was created")
      return
    }
    #expect(server.handle == "swift")
    #expect(server.id.string.utf8.count == 22)
    #expect(server.attributes == ServerAttributes(name: "Swift 爱好者"))
    #expect(server.created == world.context.time)
    let row = world.server(ServerIndex(2))
    #expect(row.members[W.dave]?.role == .owner)
    #expect(row.memberCount == 1)
    #expect(world.snapshot[W.dave].owned == 1)
    #expect(world.snapshot[W.dave].joined == 0)
  }

  @Test func `a refused creation names the handle it asked for`() throws {
    var world = try World()
    let new = NewServer(handle: "pub", attributes: ServerAttributes(name: "N"), owner: W.dave)
    let error = #expect(throws: CircleError.self) { try world.run(.createServer(new)) }
    #expect(error?.name == .handleTaken)
    #expect(error?.server == "pub")
    #expect(error?.actor == "dave")
  }

  @Test func `a name that is taken by a server that is not loaded is taken`() throws {
    var world = try World()
    world.snapshot.handles["far"] = ServerIndex.none
    let new = NewServer(handle: nil, attributes: ServerAttributes(name: "Far"), owner: W.dave)
    try world.run(.createServer(new))
    #expect(world.server(ServerIndex(2)).handle == "far-2")
    #expect(world.refusal(.renameHandle(W.pub, "far")) == .handleTaken)
  }

  @Test func `the same seed and state give the same ids, and a taken one is redrawn`() throws {
    var world = try World()
    let new = Operation.createServer(NewServer(handle: nil, attributes: ServerAttributes(name: "A"), owner: W.dave))
    var again = world
    try world.run(new)
    try again.run(new)
    #expect(world.server(ServerIndex(2)).id == again.server(ServerIndex(2)).id)
    again.context.ids = IDSource(seed: [7], nextSeq: 1)
    try again.run(new)
    #expect(again.server(ServerIndex(3)).handle == "a-2")
    #expect(again.server(ServerIndex(3)).id != world.server(W.pub).id)
  }

  @Test func `an update carries the attributes afterwards, what changed and where it was asked for`() throws {
    var world = try World()
    let place = Place(file: 1, line: 2, column: 3)
    let record = try world.run(
      .updateServer(
        W.pub,
        [FieldSetting(.name, "The pub"), FieldSetting(.desc, "D", at: place), FieldSetting(.icon, "http://i")]),
      from: Origin(.manifest, at: place))
    guard case .updated(let changes, let places, let attributes) = world.detail(record) else {
      Issue.record("nothing was updated")
      return
    }
    #expect(
      changes == [
        FieldChange(.icon, before: nil, after: "http://i"), FieldChange(.desc, before: nil, after: "D"),
      ])
    #expect(places == [.none, place])
    #expect(attributes == world.server(W.pub).attributes)
    #expect(attributes[.name] == "The pub")
    #expect(record?.rule == .manifest)
    #expect(record?.place == place)
    #expect(record?.isAdministrative == true)
    #expect(record?.actor == W.alice)
  }

  @Test func `a destroyed server frees its handle and its members' limits`() throws {
    var world = try World()
    try world.run(.inviteUser(W.pub, W.dave, welcome: nil))
    try world.run(.destroyServer(W.pub))
    #expect(world.server(W.pub).isDestroyed)
    #expect(world.snapshot.handles["pub"] == nil)
    #expect(world.snapshot[W.alice].owned == 1)
    #expect(world.snapshot[W.bob].joined == 1)
    #expect(world.snapshot.totals.memberships == 4)
    #expect(world.refusal(.acceptInvitation(W.pub, inviter: W.alice, invitee: W.dave)) == .notFound)
  }

  @Test func `added tags are returned with their ids, and removed ones as they were`() throws {
    var world = try World()
    try world.run(.addTags(W.pub, ServerRows.tags("a")))
    let added = try world.run(.addTags(W.pub, ServerRows.tags("a", "b", "b", "é", "e\u{301}")))
    guard case .tags(let tags, let places) = world.detail(added) else {
      Issue.record("no tags were added")
      return
    }
    #expect(tags.map(\.name) == ["b", "é", "e\u{301}"])
    #expect(Set(tags.map(\.id)).count == 3)
    #expect(places.count == 3)
    let removed = try world.run(.removeTags(W.pub, [tags[1].id, tags[1].id]))
    guard case .tags(let gone, _) = world.detail(removed) else {
      Issue.record("no tags were removed")
      return
    }
    #expect(gone == [tags[1]])
    #expect(world.server(W.pub).tags.map(\.name) == ["a", "b", "e\u{301}"])
  }

  @Test func `an unknown tag refuses the whole call`() throws {
    var world = try World()
    try world.run(.addTags(W.pub, ServerRows.tags("a")))
    let id = world.server(W.pub).tags[0].id
    #expect(world.refusal(.removeTags(W.pub, [id, "unknown"])) == .notFound)
    #expect(world.server(W.pub).tags.count == 1)
  }

  @Test func `a removal tells of each member as he was, by which rule and where`() throws {
    var world = try World()
    let place = Place(file: 0, line: 7, column: 1)
    let record = try world.run(
      .removeUsers(W.pub, [Removal(W.mod, .exactMembership), Removal(W.bob, .absent, at: place)]))
    guard case .removed(let gone) = world.detail(record) else {
      Issue.record("nobody was removed")
      return
    }
    #expect(gone.map(\.member.user) == [W.mod, W.bob])
    #expect(gone.map(\.member.role) == [.moderator, .user])
    #expect(gone.map(\.member.joinedAt) == [W.birth, W.birth])
    #expect(gone.map(\.rule) == [.exactMembership, .absent])
    #expect(gone.map(\.place) == [.none, place])
    #expect(world.server(W.pub).memberCount == 2)
    #expect(world.server(W.pub).moderatorCount == 0)
    #expect(world.snapshot[W.mod].joined == 1)
  }

  @Test func `one who leaves is told of as he was`() throws {
    var world = try World()
    let record = try world.run(.leaveServer(W.pub, W.mod))
    #expect(record?.roleBefore == .moderator)
    #expect(record?.roleAfter == nil)
    #expect(record?.joinedAt == W.birth)
  }

  @Test func `a swap at a limit works, for each operation is decided on what its predecessors left`() throws {
    var world = try World()
    try world.run(.setLimit(.joined, 2))
    try world.run(.createServer(NewServer(handle: "new", attributes: ServerAttributes(name: "N"), owner: W.dave)))
    #expect(world.refusal(.joinServer(ServerIndex(2), W.bob)) == .reachLimit)
    try world.run(.removeUsers(W.pub, [Removal(W.bob)]))
    try world.run(.joinServer(ServerIndex(2), W.bob))
    try world.run(.setLimit(.joined, 1))
    #expect(world.snapshot[W.bob].joined == 2)
  }

  @Test func `a renamed server is found under its new handle only`() throws {
    var world = try World()
    try world.run(.renameHandle(W.pub, "new"))
    #expect(world.snapshot.handles["new"] == W.pub)
    #expect(world.snapshot.handles["pub"] == nil)
    try world.run(.renameHandle(W.priv, "pub"))
    #expect(world.snapshot.handles["pub"] == W.priv)
  }

  @Test func `settings left out stay, and a welcome is cleared when asked`() throws {
    var world = try World()
    try world.run(
      .setServerSettings(W.pub, ServerSettings(membership: .exact, welcome: "Hi"), clearsWelcome: false))
    try world.run(.setServerSettings(W.pub, ServerSettings(join: .invite), clearsWelcome: false))
    #expect(world.server(W.pub).settings == ServerSettings(membership: .exact, join: .invite, welcome: "Hi"))
    try world.run(.setServerSettings(W.pub, ServerSettings(), clearsWelcome: true))
    #expect(world.server(W.pub).settings == ServerSettings(membership: .exact, join: .invite))
  }

  @Test func `a registered user has his profile without defaults`() throws {
    var world = try World()
    var profile = UserProfile()
    profile[.gender] = "unknown"
    profile[.nickName] = "G"
    try world.run(.registerUser(W.ghost, profile, devices: ["iphone"]))
    #expect(world.snapshot.details[W.ghost]?.profile[.gender] == nil)
    #expect(world.snapshot.details[W.ghost]?.profile[.nickName] == "G")
    #expect(world.snapshot.details.deviceCount(of: W.ghost) == 1)
    #expect(world.snapshot.totals.users == 7)
    try world.run(.setDevices(W.ghost, []))
    try world.run(.updateUser(W.ghost, [FieldSetting(.nickName, nil)]))
    #expect(world.snapshot.details[W.ghost] == nil)
  }
}
