import CircleModel
import CirclePlan
import Diagnostics
import Testing

struct ServerDiffTests {
  let rust = Manifest.Entry("rust", tags: ["a", "b"]).with {
    $0.attributes[.desc] = "systems"
    $0.attributes[.type] = "public"
  }

  func applied() -> World {
    var world = World()
    world.apply(Manifest(rust))
    return world
  }

  func set(_ field: ServerField, _ value: String?, in world: inout World) {
    world.run(.updateServer(world.server("rust"), [FieldSetting(field, value.map { Text($0) })]))
  }

  @Test
  func `a created server is one, plus its tags, members and roles`() {
    let world = World()
    let plan = world.plan(Manifest(.init("go", members: ["bob"], moderators: ["carol"], tags: ["x", "y"])))
    #expect(
      plan.lines == [
        "pending create server go/alice", "pending create tag go [ → x]", "pending create tag go [ → y]",
        "pending create member go/bob", "pending create member go/carol", "pending update role go/carol",
      ])
    #expect(plan.counts.pending == 6)
    #expect(
      plan.steps == [
        "createServer go/alice", "addTagsToServer go", "joinServer go/bob", "joinServer go/carol",
        "addModeratorToServer go/carol", "markManaged go",
      ])
  }

  @Test
  func `a second apply is empty`() {
    let plan = applied().plan(Manifest(rust))
    #expect(plan.isEmpty)
    #expect(!plan.isBookkeepingOnly)
  }

  @Test
  func `a new value is pending, a value changed by hand is drift, an unmanaged one is left`() {
    var world = applied()
    set(.desc, "by hand", in: &world)
    set(.icon, "https://x/i.png", in: &world)
    let entry = rust.with { $0.attributes[.name] = "Rust" }
    let plan = world.plan(Manifest(entry))
    #expect(
      plan.lines == [
        "pending update attribute rust.name [rust → Rust]", "drift update attribute rust.desc [by hand → systems]",
      ])
    #expect(plan.steps == ["updateServer rust"])
    #expect(plan.changes.map(\.record) == [0, 0])
  }

  @Test
  func `a third value, neither last applied nor actual, is pending`() {
    var world = applied()
    set(.desc, "by hand", in: &world)
    let entry = rust.with { $0.attributes[.desc] = "third" }
    #expect(world.plan(Manifest(entry)).lines == ["pending update attribute rust.desc [by hand → third]"])
  }

  @Test
  func `a manifest that follows what was done by hand is bookkeeping alone`() {
    var world = applied()
    set(.desc, "by hand", in: &world)
    let manifest = Manifest(rust.with { $0.attributes[.desc] = "by hand" })
    let plan = world.apply(manifest)
    #expect(plan.lines == [])
    #expect(plan.isBookkeepingOnly)
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `null clears, blank is null, and public is the type of a server without one`() {
    let world = applied()
    for empty in [nil, "", "  "] {
      let entry = rust.with { $0.attributes[.desc] = .some(empty) }
      #expect(world.plan(Manifest(entry)).lines == ["pending update attribute rust.desc [systems → ]"])
    }
    #expect(world.plan(Manifest(rust.with { $0.attributes[.type] = "public" })).lines == [])
  }

  @Test
  func `tags are complete: lost ones are drift, strangers too, others pending`() {
    var world = applied()
    let server = world.server("rust")
    let first = world.state[server].tags[0]
    world.run(.removeTags(server, [first.id]))
    world.run(.addTags(server, [Given("stranger", at: .none)]))
    let plan = world.plan(Manifest(rust.with { $0.tags = ["a", "c"] }))
    #expect(
      plan.lines == [
        "pending delete tag rust [b → ]", "drift delete tag rust [stranger → ]", "drift create tag rust [ → a]",
        "pending create tag rust [ → c]",
      ])
    #expect(plan.steps == ["removeTagsFromServer rust", "addTagsToServer rust", "markManaged rust"])
    #expect(world.plan(Manifest(rust.with { $0.tags = nil })).lines == [])
  }

  @Test
  func `settings are bookkeeping, and stay when they are left out`() {
    var world = applied()
    let entry = rust.with {
      $0.membership = .additive
      $0.join = .invite
      $0.welcome = "hi"
      $0.protect = true
    }
    let plan = world.apply(Manifest(entry))
    #expect(plan.isBookkeepingOnly)
    #expect(plan.steps == ["setServerSettings rust"])
    #expect(
      plan.notes.map(\.kind) == [
        .setting(.membership, before: nil, after: "additive"), .setting(.join, before: nil, after: "invite"),
        .setting(.welcome, before: nil, after: "hi"), .setting(.protect, before: nil, after: "true"),
      ])
    #expect(world.plan(Manifest(rust)).isEmpty)
    #expect(
      world.state[world.server("rust")].settings
        == ServerSettings(membership: .additive, join: .invite, welcome: "hi", protect: true))
    world.apply(Manifest(rust.with { $0.welcome = .some(nil) }))
    #expect(world.state[world.server("rust")].settings.welcome == nil)
  }

  @Test
  func `a server that vanished is created anew, and pending`() {
    var world = applied()
    world.run(.destroyServer(world.server("rust")))
    let plan = world.plan(Manifest(rust))
    #expect(plan.lines.first == "pending create server rust/alice")
    #expect(plan.counts.drift == 0)
  }

  @Test
  func `the owner of an existing server can't change: the way out says what is lost`() throws {
    var world = applied()
    let bob = world.user("bob")
    world.run(.joinServer(world.server("rust"), bob))
    let plan = world.plan(Manifest(rust.with { $0.owner = "bob" }))
    #expect(plan.lines == ["blocked pending update owner rust/bob [alice → bob]"])
    #expect(plan.isBlocked)
    let refusal = try #require(plan.refusals.first)
    #expect(refusal.message == "the owner of an existing server can't change from 'alice' to 'bob'")
    #expect(refusal.wayOut[0].contains("apply once with --prune and without 'rust'"))
    #expect(refusal.wayOut[1].contains("1 other member joined, and 0 pending invitations"))
  }

  @Test
  func `a limit refuses a change, and the rest of the plan is shown`() throws {
    var world = World()
    world.state.limits.joined = 1
    world.create("first", owner: "dave", members: ["bob"])
    let plan = world.plan(Manifest(.init("go", members: ["bob", "carol"], moderators: ["bob"])))
    #expect(
      plan.lines == [
        "pending create server go/alice", "blocked pending create member go/bob", "pending create member go/carol",
        "blocked pending update role go/bob", "unmanaged update server first",
      ])
    #expect(plan.counts.blocked == 2)
    let refusal = try #require(plan.refusals.first)
    #expect(plan.refusals.count == 1)
    #expect(refusal.changes == 2)
    guard case .operation(.joinServer, let error) = refusal.cause else {
      Issue.record("another cause")
      return
    }
    #expect(error.name == .reachLimit)
    #expect(refusal.wayOut.first?.contains("set-limit joined") == true)
  }

  @Test
  func `what is in a server whose creation is blocked is blocked too`() {
    var world = World()
    world.state.limits.created = 0
    let plan = world.plan(Manifest(.init("go", members: ["bob"], moderators: ["carol"], tags: ["x"])))
    #expect(plan.changes.allSatisfy { $0.kind == .blocked && $0.refusal == 0 })
    #expect(plan.refusals.first?.changes == 5)
    #expect(plan.outcome.records.isEmpty)
  }
}
