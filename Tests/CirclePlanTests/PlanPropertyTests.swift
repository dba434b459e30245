import CircleModel
import CirclePlan
import Diagnostics
import Testing
import Testkit

/// Random histories of applies and other writes; the seed is the argument.
struct PlanPropertyTests {
  static let handles = ["alpha", "beta", "gamma", "delta", "omega"]

  @Test(arguments: 0..<30)
  func `what is applied is there, and a second apply is empty`(_ seed: UInt64) {
    var random = SplitMix(seed)
    var world = World()
    for _ in 0..<6 {
      world.meddle(&random)
      let manifest = Manifest.random(&random)
      let options = PlanOptions(
        prune: Bool.random(using: &random), maxRemovals: .percent(100), allow: Self.everything)
      let plan = world.plan(manifest, options)
      #expect(plan.faults.map(\.message) == [])
      #expect(
        plan.counts.pending + plan.counts.drift + plan.counts.unmanaged + plan.counts.blocked == plan.changes.count)
      guard !plan.isBlocked else { continue }
      #expect(plan.isBookkeepingOnly == (plan.counts.pending + plan.counts.drift == 0 && !plan.isEmpty))
      world.apply(manifest, options)
      #expect(invariantViolations(of: world.state) == [])
      for entry in manifest.servers { world.expect(entry) }
      let again = world.plan(manifest, options)
      #expect(again.lines.filter { !$0.hasPrefix("unmanaged") } == [])
      #expect(again.steps == [])
    }
  }

  @Test(arguments: 0..<20)
  func `shuffled manifests give the same records`(_ seed: UInt64) {
    var random = SplitMix(seed)
    var world = World()
    for _ in 0..<3 {
      world.meddle(&random)
      let manifest = Manifest.random(&random)
      var shuffled = manifest
      shuffled.shuffle(&random)
      let (one, other) = (world.plan(manifest), world.plan(shuffled))
      #expect(one.steps == other.steps)
      #expect(one.lines == other.lines)
      #expect(one.refusals.map(\.message) == other.refusals.map(\.message))
      world.state = one.result
    }
  }

  @Test(arguments: 0..<20)
  func `additive removes nobody but the absent`(_ seed: UInt64) {
    var random = SplitMix(seed)
    var world = World()
    for _ in 0..<4 {
      world.meddle(&random)
      var manifest = Manifest.random(&random)
      for position in manifest.servers.indices { manifest.servers[position].membership = .additive }
      let plan = world.plan(manifest)
      let gone = plan.changes.filter { $0.action == .delete && ($0.object == .membership || $0.object == .invitation) }
      #expect(gone.allSatisfy { $0.rule == .absent })
      world.state = plan.result
    }
  }

  static let everything =
    handles.flatMap { handle in
      [GuardKind.member, .moderator].map { GuardAllowance($0, handle: Text(handle), ceiling: 99) }
    } + [GuardAllowance(.server, handle: nil, ceiling: 99)]
}

extension World {
  /// A few things that no apply did: joins, departures, roles, tags, invitations and their answers.
  mutating func meddle(_ random: inout SplitMix) {
    for _ in 0..<random.below(12) {
      let user = user(random.pick(Self.people))
      let server = server(random.pick(PlanPropertyTests.handles))
      guard server != .none else { continue }
      let owner = state[server].owner
      let tag = state[server].tags.first
      switch random.below(10) {
      case 0, 1: attempt(.joinServer(server, user))
      case 2: attempt(.leaveServer(server, user))
      case 3: attempt(.addModerator(server, user))
      case 4: attempt(.removeModerator(server, user))
      case 5: attempt(.inviteUser(server, user, welcome: nil))
      case 6: attempt(.acceptInvitation(server, inviter: owner, invitee: user))
      case 7: attempt(.declineInvitation(server, inviter: owner, invitee: user))
      case 8: attempt(.updateServer(server, [FieldSetting(.desc, Text("by hand \(random.below(3))"))]))
      default: attempt(tag.map { .removeTags(server, [$0.id]) } ?? .addTags(server, [Given("stray", at: .none)]))
      }
    }
  }

  private mutating func attempt(_ operation: Operation) {
    time += 1
    var context = RunContext(kind: .command, time: time, ids: IDSource(seed: [9], nextSeq: time))
    var outcome = Outcome()
    try? decide(operation, by: .administrator, from: .command, in: state, context: &context, into: &outcome)
    for record in outcome.records { state.apply(record, of: outcome, in: context) }
  }

  /// Checks that the state is as the entry has it.
  fileprivate func expect(_ entry: Manifest.Entry) {
    let server = state[server(entry.handle)]
    if let tags = entry.tags { #expect(server.tags.map(\.name.string).sorted() == tags.sorted()) }
    for (field, value) in entry.attributes {
      #expect(server.attributes[field] == TextRule.stored(value.map { Text($0) }, as: field))
    }
    let isDirect = server.settings.join.map { $0 == .direct } ?? (server.type == .public)
    for name in (entry.members ?? []) + (entry.moderators ?? []) where name != "alice" {
      guard let user = state.names.find(name) else { continue }
      let isIn = server.members[user] != nil
      #expect(isIn || !isDirect)
      #expect(isIn || isDirect || server.invitations.isInvited(user) || server.refusals[user] != nil)
    }
    for member in server.members.sorted() where member.role != .owner {
      let name = state.names[member.user]
      #expect(!entry.absent.contains(name))
      if let moderators = entry.moderators { #expect((member.role == .moderator) == moderators.contains(name)) }
      if let members = entry.members, server.settings.membership == .exact {
        #expect((members + (entry.moderators ?? [name])).contains(name) || member.role == .moderator)
      }
    }
  }
}

extension Manifest {
  static func random(_ random: inout SplitMix) -> Manifest {
    var manifest = Manifest()
    for handle in PlanPropertyTests.handles where random.below(5) > 0 {
      var entry = Entry(handle)
      let members = random.some(World.people)
      entry.members = random.maybe(members)
      entry.moderators = random.maybe(random.some(World.people).filter { _ in random.below(3) == 0 })
      entry.tags = random.maybe(random.some(["a", "b", "c", "d"]))
      let listed = (entry.members ?? []) + (entry.moderators ?? []) + ["alice"]
      entry.absent = random.some(World.people).filter { !listed.contains($0) && random.below(3) == 0 }
      entry.membership = random.maybe(entry.members == nil ? .managed : random.pick(MembershipMode.allCases))
      entry.join = random.maybe(random.pick(JoinMode.allCases))
      entry.welcome = random.maybe(random.maybe("welcome \(random.below(2))"))
      entry.attributes[.desc] = random.maybe(random.maybe("text \(random.below(3))"))
      entry.attributes[.type] = random.maybe(random.pick(["public", "private"]))
      manifest.servers.append(entry)
    }
    manifest.users = random.some(World.people).map {
      Person(name: $0, fields: [.sign: "sign \(random.below(3))"], devices: random.maybe(["mac"]))
    }
    return manifest
  }

  fileprivate mutating func shuffle(_ random: inout SplitMix) {
    servers.shuffle(using: &random)
    users.shuffle(using: &random)
    for position in servers.indices {
      servers[position].members?.shuffle(using: &random)
      servers[position].moderators?.shuffle(using: &random)
      servers[position].absent.shuffle(using: &random)
    }
  }
}

extension SplitMix {
  init(_ number: UInt64) { self.init(seed: number &* 0x9E37_79B9_7F4A_7C15) }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
  mutating func maybe<Value>(_ value: Value) -> Value? { below(3) == 0 ? nil : value }
  mutating func some<Value>(_ values: [Value]) -> [Value] { values.filter { _ in below(2) == 0 } }
}
