import CircleModel
import Testing

private typealias W = World

/// What the state remembers of the last apply, so that a later comparison can tell drift from what is still to do.
struct DriftBaseTests {
  private static let name = FieldMask(ServerField.name)

  private func marks(
    _ managed: FieldMask, _ listings: [(UserIndex, Listing)] = [], tags: [Text]? = nil
  ) -> Operation {
    .markServer(W.pub, ServerMarks(managed: managed, listings: listings, tags: tags))
  }

  /// A world after an apply that listed bob as a member and mod as a moderator, and managed the name and one tag.
  private func applied() throws -> World {
    var world = try World()
    try world.run(.addTags(W.pub, ServerRows.tags("a", "b")))
    world.context.kind = .apply
    try world.run(.adoptServer(W.pub, stack: "s"))
    try world.run(
      marks([Self.name, .tags, .members, .moderators], [(W.bob, .member), (W.mod, .moderator)], tags: ["a"]))
    world.context.kind = .command
    return world
  }

  @Test func `marks list members and tags`() throws {
    let world = try applied()
    #expect(world.server(W.pub).members[W.bob]?.listing == .member)
    #expect(world.server(W.pub).members[W.mod]?.listing == .moderator)
    #expect(world.server(W.pub).tags.map(\.isListed) == [true, false])
    #expect(world.server(W.pub).base.managed == [Self.name, .tags, .members, .moderators])
  }

  @Test func `an apply's join is listed as it says, another run's is not`() throws {
    var world = try World()
    try world.run(.joinServer(W.pub, W.dave), from: Origin(.command, listing: .member))
    #expect(world.server(W.pub).members[W.dave]?.listing == [])
    world.context.kind = .apply
    let record = try world.run(.joinServer(W.pub, W.erin), from: Origin(.manifest, listing: .member))
    #expect(record?.listingAfter == .member)
    #expect(world.server(W.pub).members[W.erin]?.listing == .member)
    try world.run(.addModerator(W.pub, W.erin), from: Origin(.manifest, listing: [.member, .moderator]))
    #expect(world.server(W.pub).members[W.erin]?.listing == [.member, .moderator])
    try world.run(.removeModerator(W.pub, W.erin))
    #expect(world.server(W.pub).members[W.erin]?.listing == [.member, .moderator])
  }

  @Test(arguments: [RunKind.command, .import, .undo])
  func `who was listed and goes is remembered, and listed again when he comes back`(kind: RunKind) throws {
    var world = try applied()
    world.context.kind = kind
    try world.run(.leaveServer(W.pub, W.mod))
    try world.run(.removeUsers(W.pub, [Removal(W.bob), Removal(W.carol)]))
    #expect(world.server(W.pub).base.absentees == [W.mod: .moderator, W.bob: .member])
    let record = try world.run(.joinServer(W.pub, W.bob))
    #expect(record?.listingBefore == .member)
    #expect(record?.listingAfter == .member)
    #expect(world.server(W.pub).base.absentees == [W.mod: .moderator])
    #expect(world.server(W.pub).members[W.bob]?.listing == .member)
  }

  @Test func `an apply's removals forget the listing`() throws {
    var world = try applied()
    world.context.kind = .apply
    try world.run(.removeUsers(W.pub, [Removal(W.bob, .noLongerListed)]))
    #expect(world.server(W.pub).base.absentees.isEmpty)
    #expect(world.snapshot.listing(of: W.bob, in: W.pub) == [])
  }

  @Test func `an invited user is listed as an absentee, and as a member once he accepts`() throws {
    var world = try World()
    world.context.kind = .apply
    try world.run(.inviteUser(W.pub, W.dave, welcome: nil))
    try world.run(marks([.members], [(W.dave, .member)]))
    #expect(world.server(W.pub).base.absentees == [W.dave: .member])
    world.context.kind = .command
    try world.run(.acceptInvitation(W.pub, inviter: W.alice, invitee: W.dave))
    #expect(world.server(W.pub).members[W.dave]?.listing == .member)
    #expect(world.server(W.pub).base.absentees.isEmpty)
  }

  @Test func `marks with an empty listing forget members and absentees`() throws {
    var world = try applied()
    try world.run(.leaveServer(W.pub, W.bob))
    world.context.kind = .apply
    try world.run(marks([.members], [(W.bob, []), (W.mod, []), (W.dave, [])]))
    #expect(world.server(W.pub).base.absentees.isEmpty)
    #expect(world.server(W.pub).members[W.mod]?.listing == [])
  }

  @Test func `a managed attribute that changes keeps the value of the last apply, until it is back`() throws {
    var world = try applied()
    try world.run(.updateServer(W.pub, [FieldSetting(.name, "One"), FieldSetting(.desc, "D")]))
    try world.run(.updateServer(W.pub, [FieldSetting(.name, "Two")]))
    #expect(world.server(W.pub).base.overrides == [FieldSetting(.name, "The pub")])
    try world.run(.updateServer(W.pub, [FieldSetting(.name, "The pub")]))
    #expect(world.server(W.pub).base.overrides.isEmpty)
  }

  @Test func `the next apply clears the notes, and what it does not name has no base`() throws {
    var world = try applied()
    try world.run(.updateServer(W.pub, [FieldSetting(.name, "One")]))
    let tag = world.server(W.pub).tags[0].id
    try world.run(.removeTags(W.pub, [tag]))
    #expect(world.server(W.pub).base.lostTags == ["a"])
    world.context.kind = .apply
    try world.run(.updateServer(W.pub, [FieldSetting(.name, "Two")]))
    try world.run(marks([FieldMask(ServerField.desc)]))
    #expect(world.server(W.pub).base.overrides.isEmpty)
    #expect(world.server(W.pub).base.lostTags.isEmpty)
    #expect(world.server(W.pub).base.managed == FieldMask(ServerField.desc))
    world.context.kind = .command
    try world.run(.updateServer(W.pub, [FieldSetting(.name, "Three")]))
    #expect(world.server(W.pub).base.overrides.isEmpty)
  }

  @Test func `a removed listed tag is lost, and listed again when it is added again`() throws {
    var world = try applied()
    let ids = world.server(W.pub).tags.map(\.id)
    try world.run(.removeTags(W.pub, ids))
    #expect(world.server(W.pub).base.lostTags == ["a"])
    try world.run(.addTags(W.pub, ServerRows.tags("b", "a")))
    #expect(world.server(W.pub).base.lostTags.isEmpty)
    #expect(world.server(W.pub).tags.map(\.isListed) == [false, true])
  }

  @Test func `an apply's own tag removals lose nothing`() throws {
    var world = try applied()
    world.context.kind = .apply
    try world.run(.removeTags(W.pub, [world.server(W.pub).tags[0].id]))
    #expect(world.server(W.pub).base.lostTags.isEmpty)
  }

  @Test func `a released server keeps its settings and forgets its base`() throws {
    var world = try applied()
    try world.run(.setServerSettings(W.pub, ServerSettings(protect: true), clearsWelcome: false))
    try world.run(.updateServer(W.pub, [FieldSetting(.name, "One")]))
    try world.run(.leaveServer(W.pub, W.bob))
    try world.run(.releaseServer(W.pub))
    let server = world.server(W.pub)
    #expect(server.stack == nil)
    #expect(server.base == ServerBase())
    #expect(server.settings.protect == true)
    #expect(server.tags.allSatisfy { !$0.isListed })
    #expect(server.members.sorted().allSatisfy { $0.listing.isEmpty })
  }

  @Test func `a managed field of a user keeps the value of the last apply that named it`() throws {
    var world = try World()
    world.context.kind = .apply
    try world.run(.updateUser(W.bob, [FieldSetting(.nickName, "Bob")]))
    try world.run(.setDevices(W.bob, ["a"]))
    try world.run(.markUser(W.bob, [FieldMask(UserField.nickName), .devices]))
    world.context.kind = .command
    try world.run(.updateUser(W.bob, [FieldSetting(.nickName, nil), FieldSetting(.sign, "S")]))
    try world.run(.setDevices(W.bob, ["b"]))
    try world.run(.setDevices(W.bob, ["c"]))
    #expect(world.snapshot.details[W.bob]?.overrides == [FieldSetting(.nickName, "Bob")])
    #expect(world.snapshot.details[W.bob]?.devicesOverride == ["a"])
    world.context.kind = .apply
    try world.run(.markUser(W.bob, FieldMask(UserField.sign)))
    #expect(world.snapshot[W.bob].managed == [FieldMask(UserField.nickName), .devices, FieldMask(UserField.sign)])
    #expect(world.snapshot.details[W.bob]?.overrides == [FieldSetting(.nickName, "Bob")])
    world.context.kind = .command
    try world.run(.setDevices(W.bob, ["a"]))
    #expect(world.snapshot.details[W.bob]?.devicesOverride == nil)
    world.context.kind = .apply
    try world.run(.markUser(W.bob, FieldMask(UserField.nickName)))
    #expect(world.snapshot.details[W.bob]?.overrides == [])
  }
}
