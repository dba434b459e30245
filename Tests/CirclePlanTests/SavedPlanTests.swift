import CircleModel
import Diagnostics
import Testing
import Testkit

@testable import CirclePlan

struct SavedPlanTests {
  /// A plan as its file has it.
  private func text(_ saved: SavedPlan) -> [UInt8] {
    var bytes: [UInt8] = []
    saved.write { (piece) throws(Never) in bytes.append(contentsOf: piece) }
    return bytes
  }

  private func read(_ bytes: [UInt8]) throws(PlanFileError) -> SavedPlan {
    try SavedPlan(reading: bytes, file: 0, path: "plan.json")
  }

  /// The plan, saved, read again and decided again in the world as it is now.
  private func replay(_ saved: SavedPlan, in world: World) throws -> PlanReplay {
    let read = try read(text(saved))
    return PlanReplay(read, on: world.snapshot(of: read), options: read.options, context: world.planContext)
  }

  @Test(arguments: 0..<30)
  func `a plan that was saved and read does what the plan does`(_ seed: UInt64) throws {
    var random = SplitMix(seed)
    var world = World()
    for _ in 0..<5 {
      world.meddle(&random)
      let manifest = Manifest.random(&random)
      let options = PlanOptions(
        prune: Bool.random(using: &random), maxRemovals: .percent(100), allow: PlanPropertyTests.everything)
      var snapshot = world.state
      let desired = manifest.desired(over: &snapshot)
      let plan = CirclePlan.plan(desired: desired, actual: snapshot, options: options, context: world.planContext)
      guard !plan.isBlocked else { continue }
      let saved = SavedPlan(plan, options: options, on: snapshot) { _ in "a.yaml" }
      let bytes = text(saved)
      let again = try read(bytes)
      #expect(text(again) == bytes)
      #expect(again.digest == saved.digest)
      #expect(again.plan.lines == plan.lines)
      #expect(again.plan.counts == plan.counts)
      let replay = try replay(saved, in: world)
      #expect(replay.stale == [])
      #expect(replay.plan.steps == plan.steps)
      #expect(replay.plan.lines == plan.lines.filter { !$0.hasPrefix("unmanaged") })
      #expect(replay.plan.counts.pending == plan.counts.pending && replay.plan.counts.drift == plan.counts.drift)
      #expect(replay.plan.outcome.records.map(\.audience) == plan.outcome.records.map(\.audience))
      #expect(replay.plan.outcome.records.map(\.place.line) == plan.outcome.records.map(\.place.line))
      world.state = replay.plan.result
      #expect(invariantViolations(of: world.state) == [])
      // The base is the same, too: planning again gives nothing.
      #expect(world.plan(manifest, options).steps == [])
      // Unless it only notes what is noted by then, it can't run twice.
      let twice = try self.replay(saved, in: world)
      #expect(plan.changes.allSatisfy { $0.kind == .unmanaged } || !twice.stale.isEmpty)
    }
  }

  // MARK: What has changed meanwhile

  /// A club with two servers, and what a plan is about to do with them.
  private func club() -> (World, SavedPlan) {
    var world = World()
    var manifest = Manifest(
      Manifest.Entry("club", members: ["bob", "carol", "dave", "u00"], moderators: ["u01"], tags: ["a", "b"]),
      Manifest.Entry("old", members: ["bob"]), Manifest.Entry("other", members: ["bob", "carol"], tags: ["x"]),
      users: [Manifest.Person(name: "bob", fields: [.sign: "one"], devices: ["mac"])])
    world.apply(manifest)
    manifest.servers[0].members = ["bob", "carol", "u00", "u02"]
    manifest.servers[0].moderators = ["u01", "u00"]
    manifest.servers[0].tags = ["a", "c"]
    manifest.servers[0].attributes[.desc] = "new"
    manifest.servers.remove(at: 1)
    manifest.servers.append(Manifest.Entry("fresh", members: ["carol"]))
    manifest.users[0].fields[.sign] = "two"
    manifest.users[0].devices = ["phone"]
    let options = PlanOptions(
      prune: true, maxRemovals: .percent(100), allow: [GuardAllowance(.server, handle: nil, ceiling: 9)])
    let plan = world.plan(manifest, options)
    #expect(plan.refusals.map(\.message) == [])
    return (world, SavedPlan(plan, options: options, on: world.state) { _ in "a.yaml" })
  }

  /// What somebody does in between, and what the plan then says; nil: it does not mind.
  static let between: [(what: String, String?)] = [
    ("nothing", nil),
    ("join other u05", nil),
    ("join club u05", nil),
    ("desc other", nil),
    ("name club", nil),
    ("tag other", nil),
    ("register zoe", nil),
    ("alias bob", nil),
    ("rename other", nil),
    ("desc club", "'desc' of 'club' has changed"),
    ("sign bob", "'sign' of user 'bob' has changed"),
    ("devices bob", "the devices of user 'bob' have changed"),
    ("remove club dave", "'club': dave is not a member (notMember)"),
    ("join club u02", "'club': u02 is a member already (repeatedOperation)"),
    ("promote club u00", "'club': u00 is a moderator already (repeatedOperation)"),
    ("promote club dave", "'dave' is a moderator of 'club' now"),
    ("remove club u00", "'club': u00 is not a member (notMember)"),
    ("tag c club", "'club' has the tag 'c' already"),
    ("untag club", "'club' no longer has the tag '"),
    ("create fresh", "'fresh': the handle 'fresh' is taken (handleTaken)"),
    ("join old u05", "'old', which is to be destroyed, has 3 members now"),
    ("desc old", "'old', which is to be destroyed, has changed"),
    ("promote old bob", "'old', which is to be destroyed, has changed"),
    ("destroy club", "there is no server 'club' any more"),
    ("release club", "'club' belongs to no stack now"),
    ("release other", nil),
    ("destroy old", "there is no server 'old' any more"),
  ]

  @Test(arguments: between)
  func `a change of what the plan changes makes it stale, one elsewhere does not`(what: String, stale: String?) throws {
    var (world, saved) = club()
    world.act(what)
    let replay = try replay(saved, in: world)
    if let stale {
      #expect(replay.stale.contains { $0.message.hasPrefix(stale) }, "\(replay.stale.map(\.message))")
    } else {
      #expect(replay.stale == [])
      #expect(replay.plan.refusals.map(\.message) == [])
      world.state = replay.plan.result
      #expect(world.members(of: "club").contains("u02"))
      #expect(invariantViolations(of: world.state) == [])
    }
  }

  @Test
  func `what something else changed after the plan was made is still drift afterwards`() throws {
    var (world, saved) = club()
    world.act("name club")
    world.state = try replay(saved, in: world).plan.result
    #expect(world.state[world.server("club")].base.overrides.map(\.field) == [.name])
    let lines = world.plan(Manifest(Manifest.Entry("club"))).lines
    #expect(lines.contains("drift update attribute club.name [by hand → club]"))
  }

  @Test
  func `a guard that the state now trips refuses the plan, and what was allowed stays allowed`() throws {
    var world = World()
    let everybody = Array(World.people.dropFirst().prefix(20))
    world.apply(Manifest(Manifest.Entry("club", members: everybody)))
    let fewer = Manifest(Manifest.Entry("club", members: Array(everybody.dropFirst(4))))
    let plan = world.plan(fewer)
    #expect(!plan.isBlocked)
    let saved = SavedPlan(plan, options: PlanOptions(), on: world.state) { _ in "a.yaml" }
    for name in everybody.suffix(10) { world.act("remove club \(name)") }
    let replay = try replay(saved, in: world)
    #expect(replay.stale == [])
    #expect(
      replay.plan.refusals.map(\.message) == [
        "removing 4 of the 10 members of 'club' is more than the 30% that --max-removals allows"
      ])
    var allowing = PlanOptions()
    allowing.allow = [GuardAllowance(.member, handle: "club", ceiling: 4)]
    let passed = SavedPlan(plan, options: allowing, on: world.state) { _ in "a.yaml" }
    #expect(try !self.replay(passed, in: world).plan.isBlocked)
  }

  // MARK: Files that are not what they say

  @Test
  func `any other byte makes the file unusable, or says the same`() throws {
    let (_, saved) = club()
    let bytes = text(saved)
    var random = SplitMix(7)
    for _ in 0..<600 {
      var changed = bytes
      let position = random.below(changed.count)
      switch random.below(3) {
      case 0: changed[position] = UInt8(random.below(256))
      case 1: changed.remove(at: position)
      default: changed.insert(UInt8(ascii: "0"), at: position)
      }
      if changed == bytes { continue }
      do throws(PlanFileError) {
        let read = try read(changed)
        #expect(read.digest == saved.digest)
      } catch {
        #expect(error.diagnostic.code.hasPrefix("plan-file."))
      }
    }
    for length in stride(from: 0, to: bytes.count - 2, by: 29) {
      #expect(throws: PlanFileError.self) { try self.read(Array(bytes.prefix(length))) }
    }
  }

  /// A change of the text, and the fault it makes.
  static let faults: [(old: String, new: String, code: String)] = [
    ("\"circlectlPlan\": 1", "\"circlectlPlan\": 2", "plan-file.version"),
    ("\"circlectlPlan\": 1", "\"circlectlPlan\": \"1\"", "plan-file.version"),
    ("\"circlectlPlan\": 1", "\"circlectlPlan\": 1, \"more\": 1", "plan-file.content"),
    ("\"u02\"", "\"u03\"", "plan-file.digest"),
    ("\"u02\"", "\"@all\"", "plan-file.content"),
    ("\"joinServer\"", "\"setLimit\"", "plan-file.content"),
    ("\"joinServer\"", "\"leaveServer\"", "plan-file.content"),
    ("\"rule\":\"manifest\"", "\"rule\":\"whim\"", "plan-file.content"),
    ("\"at\":[0,", "\"at\":[1,", "plan-file.content"),
    ("\"at\":[0,", "\"at\":[-1,", "plan-file.content"),
    ("\"at\":[0,", "\"at\":[99999999999999999999,", "plan-file.syntax"),
    ("\"members\":6", "\"members\":9223372036854775807", "plan-file.content"),
    ("\"members\":6", "\"members\":-1", "plan-file.content"),
    ("\"members\":6", "\"members\":1e300", "plan-file.content"),
    ("\"stack\": \"default\"", "\"stack\": \"\"", "plan-file.content"),
    ("\"maxRemovals\":\"100%\"", "\"maxRemovals\":\"1000%\"", "plan-file.content"),
    ("\"allow\":[", "\"allow\":[\"everything\",", "plan-file.content"),
    ("\"dependent\":0", "\"dependent\":0,\"x\":[[[[]]]]", "plan-file.content"),
    ("\"role\":\"user\"", "\"role\":\"king\"", "plan-file.content"),
    ("\"files\": [\"a.yaml\"]", "\"files\": \"a.yaml\"", "plan-file.content"),
  ]

  @Test(arguments: faults)
  func `a file that was edited is refused, with its line`(old: String, new: String, code: String) throws {
    let (_, saved) = club()
    let text = String(decoding: text(saved), as: UTF8.self)
    let range = try #require(text.firstRange(of: old))
    let changed = text[..<range.lowerBound] + new + text[range.upperBound...]
    let error = try #require(throws: PlanFileError.self) { try self.read(Array(changed.utf8)) }
    #expect(error.diagnostic.code == code)
    #expect(error.diagnostic.place.line > 0)
  }

  @Test
  func `the layout of a file does not matter, the order of its members does`() throws {
    let (_, saved) = club()
    let text = String(decoding: text(saved), as: UTF8.self)
    let spread = text.split(separator: ",", omittingEmptySubsequences: false).joined(separator: " ,\n\t")
    #expect(try read(Array(spread.utf8)).digest == saved.digest)
  }

  @Test
  func `plans are told from manifests by their first key`() {
    #expect(SavedPlan.isPlan(Array("{\"circlectlPlan\": 1".utf8)))
    #expect(SavedPlan.isPlan(Array("\u{FEFF} \n{ \"circlectlPlan\":7".utf8)))
    for text in ["", "{", "{\"version\": 1, \"circlectlPlan\": 1}", "circlectlPlan: 1", "version: 1"] {
      #expect(!SavedPlan.isPlan(Array(text.utf8)), "\(text)")
    }
  }

  @Test
  func `two plans are compared by what they change`() {
    let (world, saved) = club()
    var other = Manifest(Manifest.Entry("club", members: ["bob", "carol", "u00", "u02"], tags: ["a", "b"]))
    other.servers[0].moderators = ["u01"]
    let second = world.plan(other)
    let comparison = PlanComparison(saved.plan, second)
    let lines = saved.plan.lines
    #expect(comparison.shared == 2)
    #expect(comparison.onlyInFirst.map { lines[$0] }.contains("pending create tag club [ → c]"))
    #expect(comparison.onlyInSecond.isEmpty)
    #expect(PlanComparison(second, second).onlyInFirst.isEmpty)
  }
}

extension World {
  /// As an apply has it.
  var planContext: RunContext { RunContext(kind: .apply, time: time, ids: IDSource(seed: [7], nextSeq: time)) }

  /// The state with the users of a plan first, as a load gives it.
  func snapshot(of saved: SavedPlan) -> Snapshot {
    var order: [UserIndex] = []
    var names = saved.plan.result.names
    for user in 0..<state.names.count { order.append(names.intern(state.names[UserIndex(user)])) }
    return state.renumbered(names, order)
  }

  /// Does what a few words say.
  mutating func act(_ what: String) {
    let words = what.split(separator: " ").map(String.init)
    let last = words[words.count - 1]
    let server = server(words.count > 1 ? words[1] : "")
    let tagged = self.server(last)
    switch words[0] {
    case "join": run(.joinServer(server, user(last)))
    case "remove": run(.removeUsers(server, [Removal(user(last))]))
    case "promote": run(.addModerator(server, user(last)))
    case "desc": run(.updateServer(server, [FieldSetting(.desc, "by hand")]))
    case "name": run(.updateServer(server, [FieldSetting(.name, "by hand")]))
    case "rename": run(.renameHandle(server, "renamed"))
    case "release": run(.releaseServer(server))
    case "destroy": run(.destroyServer(server))
    case "create": create(last, owner: "alice")
    case "register": run(.registerUser(user(last), UserProfile(), devices: []))
    case "alias": run(.updateUser(user(last), [FieldSetting(.alias, "by hand")]))
    case "sign": run(.updateUser(user(last), [FieldSetting(.sign, "by hand")]))
    case "devices": run(.setDevices(user(last), ["tv"]))
    case "tag": run(.addTags(tagged, [Given(words.count > 2 ? Text(words[1]) : "y", at: .none)]))
    case "untag": run(.removeTags(tagged, state[tagged].tags.filter { $0.name == "b" }.map(\.id)))
    default: break
    }
  }
}

extension Snapshot {
  /// The same with other numbers for the users: those of `names`.
  ///
  /// - Parameter order: for each user of this snapshot the number that he gets.
  fileprivate func renumbered(_ names: UserNames, _ order: [UserIndex]) -> Snapshot {
    var copy = Snapshot()
    copy.adopt(names)
    copy.limits = limits
    copy.totals = totals
    copy.handles = handles
    copy.serverIDs = serverIDs
    for (old, new) in order.enumerated() {
      copy[new] = self[UserIndex(old)]
      copy.details[new] = details[UserIndex(old)]
    }
    for row in servers {
      var server = row
      server.owner = order[row.owner.position]
      server.members = MemberSet(
        ContiguousArray(
          row.members.sorted().map {
            Member(
              order[$0.user.position], $0.role, listing: $0.listing, accepted: $0.accepted, joinedAt: $0.joinedAt)
          }))
      server.invitations = Invitations()
      for (_, invitation) in row.invitations {
        var invitation = invitation
        invitation.inviter = order[invitation.inviter.position]
        invitation.invitee = order[invitation.invitee.position]
        server.invitations[InvitationKey(invitation)] = invitation
      }
      server.refusals = [:]
      for (user, refusal) in row.refusals { server.refusals[order[user.position]] = refusal }
      server.base.absentees = [:]
      for (user, listing) in row.base.absentees { server.base.absentees[order[user.position]] = listing }
      copy.servers.append(server)
    }
    return copy
  }
}
