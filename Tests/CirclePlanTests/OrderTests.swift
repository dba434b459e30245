import CircleModel
import CirclePlan
import Diagnostics
import Testing

struct OrderTests {
  /// Two servers that change in everything, one to be pruned, one to be adopted, one to be created.
  func before() -> World {
    var world = World()
    world.create("stray", owner: "dave")
    world.apply(
      Manifest(
        .init("z-first", members: ["u09", "u02", "u10"], moderators: ["u05", "u06"], tags: ["old"]),
        .init("b-second", members: ["bob", "u03", "u04"], moderators: ["u08", "u07"], tags: ["old"]), .init("gone")))
    return world
  }

  var after: Manifest {
    Manifest(
      Manifest.Entry("z-first", members: ["u10", "u01"], moderators: ["u10", "u06"], tags: ["new", "newer"]).with {
        $0.attributes[.desc] = "x"
        $0.membership = .managed
      },
      Manifest.Entry("m-renamed", members: ["bob", "u09", "U08", "u11"], moderators: ["u07", "bob", "u12"], tags: [])
        .with {
          $0.renamedFrom = ["b-second"]
        }, Manifest.Entry("a-new", members: ["u02"]), Manifest.Entry("stray").with { $0.owner = nil },
      users: [.init(name: "zed"), .init(name: "Ann", fields: [.sign: "hi"]), .init(name: "bob", fields: [.sign: "yo"])])
  }

  let options = PlanOptions(prune: true)

  @Test
  func `steps run in their order, within a step by handle and lower-cased id`() {
    let plan = before().plan(after, options)
    #expect(plan.refusals.map(\.message) == [])
    #expect(
      plan.steps
        == [
          "registerUser Ann", "updateUser bob", "markManaged bob", "registerUser zed",
          "destroyServer gone",
          "removeUserFromServer m-renamed", "removeUserFromServer z-first",
          "removeModeratorFromServer m-renamed/u08",
          "removeTagsFromServer m-renamed", "removeTagsFromServer z-first",
          "renameHandle m-renamed", "adoptServer stray",
          "createServer a-new/alice",
          "updateServer m-renamed", "updateServer z-first",
          "addTagsToServer z-first",
          "joinServer a-new/u02", "joinServer m-renamed/u09", "joinServer m-renamed/u11", "joinServer m-renamed/u12",
          "joinServer z-first/u01",
          "addModeratorToServer m-renamed/bob", "addModeratorToServer m-renamed/u12",
          "addModeratorToServer z-first/u10",
          "markManaged a-new", "markManaged stray", "setServerSettings z-first",
          "markManaged z-first",
        ])
  }

  @Test
  func `all removals of a server are one record, in the order of their ids`() throws {
    let plan = before().plan(after, options)
    let records = plan.outcome.records.filter { $0.kind == .removeUsers }
    let removed = records.map { record -> [String] in
      guard case .removed(let members) = plan.outcome.detail(of: record) else { return [] }
      return members.map { plan.result.names[$0.member.user] }
    }
    #expect(removed == [["u03", "u04"], ["u02", "u05", "u09"]])
  }

  @Test
  func `changes lead to their records and to manifest lines`() {
    let plan = before().plan(after, options)
    for change in plan.changes where change.kind != .unmanaged {
      #expect(plan.record(of: change) != nil)
      #expect(change.place.isKnown == (change.rule != .prune))
    }
    #expect(plan.changes.count == plan.counts.pending + plan.counts.drift + plan.counts.unmanaged + plan.counts.blocked)
  }

  @Test
  func `the order in which manifests are written does not matter`() {
    let world = before()
    var shuffled = after
    shuffled.servers.reverse()
    shuffled.users.reverse()
    for position in shuffled.servers.indices {
      shuffled.servers[position].members?.reverse()
      shuffled.servers[position].moderators?.reverse()
    }
    let (one, other) = (world.plan(after, options), world.plan(shuffled, options))
    #expect(one.steps == other.steps)
    #expect(one.lines == other.lines)
  }

  @Test
  func `afterwards there is nothing left to do`() {
    var world = before()
    world.apply(after, options)
    #expect(world.plan(after, options).isEmpty)
    #expect(invariantViolations(of: world.state) == [])
  }

  @Test
  func `a swap at the limit works, since who leaves one server has room for another`() {
    var world = World()
    world.state.limits.joined = 1
    world.apply(Manifest(.init("a", members: ["bob", "u00"]), .init("b", members: ["carol", "u01"])))
    world.apply(Manifest(.init("a", members: ["carol", "u00"]), .init("b", members: ["bob", "u01"])))
    #expect(world.members(of: "a") == ["alice", "carol", "u00"])
  }
}
