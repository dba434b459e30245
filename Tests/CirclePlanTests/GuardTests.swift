import CircleModel
import Testing

@testable import CirclePlan

struct GuardTests {
  /// Twenty members listed, the first five of them moderators.
  func crowd(_ moderators: Int = 5, of members: Int = 20) -> World {
    var world = World()
    world.apply(Manifest(entry(0..<members, moderators: 0..<moderators)))
    return world
  }

  func names(_ range: Range<Int>) -> [String] { range.map { $0 < 10 ? "u0\($0)" : "u\($0)" } }

  func entry(_ members: Range<Int>, moderators: Range<Int>) -> Manifest.Entry {
    Manifest.Entry("club", members: names(members), moderators: names(moderators))
  }

  @Test(arguments: [
    (6, "30%", false), (7, "30%", true), (7, "35%", false), (7, "6", true), (7, "7", false), (1, "0", true),
    (19, "100%", false),
  ])
  func `of ten or more, removals above the share or the number are refused`(
    _ removed: Int, _ limit: String, _ isRefused: Bool
  ) throws {
    let plan = crowd(0).plan(
      Manifest(entry(removed..<20, moderators: 0..<0)),
      PlanOptions(maxRemovals: try #require(MaxRemovals(limit))))
    #expect(plan.isBlocked == isRefused)
    #expect(plan.counts.blocked == (isRefused ? removed : 0))
    #expect(plan.counts.pending == (isRefused ? 0 : removed))
  }

  @Test
  func `below ten, only leaving a set empty is refused, and at any size`() {
    #expect(!crowd(0, of: 9).plan(Manifest(entry(8..<9, moderators: 0..<0))).isBlocked)
    #expect(crowd(0, of: 9).plan(Manifest(entry(0..<0, moderators: 0..<0))).isBlocked)
    #expect(!crowd(0, of: 9).plan(Manifest(entry(9..<10, moderators: 0..<0))).isBlocked)
    let all = PlanOptions(maxRemovals: .percent(100))
    let plan = crowd(0).plan(Manifest(entry(0..<0, moderators: 0..<0)), all)
    #expect(plan.refusals.map(\.message) == ["removing all 20 members of 'club' would leave none"])
  }

  @Test
  func `a refusal prints the exact way out, which works at once and for that only`() throws {
    let world = crowd(0)
    let manifest = Manifest(entry(12..<20, moderators: 0..<0))
    let refusal = try #require(world.plan(manifest).refusals.first)
    #expect(
      refusal.message == "removing 12 of the 20 members of 'club' is more than the 30% that --max-removals allows")
    #expect(refusal.wayOut == ["if that is meant: --allow 'remove:member@club<=12' --reason '…'"])
    #expect(refusal.changes == 12)
    guard case .guard(let breach) = refusal.cause else {
      Issue.record("another cause")
      return
    }
    let allow = try GuardAllowance(parsing: breach.allowance.text)
    #expect(!world.plan(manifest, PlanOptions(allow: [allow])).isBlocked)
    let more = Manifest(entry(13..<20, moderators: 0..<0))
    #expect(world.plan(more, PlanOptions(allow: [allow])).isBlocked)
    let elsewhere = try GuardAllowance(parsing: "remove:member@other<=12")
    let otherKind = try GuardAllowance(parsing: "remove:moderator@club<=12")
    #expect(world.plan(manifest, PlanOptions(allow: [elsewhere, otherKind])).isBlocked)
  }

  @Test
  func `a lost moderator who is replaced is none`() {
    let world = crowd(5)
    #expect(!world.plan(Manifest(entry(0..<20, moderators: 5..<10))).isBlocked)
    #expect(!world.plan(Manifest(entry(0..<20, moderators: 4..<5))).isBlocked)
    let none = world.plan(Manifest(entry(0..<20, moderators: 0..<0)))
    #expect(none.refusals.map(\.message) == ["removing all 5 moderators of 'club' would leave none"])
    #expect(none.counts.blocked == 5)
  }

  @Test
  func `of ten or more moderators the loss is lost minus gained`() throws {
    let world = crowd(10)
    #expect(!world.plan(Manifest(entry(0..<20, moderators: 3..<10))).isBlocked)
    #expect(!world.plan(Manifest(entry(0..<20, moderators: 5..<12))).isBlocked)
    let plan = world.plan(Manifest(entry(0..<20, moderators: 4..<10)))
    #expect(
      try #require(plan.refusals.first).wayOut == ["if that is meant: --allow 'remove:moderator@club<=4' --reason '…'"])
  }

  @Test
  func `a moderator who is removed counts as both`() {
    let world = crowd(2)
    let plan = world.plan(Manifest(entry(2..<20, moderators: 0..<0)))
    #expect(plan.lines == ["blocked pending delete member club/u00", "blocked pending delete member club/u01"])
    #expect(plan.refusals.map(\.message) == ["removing all 2 moderators of 'club' would leave none"])
  }

  @Test
  func `the stack's servers are a set of their own, and a destroyed one's members are none`() {
    var world = World()
    let handles = (0..<10).map { "s\($0)" }
    var all = Manifest()
    all.servers = handles.map { Manifest.Entry($0, members: ["bob"]) }
    world.apply(all)
    var fewer = all
    fewer.servers.removeFirst(4)
    let plan = world.plan(fewer, PlanOptions(prune: true))
    #expect(plan.counts.blocked == 4)
    #expect(plan.refusals.map(\.wayOut) == [["if that is meant: --allow 'remove:server<=4' --reason '…'"]])
    let allow = GuardAllowance(.server, handle: nil, ceiling: 4)
    #expect(world.plan(fewer, PlanOptions(prune: true, allow: [allow])).counts.pending == 4)
  }

  @Test
  func `the way out names the handle that the server gets`() {
    let world = crowd(0)
    let renamed = entry(0..<0, moderators: 0..<0).with {
      $0.handle = "society"
      $0.renamedFrom = ["club"]
    }
    #expect(world.plan(Manifest(renamed)).refusals.first?.handle == "society")
  }

  @Test(arguments: [
    "remove:member@swift-fans<=120", "remove:moderator@h<=0", "remove:server<=999999999",
  ])
  func `an allowance reads as it is written`(_ text: String) throws {
    #expect(try GuardAllowance(parsing: text).text == text)
  }

  @Test(arguments: [
    ("", "is none of"), ("member@h<=1", "is none of"), ("remove:member@h", "names no ceiling"),
    ("remove:member@h<1", "names no ceiling"), ("remove:member@h<=", "must be a number"),
    ("remove:member@h<=-1", "must be a number"), ("remove:member@h<=1234567890", "must be a number"),
    ("remove:member<=1", "name the server by its handle"), ("remove:moderator@<=1", "name the server by its handle"),
    ("remove:server@h<=1", "must name no server"), ("remove:tag@h<=1", "no kind of removal"),
  ])
  func `a malformed allowance says what is wrong`(_ text: String, _ part: String) {
    do {
      _ = try GuardAllowance(parsing: text)
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains(part))
    }
  }

  @Test(arguments: [
    (GuardKind.moderator, 1, 1, "removing the only moderator of 'h' would leave none"),
    (.member, 3, 3, "removing all 3 members of 'h' would leave none"),
    (.member, 2, 20, "removing 2 of the 20 members of 'h' would leave none"),
    (.server, 1, 1, "removing the only server of the stack would leave none"),
  ])
  func `a guard counts as people do`(_ kind: GuardKind, _ removals: Int, _ base: Int, _ sentence: String) {
    let handle: Text? = kind == .server ? nil : "h"
    let breach = GuardBreach(kind: kind, handle: handle, removals: removals, base: base, reason: .leavesEmpty)
    #expect(breach.message == sentence)
  }

  @Test(arguments: [
    ("30%", true), ("0", true), ("100%", true), ("101%", false), ("-1", false), ("%", false), ("x", false),
  ])
  func `the share or number of removals is checked`(_ text: String, _ isValid: Bool) {
    #expect(MaxRemovals(text).map(\.text) == (isValid ? text : nil))
  }
}
