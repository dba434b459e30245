import CircleModel
import Testing

@testable import CirclePlan

struct SelectorTests {
  private func world() -> World {
    var world = World()
    world.apply(
      Manifest(
        Manifest.Entry("alpha", members: ["bob", "carol"], moderators: ["dave"], tags: ["ios"]),
        Manifest.Entry("beta", members: ["bob"], tags: ["web"])))
    return world
  }

  /// Something of every kind.
  private let wanted = Manifest(
    Manifest.Entry("alpha", members: ["bob", "u00"], moderators: ["bob"], tags: ["ios", "mac"])
      .with { $0.attributes[.desc] = "new" },
    Manifest.Entry("beta", members: ["bob", "u01"], tags: ["web"]),
    Manifest.Entry("gamma", members: ["zoe"], moderators: ["u02"], tags: ["new"]),
    users: [Manifest.Person(name: "zoe")])

  private func lines(only: [String] = [], exclude: [String] = []) throws -> (lines: [String], left: String) {
    let selection = Selection(
      only: try only.map { try Selector(parsing: $0) }, exclude: try exclude.map { try Selector(parsing: $0) })
    let plan = world().plan(wanted, PlanOptions(allow: PlanPropertyTests.everything, selection: selection))
    #expect(plan.refusals.map(\.message) == [])
    return (plan.lines, "\(plan.counts.leftOut)/\(plan.counts.dependent)")
  }

  @Test(
    arguments: [
      (["beta"], [], ["pending create member beta/u01"]),
      (["bet?"], [], ["pending create member beta/u01"]),
      (["*a,tag=web"], [], ["pending create member beta/u01"]),
      (["kind=user"], [], ["pending create user zoe"]),
      (["kind=tag"], [], ["pending create tag alpha [ → mac]"]),
      (["alpha,action=delete"], [], ["pending delete member alpha/carol", "pending delete member alpha/dave"]),
      (
        ["alpha,kind=server", "beta"], [],
        ["pending update attribute alpha.desc [ → new]", "pending create member beta/u01"]
      ),
      (
        ["alpha"], ["kind=member", "kind=tag"],
        [
          "pending update attribute alpha.desc [ → new]", "pending update role alpha/bob",
        ]
      ),
      (
        ["gamma"], ["kind=tag"],
        [
          "pending create server gamma/alice", "pending create member gamma/u02", "pending update role gamma/u02",
        ]
      ),
    ] as [([String], [String], [String])])
  func `only what is chosen is in the plan, and all else is counted`(
    only: [String], exclude: [String], expected: [String]
  ) throws {
    let (lines, left) = try lines(only: only, exclude: exclude)
    #expect(lines.sorted() == expected.sorted())
    let all = try self.lines().lines.count
    #expect(left.hasPrefix("\(all - expected.count)/"), "\(left) of \(all)")
  }

  @Test
  func `what depends on something left out is left out too, and counted`() throws {
    // The server is not created, so nothing can be in it: a tag, two members and a role.
    let (lines, left) = try lines(exclude: ["gamma,kind=server"])
    #expect(!lines.contains { $0.contains("gamma") })
    #expect(left == "5/4")
    // He is not registered, so he can't join.
    let (others, more) = try self.lines(exclude: ["kind=user"])
    #expect(!others.contains { $0.contains("zoe") })
    #expect(more == "2/1")
    // Nobody who does not join is promoted.
    let (roles, few) = try self.lines(only: ["gamma,kind=server", "kind=moderator"])
    #expect(!roles.contains("pending update role gamma/u02"))
    #expect(few.hasSuffix("/1"))
  }

  @Test
  func `a plan in part notes nothing as applied that it left out`() throws {
    var world = world()
    let parts = ["alpha,kind=tag", "kind=member", "beta", "kind=user", "kind=moderator", "gamma"]
    for part in parts {
      let options = PlanOptions(
        allow: PlanPropertyTests.everything, selection: Selection(only: [try Selector(parsing: part)]))
      world.apply(wanted, options)
      #expect(invariantViolations(of: world.state) == [])
    }
    world.apply(wanted, PlanOptions(allow: PlanPropertyTests.everything))
    var whole = self.world()
    whole.apply(wanted, PlanOptions(allow: PlanPropertyTests.everything))
    for handle in ["alpha", "beta", "gamma"] { #expect(world.members(of: handle) == whole.members(of: handle)) }
    #expect(world.plan(wanted).steps == [])
  }

  @Test(arguments: ["kind=moderator", "action=update"])
  func `a promotion that is left out where its user joins is pending, not drift`(selector: String) throws {
    var world = world()
    let selection = Selection(exclude: [try Selector(parsing: selector)])
    world.apply(wanted, PlanOptions(allow: PlanPropertyTests.everything, selection: selection))
    #expect(world.plan(wanted).lines.contains("pending update role gamma/u02"))
    #expect(world.plan(wanted).counts.drift == 0)
    world.apply(wanted, PlanOptions(allow: PlanPropertyTests.everything))
    #expect(world.plan(wanted).steps == [])
  }

  @Test
  func `a server is destroyed only where that is chosen, and its handle stays taken`() throws {
    var world = World()
    world.apply(Manifest(Manifest.Entry("alpha", members: ["bob"]), Manifest.Entry("beta", members: ["bob"])))
    let id = world.state[world.server("alpha")].id.string
    let moved = Manifest(Manifest.Entry("beta", members: ["bob"]).with { $0.serverID = id })
    let allow = [GuardAllowance(.server, handle: nil, ceiling: 2)]
    let whole = world.plan(moved, PlanOptions(prune: true, allow: allow))
    #expect(whole.steps.prefix(2) == ["destroyServer beta", "renameHandle beta"])
    let part = world.plan(
      moved,
      PlanOptions(prune: true, allow: allow, selection: Selection(exclude: [try Selector(parsing: "action=delete")])))
    #expect(part.refusals.map(\.message) == [])
    #expect(part.lines == ["pending update attribute alpha.name [alpha → beta]"])
    #expect(part.counts.leftOut == 2 && part.counts.dependent == 1)
  }

  @Test(arguments: ["", "kind=thing", "action=grow", "Tag=x", "tag=", "a,,b", "Alpha", "x=y"])
  func `what is no selector is refused in a sentence`(text: String) {
    #expect(throws: Selector.Malformed.self) { try Selector(parsing: text) }
  }

  @Test
  func `a handle that is nowhere is told`() throws {
    let world = world()
    var state = world.state
    let desired = wanted.desired(over: &state)
    let selection = Selection(only: [
      try Selector(parsing: "alhpa"), try Selector(parsing: "x*"), try Selector(parsing: "gamma"),
    ])
    #expect(unknownHandles(selection, desired, state) == ["alhpa"])
  }
}

struct LookalikeTests {
  @Test(
    arguments: [
      (["bob", "carol", "dave"], ["bob", "carol", "u00"], "alice", 2 as Int?),
      (["bob", "carol", "dave"], ["bob", "u01", "u00"], "alice", nil),
      (["bob", "carol", "dave"], ["bob", "carol", "dave"], "u05", nil),
      (["bob"], ["bob", "carol", "dave", "u00"], "alice", nil),
    ] as [([String], [String], String, Int?)])
  func `a destroy and a create that look like one server suggest a rename`(
    before: [String], after: [String], owner: String, shared: Int?
  ) {
    var world = World()
    world.apply(Manifest(Manifest.Entry("old", members: before), Manifest.Entry("rest", members: ["bob"])))
    let next = Manifest(
      Manifest.Entry("new", members: after).with { $0.owner = owner }, Manifest.Entry("rest", members: ["bob"]))
    let plan = world.plan(next, PlanOptions(prune: true, maxRemovals: .percent(100)))
    let hints = plan.notes.compactMap { note in
      if case .looksRenamed(let from, let shared, _) = note.kind {
        return "\(plan.result.handle(of: from)) \(plan.result.handle(of: note.server)) \(shared)"
      }
      return nil
    }
    #expect(hints == (shared.map { ["old new \($0)"] } ?? []))
    #expect(world.plan(next, PlanOptions()).notes.allSatisfy { $0.lookalike == .none })
  }
}
