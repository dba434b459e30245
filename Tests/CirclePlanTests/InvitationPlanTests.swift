import CircleModel
import CirclePlan
import Testing

struct InvitationPlanTests {
  let club = Manifest.Entry("club", members: ["bob"], moderators: ["carol"]).with { $0.join = .invite }

  func invited() -> World {
    var world = World()
    world.apply(Manifest(club))
    return world
  }

  func answer(_ name: String, _ accepts: Bool, in world: inout World) {
    let (owner, invitee, server) = (world.user("alice"), world.user(name), world.server("club"))
    world.run(
      accepts
        ? .acceptInvitation(server, inviter: owner, invitee: invitee)
        : .declineInvitation(server, inviter: owner, invitee: invitee))
  }

  @Test
  func `listed users are invited once`() {
    let world = World()
    let plan = world.plan(Manifest(club))
    #expect(
      plan.lines == [
        "pending create server club/alice", "pending create invitation club/bob",
        "pending create invitation club/carol",
      ])
    #expect(invited().plan(Manifest(club)).isEmpty)
  }

  @Test
  func `a listed moderator is promoted by the first apply after he accepted`() {
    var world = invited()
    answer("carol", true, in: &world)
    #expect(world.plan(Manifest(club)).lines == ["drift update role club/carol"])
    world.apply(Manifest(club))
    #expect(world.role("carol", in: "club") == .moderator)
    #expect(world.plan(Manifest(club)).isEmpty)
  }

  @Test
  func `who declined, or left after accepting, is noted and not invited again`() {
    var world = invited()
    answer("bob", false, in: &world)
    answer("carol", true, in: &world)
    let carol = world.user("carol")
    world.run(.leaveServer(world.server("club"), carol))
    let plan = world.plan(Manifest(club))
    #expect(plan.isEmpty)
    #expect(plan.notes.map(\.kind) == [.notInvitedAgain(.declined), .notInvitedAgain(.leftAfterAccepting)])
  }

  @Test
  func `a changed welcome asks those again who refused, and sends nothing to those who have not answered`() {
    var world = invited()
    answer("bob", false, in: &world)
    let manifest = Manifest(club.with { $0.welcome = "do come" })
    let plan = world.apply(manifest)
    #expect(plan.lines == ["pending create invitation club/bob"])
    #expect(world.plan(manifest).isEmpty)
    answer("bob", false, in: &world)
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `under direct neither a pending invitation nor a refusal counts, and a member is more than was applied`() {
    var world = invited()
    answer("bob", false, in: &world)
    let manifest = Manifest(club.with { $0.join = .direct })
    let plan = world.apply(manifest)
    #expect(
      plan.lines == [
        "pending create member club/bob", "pending create member club/carol", "pending update role club/carol",
      ])
    #expect(world.state[world.server("club")].invitations.isEmpty)
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `whom a type that changes brings in otherwise is pending, whom somebody else took out is drift`() {
    var world = World()
    let club = Manifest.Entry("club", members: ["bob", "carol"]).with { $0.attributes[.type] = .some("private") }
    let opened = Manifest(club.with { $0.attributes[.type] = .some("public") })
    world.apply(Manifest(club))
    #expect(
      world.plan(opened).lines.dropFirst() == ["pending create member club/bob", "pending create member club/carol"])
    world.apply(opened)
    let bob = world.user("bob")
    world.run(.leaveServer(world.server("club"), bob))
    #expect(world.plan(opened).lines == ["drift create member club/bob"])
    #expect(world.plan(Manifest(club)).lines.dropFirst() == ["pending create invitation club/bob"])
  }

  @Test
  func `an invitation that somebody else withdrew is drift as long as the manifest invites`() {
    var world = invited()
    let bob = world.user("bob")
    world.run(.withdrawInvitation(world.server("club"), bob, inviter: nil))
    #expect(world.plan(Manifest(club)).lines == ["drift create invitation club/bob"])
    #expect(
      world.plan(Manifest(club.with { $0.join = .direct })).lines == [
        "pending create member club/bob", "pending create member club/carol", "pending update role club/carol",
      ])
  }

  @Test(arguments: [("private", true), ("public", false)])
  func `the type after the plan decides how listed users come in`(_ type: String, _ isInvited: Bool) {
    var world = World()
    world.apply(Manifest(Manifest.Entry("club").with { $0.attributes[.type] = isInvited ? "public" : "private" }))
    let plan = world.plan(
      Manifest(Manifest.Entry("club", members: ["bob"]).with { $0.attributes[.type] = .some(type) }))
    #expect(plan.lines.last == "pending create \(isInvited ? "invitation" : "member") club/bob")
  }

  @Test
  func `invitations of those who would be removed are withdrawn`() {
    var world = invited()
    let (owner, server) = (world.user("alice"), world.server("club"))
    let stranger = world.user("u00")
    world.run(.inviteUser(server, stranger, welcome: nil), by: .user(owner, device: nil))
    let none = club.with { $0.members = [] }
    #expect(world.plan(Manifest(none)).lines == ["pending delete invitation club/bob"])
    let exact = none.with { $0.membership = .exact }
    #expect(
      world.plan(Manifest(exact)).lines == [
        "pending delete invitation club/bob", "pending delete invitation club/u00",
      ])
    let additive = none.with {
      $0.membership = .additive
      $0.absent = ["u00"]
    }
    #expect(world.plan(Manifest(additive)).lines == ["pending delete invitation club/u00"])
    world.apply(Manifest(exact))
    #expect(world.plan(Manifest(exact)).isEmpty)
  }

  @Test
  func `who loses his invitation because its sender is removed is invited by the owner`() {
    var world = World()
    let club = Manifest.Entry("club", members: ["dave"]).with { $0.join = .direct }
    world.apply(Manifest(club))
    let (dave, bob) = (world.user("dave"), world.user("bob"))
    world.run(.inviteUser(world.server("club"), bob, welcome: nil), by: .user(dave, device: nil))
    let manifest = Manifest(
      club.with {
        $0.members = ["bob", "carol"]
        $0.join = .invite
      })
    let allow = PlanOptions(allow: [GuardAllowance(.member, handle: "club", ceiling: 1)])
    let plan = world.apply(manifest, allow)
    #expect(
      plan.lines == [
        "pending delete member club/dave", "pending create invitation club/bob", "pending create invitation club/carol",
      ])
    #expect(world.plan(manifest).isEmpty)
  }
}
