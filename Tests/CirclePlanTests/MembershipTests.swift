import CircleModel
import CirclePlan
import Testing

/// What happens to members, by what the last apply listed, what this one lists, and the mode.
struct MembershipCase: Sendable, CustomTestStringConvertible {
  var title: String
  var mode: MembershipMode
  var members: [String]?
  var moderators: [String]?
  var expected: [String]
  var testDescription: String { title }

  init(
    _ title: String, _ mode: MembershipMode, members: [String]?, moderators: [String]?, _ expected: String...
  ) {
    self.title = title
    self.mode = mode
    self.members = members
    self.moderators = moderators
    self.expected = expected
  }
}

struct MembershipTests {
  /// Before: bob is listed as a member, carol as a moderator, dave as both, u00 joined by himself, u01 was made a
  /// moderator by hand; the owner is in the lists too and is always skipped.
  static let cases: [MembershipCase] = [
    .init(
      "the same lists change nothing but what was promoted by hand", .managed, members: ["bob", "dave", "alice"],
      moderators: ["carol", "dave", "alice"], "drift update role swift/u01"),
    .init(
      "managed removes who was listed and is no longer", .managed, members: ["dave"], moderators: ["dave"],
      "pending delete member swift/bob", "pending delete member swift/carol", "drift update role swift/u01"),
    .init(
      "who drops out of the moderators and stays listed is demoted", .managed, members: ["bob", "dave"],
      moderators: ["carol"], "pending update role swift/dave", "drift update role swift/u01"),
    .init(
      "without moderators nobody's role changes, and who was listed only there stays", .managed, members: ["bob"],
      moderators: nil, "pending delete member swift/dave"),
    .init(
      "without members who drops out of the moderators is demoted", .managed, members: nil, moderators: [],
      "pending update role swift/carol", "pending update role swift/dave", "drift update role swift/u01"),
    .init("without lists nobody changes", .managed, members: nil, moderators: nil),
    .init(
      "exact removes everyone not listed", .exact, members: ["bob"], moderators: ["carol"],
      "pending delete member swift/dave", "pending delete member swift/u00", "pending delete member swift/u01"),
    .init(
      "exact leaves moderators alone where they are not managed", .exact, members: ["bob"], moderators: nil,
      "pending delete member swift/u00"),
    .init(
      "additive removes nobody, but moderators are complete", .additive, members: ["u02"], moderators: ["bob"],
      "pending update role swift/carol", "pending update role swift/dave", "drift update role swift/u01",
      "pending create member swift/u02", "pending update role swift/bob"),
    .init(
      "a new moderator who is no member joins and is promoted", .managed, members: ["bob", "dave"],
      moderators: ["carol", "dave", "u03", "u01", "u00"], "pending create member swift/u03",
      "pending update role swift/u00",
      "pending update role swift/u03"),
  ]

  func before() -> World {
    var world = World()
    world.apply(
      Manifest(.init("swift", members: ["bob", "dave", "alice"], moderators: ["carol", "dave", "alice"])))
    let (u00, u01) = (world.user("u00"), world.user("u01"))
    let server = world.server("swift")
    world.run(.joinServer(server, u00))
    world.run(.joinServer(server, u01))
    world.run(.addModerator(server, u01))
    return world
  }

  @Test(arguments: cases)
  func `lists, mode and the last apply decide who comes, goes and changes`(_ row: MembershipCase) {
    var world = before()
    let manifest = Manifest(
      Manifest.Entry("swift", members: row.members, moderators: row.moderators).with { $0.membership = row.mode })
    let allow = [
      GuardAllowance(.member, handle: "swift", ceiling: 9), GuardAllowance(.moderator, handle: "swift", ceiling: 9),
    ]
    let plan = world.plan(manifest, PlanOptions(allow: allow))
    #expect(plan.lines == row.expected)
    world.apply(manifest, PlanOptions(allow: allow))
    #expect(world.plan(manifest).isEmpty)
    #expect(invariantViolations(of: world.state) == [])
  }

  @Test
  func `a listed member who is gone is drift, a new one is pending`() {
    var world = before()
    let bob = world.user("bob")
    world.run(.leaveServer(world.server("swift"), bob))
    let plan = world.plan(
      Manifest(.init("swift", members: ["bob", "dave", "u05"], moderators: ["carol", "dave", "u01"])))
    #expect(plan.lines == ["drift create member swift/bob", "pending create member swift/u05"])
    #expect(plan.counts.drift == 1)
    #expect(plan.counts.pending == 1)
  }

  @Test
  func `a listed moderator who was demoted by hand is drift`() {
    var world = before()
    let carol = world.user("carol")
    world.run(.removeModerator(world.server("swift"), carol))
    let plan = world.plan(
      Manifest(.init("swift", members: ["bob", "dave"], moderators: ["carol", "dave", "u01"])))
    #expect(plan.lines == ["drift update role swift/carol"])
  }

  @Test
  func `in exact mode a stranger who came after the last apply is drift`() {
    var world = World()
    let manifest = Manifest(Manifest.Entry("swift", members: ["bob"]).with { $0.membership = .exact })
    world.apply(manifest)
    let u00 = world.user("u00")
    world.run(.joinServer(world.server("swift"), u00))
    #expect(world.plan(manifest).lines == ["drift delete member swift/u00"])
  }

  @Test(arguments: MembershipMode.allCases)
  func `the absent are removed in every mode, registered or not`(_ mode: MembershipMode) {
    var world = before()
    let entry = Manifest.Entry("swift", members: ["bob", "dave", "u01"], moderators: ["carol", "dave", "u01"]).with {
      $0.membership = mode
      $0.absent = ["u00", "u07", "nobody"]
    }
    let plan = world.apply(Manifest(entry))
    #expect(plan.lines.contains("pending delete member swift/u00"))
    #expect(world.role("u00", in: "swift") == nil)
  }

  @Test
  func `the owner of an existing server can't be absent`() {
    let world = before()
    let entry = Manifest.Entry("swift").with {
      $0.owner = nil
      $0.absent = ["alice"]
    }
    #expect(world.plan(Manifest(entry)).codes == ["plan.owner-absent"])
  }

  @Test
  func `without a members key it is forgotten who was listed`() {
    var world = before()
    world.apply(Manifest(.init("swift")))
    #expect(world.plan(Manifest(.init("swift", members: ["dave"]))).lines == [])
  }

  @Test
  func `the mode last applied stays when it is left out`() {
    var world = World()
    world.apply(Manifest(Manifest.Entry("swift", members: ["bob", "carol"]).with { $0.membership = .additive }))
    #expect(world.plan(Manifest(.init("swift", members: ["bob"]))).lines == [])
    let managed = Manifest.Entry("swift", members: ["bob"]).with { $0.membership = .managed }
    #expect(world.plan(Manifest(managed)).lines == ["pending delete member swift/carol"])
  }

  @Test
  func `members whom nobody lists are counted`() {
    let world = before()
    let plan = world.plan(Manifest(.init("swift", members: ["bob", "dave"], moderators: ["carol", "dave"])))
    #expect(plan.counts.unmanagedMembers == 2)
    #expect(plan.unmanagedMembers.map(\.users.count) == [2])
  }
}
