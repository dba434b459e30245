import CircleModel
import CirclePlan
import Testing

struct ServerMatchingTests {
  @Test
  func `a server of no stack is adopted, which is bookkeeping and a note`() {
    var world = World()
    world.create("go", owner: "alice")
    let manifest = Manifest(.init("go"))
    let plan = world.apply(manifest)
    #expect(plan.steps == ["adoptServer go", "markManaged go"])
    #expect(plan.isBookkeepingOnly)
    #expect(plan.notes.map(\.kind) == [.adoption])
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `another stack's server is a fault, and never unmanaged`() {
    var world = World()
    world.create("go", owner: "alice", stack: "other")
    #expect(world.plan(Manifest(.init("go"))).codes == ["plan.other-stack"])
    #expect(world.plan(Manifest(.init("rust"))).counts.unmanaged == 0)
    #expect(world.plan(Manifest(.init("go")), PlanOptions(stack: "other")).codes == [])
  }

  @Test
  func `a server id adopts under another handle, and frees the old one`() {
    var world = World()
    world.create("old", owner: "alice")
    let id = world.state[world.server("old")].id
    let manifest = Manifest(Manifest.Entry("new").with { $0.serverID = id.string }, Manifest.Entry("old"))
    let plan = world.apply(manifest)
    #expect(
      plan.lines == [
        "pending update handle new [old → new]", "pending create server old/alice",
        "pending update attribute new.name [old → new]",
      ])
    #expect(world.state[world.server("new")].id == id)
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `an unknown id is a fault`() {
    let entry = Manifest.Entry("go").with { $0.serverID = "AAAAAAAAAAAAAAAAAAAAAA" }
    #expect(World().plan(Manifest(entry)).codes == ["plan.unknown-server-id"])
  }

  @Test
  func `a renamed server keeps its id and members`() {
    var world = World()
    world.apply(Manifest(.init("old", members: ["bob"])))
    let id = world.state[world.server("old")].id
    let manifest = Manifest(Manifest.Entry("new", members: ["bob"]).with { $0.renamedFrom = ["older", "old"] })
    let plan = world.apply(manifest)
    #expect(
      plan.lines == ["pending update handle new [old → new]", "pending update attribute new.name [old → new]"])
    #expect(plan.changes.first?.rule == .renamedFrom)
    #expect(world.state[world.server("new")].id == id)
    #expect(world.plan(manifest).isEmpty)
  }

  @Test
  func `renamedFrom finds only servers of this stack, and only while the new handle is free`() {
    var world = World()
    world.create("old", owner: "alice")
    let entry = Manifest.Entry("new").with { $0.renamedFrom = ["old"] }
    #expect(
      world.plan(Manifest(entry)).lines == ["pending create server new/alice", "unmanaged update server old"])
    world.apply(Manifest(.init("old"), .init("new")))
    #expect(world.plan(Manifest(entry)).lines == ["unmanaged update server old"])
  }

  @Test
  func `two old handles and two claimants are faults`() {
    var world = World()
    world.apply(Manifest(.init("a"), .init("b")))
    let both = Manifest.Entry("c").with { $0.renamedFrom = ["a", "b"] }
    #expect(world.plan(Manifest(both)).codes == ["plan.two-old-handles"])
    let first = Manifest.Entry("c").with { $0.renamedFrom = ["a"] }
    let second = Manifest.Entry("d").with { $0.renamedFrom = ["a"] }
    #expect(world.plan(Manifest(first, second)).codes == ["plan.two-claimants"])
    #expect(world.plan(Manifest(first, Manifest.Entry("a"))).codes == ["plan.two-claimants"])
  }

  @Test
  func `a server that is not there needs a name and an owner`() {
    let entry = Manifest.Entry("go").with {
      $0.attributes = [:]
      $0.owner = nil
    }
    #expect(World().plan(Manifest(entry)).codes == ["plan.missing-name", "plan.missing-owner"])
  }

  @Test
  func `renames run in the order in which handles become free`() {
    var world = World()
    world.apply(Manifest(.init("a"), .init("b"), .init("c")))
    let ids = ["a", "b", "c"].map { world.state[world.server($0)].id.string }
    func entry(_ handle: String, _ id: String) -> Manifest.Entry {
      Manifest.Entry(handle).with {
        $0.serverID = id
        $0.attributes = [:]
      }
    }
    let chain = Manifest(entry("b", ids[0]), entry("c", ids[1]), entry("d", ids[2]))
    #expect(
      world.plan(chain).lines == [
        "pending update handle d [c → d]", "pending update handle c [b → c]", "pending update handle b [a → b]",
      ])
    let circle = world.plan(Manifest(entry("b", ids[0]), entry("a", ids[1]), entry("c", ids[2])))
    #expect(
      circle.lines == ["blocked pending update handle a [a → b]", "blocked pending update handle b [b → a]"])
    #expect(circle.refusals.map(\.message) == ["servers can't change handles in a circle: 'a' → 'b' → 'a'"])
    #expect(circle.refusals.first?.changes == 2)
  }

  @Test
  func `a handle that another server keeps is taken`() {
    var world = World()
    world.apply(Manifest(.init("a"), .init("b")))
    let id = world.state[world.server("a")].id.string
    let plan = world.plan(
      Manifest(
        Manifest.Entry("b").with {
          $0.serverID = id
          $0.attributes = [:]
        }))
    #expect(plan.lines == ["blocked pending update handle a [a → b]", "unmanaged update server b"])
  }

  @Test
  func `servers of this stack that no manifest names are destroyed only with prune`() {
    var world = World()
    world.apply(Manifest(.init("a"), .init("b", members: ["bob"])))
    let kept = world.plan(Manifest(.init("a")))
    #expect(kept.lines == ["unmanaged update server b"])
    #expect(kept.notes.map(\.kind) == [.notPruned])
    #expect(kept.isEmpty)
    let pruned = world.apply(Manifest(.init("a")), PlanOptions(prune: true))
    #expect(pruned.lines == ["pending delete server b"])
    #expect(pruned.steps == ["destroyServer b"])
    #expect(world.plan(Manifest(.init("a")), PlanOptions(prune: true)).isEmpty)
    #expect(invariantViolations(of: world.state) == [])
  }

  @Test
  func `prune leaves servers of no stack and of others, and stops at protect`() {
    var world = World()
    world.create("free", owner: "alice")
    world.create("theirs", owner: "alice", stack: "other")
    world.apply(Manifest(.init("a"), Manifest.Entry("b").with { $0.protect = true }))
    let plan = world.plan(Manifest(.init("a")), PlanOptions(prune: true))
    #expect(plan.lines == ["blocked pending delete server b", "unmanaged update server free"])
    #expect(plan.refusals.first?.wayOut.first?.contains("protect: false") == true)
  }

  @Test
  func `a destroyed server's members have room for another one`() {
    var world = World()
    world.state.limits.joined = 1
    world.apply(Manifest(.init("a"), .init("b", members: ["bob"])))
    let plan = world.apply(Manifest(.init("a", members: ["bob"])), PlanOptions(prune: true))
    #expect(plan.lines == ["pending delete server b", "pending create member a/bob"])
  }

  @Test
  func `the scope names handles, ids and old handles, and the details of users, whose devices hear of it`() {
    var world = World()
    let entry = Manifest.Entry("new").with {
      $0.renamedFrom = ["old"]
      $0.serverID = "AAAAAAAAAAAAAAAAAAAAAA"
    }
    let plain = scope(of: Manifest(entry, users: [.init(name: "bob")]).desired(over: &world.state), options: .init())
    #expect(plain.servers == ["new", "AAAAAAAAAAAAAAAAAAAAAA", "old"])
    #expect(plain.everyServer && !plain.everyUser && plain.userDetails && plain.stack == nil)
    let managed = Manifest(entry, users: [.init(name: "bob", fields: [.sign: "x"])])
    let full = scope(of: managed.desired(over: &world.state), options: PlanOptions(prune: true))
    #expect(full.stack == "default")
  }
}
