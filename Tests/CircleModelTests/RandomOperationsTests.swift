import CircleModel
import Testing
import Testkit

extension SplitMix {
  fileprivate mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  fileprivate mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }
}

/// Thousands of random operations, most of them legal, some not: whatever happens, the state stays sound, and the
/// records alone rebuild it.
struct RandomOperationsTests {
  private static let users = 40
  private static let limits = Limits(created: 3, joined: 8)

  private static func start() -> Snapshot {
    var snapshot = Snapshot()
    snapshot.limits = limits
    for number in 0..<users { _ = snapshot.intern("user\(number)") }
    return snapshot
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the state stays sound and the records rebuild it`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var snapshot = Self.start()
    var folded = Self.start()
    var changed = 0
    for run in 0..<250 {
      var context = RunContext(
        kind: RunKind.allCases[random.below(4)], time: Int64(run),
        ids: IDSource(seed: [UInt8(seed)], nextSeq: Int64(run)))
      var outcome = Outcome()
      for _ in 0..<10 {
        let operation = Self.operation(&random, snapshot)
        let authority = Self.authority(&random, operation)
        let origin = Origin(.command, listing: random.chance(2) ? Listing(rawValue: UInt8(random.below(4))) : nil)
        let count = outcome.records.count
        do {
          try decide(operation, by: authority, from: origin, in: snapshot, context: &context, into: &outcome)
        } catch {
          #expect(outcome.records.count == count, "seed \(seed): a refused operation left a record")
        }
        guard outcome.records.count > count else { continue }
        changed += 1
        #expect(outcome.records.count == count + 1)
        snapshot.apply(outcome.records[count], of: outcome, in: context)
      }
      for record in outcome.records { folded.apply(record, of: outcome, in: context) }
      try #require(invariantViolations(of: snapshot) == [], "seed \(seed), run \(run)")
      try #require(Self.limitViolations(snapshot) == [], "seed \(seed), run \(run)")
    }
    #expect(changed > 500, "seed \(seed): only \(changed) operations changed anything")
    #expect(Self.difference(snapshot, folded) == nil, "seed \(seed)")
  }

  private static func limitViolations(_ snapshot: Snapshot) -> [String] {
    snapshot.users.indices.compactMap { position in
      let user = snapshot.users[position]
      let holds = Int(user.owned) <= limits.created && Int(user.joined) <= limits.joined
      return holds ? nil : "user\(position): \(user.owned) owned, \(user.joined) joined"
    }
  }

  private static func difference(_ one: Snapshot, _ other: Snapshot) -> String? {
    guard one.servers.count == other.servers.count, one.totals == other.totals, one.handles == other.handles,
      one.serverIDs == other.serverIDs, one.limits == other.limits
    else { return "the totals or names" }
    for (left, right) in zip(one.servers, other.servers) {
      let same =
        left.id == right.id && left.handle == right.handle && left.attributes == right.attributes
        && left.stack == right.stack && left.settings == right.settings && left.base == right.base
        && left.tags == right.tags && left.members.sorted() == right.members.sorted()
        && left.memberCount == right.memberCount && left.moderatorCount == right.moderatorCount
        && left.invitations.pairs == right.invitations.pairs && left.refusals == right.refusals
        && left.isDestroyed == right.isDestroyed
      if !same { return "the server \(left.handle)" }
    }
    for position in one.users.indices {
      let user = UserIndex(position)
      let (left, right) = (one[user], other[user])
      let same =
        left.isRegistered == right.isRegistered && left.owned == right.owned && left.joined == right.joined
        && left.managed == right.managed && one.details[user] == other.details[user]
      if !same { return "the user \(position)" }
    }
    return nil
  }

  // MARK: - What is tried

  private static func authority(_ random: inout SplitMix, _ operation: Operation) -> Authority {
    if !random.chance(4) { return .administrator }
    switch operation {
    case .joinServer(_, let user), .leaveServer(_, let user), .acceptInvitation(_, _, let user),
      .declineInvitation(_, _, let user):
      return .user(user, device: random.chance(4) ? "a" : nil)
    default: return .user(UserIndex(random.below(users)), device: nil)
    }
  }

  private static func operation(_ random: inout SplitMix, _ snapshot: Snapshot) -> Operation {
    var user = UserIndex(random.below(users))
    var other = UserIndex(random.below(users))
    let live = snapshot.servers.indices.filter { !snapshot.servers[$0].isDestroyed }
    let server = live.isEmpty || random.chance(30) ? ServerIndex(0) : ServerIndex(live[random.below(live.count)])
    let choice = random.below(40)
    if !live.isEmpty, choice >= 18, !random.chance(5) {
      (user, other) = pair(&random, snapshot[server]) ?? (user, other)
    }
    switch choice {
    case 0...3: return .registerUser(user, profile(&random), devices: random.chance(2) ? ["a", "b"] : [])
    case 4, 5:
      var attributes = ServerAttributes(name: Text("Server \(random.below(9))"))
      if random.chance(3) { attributes[.type] = "private" }
      return .createServer(NewServer(handle: nil, attributes: attributes, owner: user))
    case 6...14: return .joinServer(server, user)
    case 15...17: return .inviteUser(server, user, welcome: random.chance(2) ? "Hi" : nil)
    case 18...20: return .acceptInvitation(server, inviter: other, invitee: user)
    case 21: return .declineInvitation(server, inviter: other, invitee: user)
    case 22: return .withdrawInvitation(server, user, inviter: random.chance(2) ? other : nil)
    case 23, 24: return .leaveServer(server, user)
    case 25, 26: return .removeUsers(server, [Removal(user), Removal(other)])
    case 27, 28: return .addModerator(server, user)
    case 29: return .removeModerator(server, user)
    case 30: return random.chance(4) ? .destroyServer(server) : .joinServer(server, user)
    case 31, 32: return .addTags(server, ServerRows.tags(Text("t\(random.below(14))"), Text("t\(random.below(14))")))
    case 33:
      let tags = server.position < snapshot.servers.count ? snapshot[server].tags : []
      return .removeTags(server, tags.isEmpty ? ["x"] : [tags[random.below(tags.count)].id])
    case 34:
      return .updateServer(
        server, [FieldSetting(ServerField.desc, random.chance(2) ? nil : Text("d\(random.below(3))"))])
    default: return administrative(&random, server, user, other)
    }
  }

  /// A pair with a pending invitation, or two members, so that most of what needs one finds it.
  private static func pair(_ random: inout SplitMix, _ server: Server) -> (UserIndex, UserIndex)? {
    let invited = server.invitations.map(\.key).sorted {
      ($0.invitee.raw, $0.inviter.raw) < ($1.invitee.raw, $1.inviter.raw)
    }
    if !invited.isEmpty, random.chance(2) {
      let key = invited[random.below(invited.count)]
      return (key.invitee, key.inviter)
    }
    let members = server.members.sorted()
    guard !members.isEmpty else { return nil }
    return (members[random.below(members.count)].user, members[random.below(members.count)].user)
  }

  private static func administrative(
    _ random: inout SplitMix, _ server: ServerIndex, _ user: UserIndex, _ other: UserIndex
  ) -> Operation {
    switch random.below(9) {
    case 0: return .updateUser(user, [FieldSetting(.nickName, random.chance(2) ? nil : "N")])
    case 1: return .setDevices(user, random.chance(2) ? [] : ["a", "c"])
    case 2: return .renameHandle(server, Text("handle-\(random.below(5))"))
    case 3: return .adoptServer(server, stack: random.chance(2) ? "s" : "t")
    case 4: return .releaseServer(server)
    case 5:
      let settings = ServerSettings(
        membership: .exact, welcome: random.chance(2) ? "W" : nil, protect: random.chance(4))
      return .setServerSettings(server, settings, clearsWelcome: random.chance(2))
    case 6: return .markUser(user, [FieldMask(UserField.nickName), random.chance(2) ? .devices : []])
    default:
      let listings = [user, other].map { (user: $0, listing: Listing(rawValue: UInt8(random.below(4)))) }
      return .markServer(
        server,
        ServerMarks(
          managed: [FieldMask(ServerField.desc), .members], listings: user == other ? [] : listings,
          tags: random.chance(2) ? ["t1", "t2"] : nil))
    }
  }

  private static func profile(_ random: inout SplitMix) -> UserProfile {
    var profile = UserProfile()
    if random.chance(2) { profile[.nickName] = "N" }
    if random.chance(4) { profile[.birth] = "2000-01-01" }
    return profile
  }
}
