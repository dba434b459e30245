import CircleModel
import Testing

private typealias W = World

struct InvitationTests {
  private func pending(_ world: World, _ invitee: UserIndex = W.dave) -> [UserIndex] {
    world.server(W.priv).invitations.of(invitee: invitee, by: world.snapshot.names).map(\.inviter)
  }

  @Test func `a repeat replaces the welcome and the time`() throws {
    var world = try World()
    try world.run(.inviteUser(W.priv, W.dave, welcome: "one"))
    world.context.time += 5
    let record = try world.run(.inviteUser(W.priv, W.dave, welcome: "two"))
    guard case .invitation(let invitation, let replaced, let name, let icon, let refusal) = world.detail(record) else {
      Issue.record("no invitation was sent")
      return
    }
    #expect(invitation.welcome == "two")
    #expect(invitation.createdAt == world.context.time)
    #expect(replaced?.welcome == "one")
    #expect(name == "The priv")
    #expect(icon == nil)
    #expect(refusal == nil)
    #expect(world.server(W.priv).invitations.count == 1)
  }

  @Test func `accepting supersedes the others' invitations`() throws {
    var world = try World()
    for inviter in [W.alice, W.bob] { try world.run(.inviteUser(W.priv, W.dave, welcome: nil), by: .user(inviter)) }
    #expect(pending(world) == [W.alice, W.bob])
    try world.run(.acceptInvitation(W.priv, inviter: W.bob, invitee: W.dave))
    #expect(world.server(W.priv).invitations.isEmpty)
    #expect(world.server(W.priv).members[W.dave]?.accepted == true)
  }

  @Test func `being added supersedes all invitations`() throws {
    var world = try World()
    try world.run(.inviteUser(W.priv, W.dave, welcome: nil))
    try world.run(.joinServer(W.priv, W.dave))
    #expect(world.server(W.priv).invitations.isEmpty)
    #expect(world.server(W.priv).members[W.dave]?.accepted == false)
  }

  @Test func `declining closes that inviter's invitation only`() throws {
    var world = try World()
    for inviter in [W.alice, W.bob] { try world.run(.inviteUser(W.priv, W.dave, welcome: nil), by: .user(inviter)) }
    try world.run(.declineInvitation(W.priv, inviter: W.alice, invitee: W.dave))
    #expect(pending(world) == [W.bob])
    #expect(world.server(W.priv).refusals == [W.dave: .declined])
  }

  @Test func `an inviter who leaves or is removed has his invitations withdrawn`() throws {
    var world = try World()
    for inviter in [W.alice, W.bob, W.carol] {
      for invitee in [W.dave, W.erin] {
        try world.run(.inviteUser(W.priv, invitee, welcome: nil), by: .user(inviter))
      }
    }
    try world.run(.leaveServer(W.priv, W.bob))
    #expect(pending(world) == [W.alice, W.carol])
    try world.run(.removeUsers(W.priv, [Removal(W.carol)]))
    #expect(pending(world) == [W.alice])
    #expect(pending(world, W.erin) == [W.alice])
  }

  @Test func `a change of type leaves the invitations`() throws {
    var world = try World()
    try world.run(.inviteUser(W.priv, W.dave, welcome: nil))
    try world.run(.updateServer(W.priv, [FieldSetting(.type, "public")]))
    #expect(pending(world) == [W.alice])
  }

  @Test func `an administrator withdraws all of a pair, an inviter his own`() throws {
    var world = try World()
    for inviter in [W.alice, W.bob, W.carol] {
      try world.run(.inviteUser(W.priv, W.dave, welcome: nil), by: .user(inviter))
    }
    try world.run(.withdrawInvitation(W.priv, W.dave, inviter: nil), by: .user(W.bob))
    #expect(pending(world) == [W.alice, W.carol])
    let record = try world.run(.withdrawInvitation(W.priv, W.dave, inviter: nil))
    guard case .withdrawn(let invitations) = world.detail(record) else {
      Issue.record("nothing was withdrawn")
      return
    }
    #expect(invitations.map(\.inviter) == [W.alice, W.carol])
    #expect(pending(world).isEmpty)
    #expect(world.server(W.priv).refusals.isEmpty)
  }

  @Test func `who left after accepting refuses, until he is invited again or joins`() throws {
    var world = try World()
    try world.run(.inviteUser(W.priv, W.dave, welcome: nil))
    try world.run(.acceptInvitation(W.priv, inviter: W.alice, invitee: W.dave))
    let record = try world.run(.leaveServer(W.priv, W.dave))
    #expect(record?.accepted == true)
    #expect(world.server(W.priv).refusals == [W.dave: .leftAfterAccepting])
    let again = try world.run(.inviteUser(W.priv, W.dave, welcome: nil))
    guard case .invitation(_, _, _, _, let refusal) = world.detail(again) else {
      Issue.record("no invitation was sent")
      return
    }
    #expect(refusal == .leftAfterAccepting)
    #expect(world.server(W.priv).refusals.isEmpty)
    try world.run(.declineInvitation(W.priv, inviter: W.alice, invitee: W.dave))
    try world.run(.joinServer(W.priv, W.dave))
    #expect(world.server(W.priv).refusals.isEmpty)
  }

  @Test func `who joined directly and left, or was removed after accepting, refuses nothing`() throws {
    var world = try World()
    try world.run(.leaveServer(W.priv, W.bob))
    try world.run(.inviteUser(W.priv, W.dave, welcome: nil))
    try world.run(.acceptInvitation(W.priv, inviter: W.alice, invitee: W.dave))
    try world.run(.removeUsers(W.priv, [Removal(W.dave)]))
    #expect(world.server(W.priv).refusals.isEmpty)
  }
}
