import CircleModel
import CircleState
import Diagnostics
import Glibc
import JSONText
import Testkit

/// A state that random runs change, in any store: each run is decided on a loaded snapshot and committed.
struct TestWorld {
  let store: StateStore
  var generator: SplitMix
  var clock: Int64 = 1_700_000_000_000

  init(_ rows: any StateRows, seed: UInt64) {
    store = StateStore(rows, timeout: 1000)
    generator = SplitMix(seed: seed)
  }

  static let writer = RunRequest.Writer(host: "test", process: 1, version: "0")
  /// Of a run that cuts the log.
  static let cut = RunRequest(kind: .archive, command: "events archive", writer: writer)

  /// Decides what `operations` asks for, one after the other, skipping what is refused, and commits.
  mutating func run(
    _ kind: RunKind = .command, scope: Scope = .everything, names: [String] = [],
    _ operations: (inout Run) -> Void
  ) throws {
    clock += 1000
    var interned = UserNames()
    for name in names { _ = interned.intern(name) }
    let loaded = try store.load(scope, names: interned)
    var run = Run(
      snapshot: loaded.snapshot,
      context: RunContext(
        kind: kind, time: max(clock, loaded.head.time), ids: IDSource(seed: [1], nextSeq: loaded.head.nextSeq)))
    operations(&run)
    guard !run.outcome.records.isEmpty else { return }
    _ = try store.commit(
      run.outcome, result: run.snapshot, on: loaded, time: run.context.time,
      request: RunRequest(kind: kind, command: kind.word, stack: "default", reason: "a test", writer: Self.writer),
      path: { "file-\($0).yaml" })
  }

  struct Run {
    var snapshot: Snapshot
    var context: RunContext
    var outcome = Outcome()

    mutating func `do`(_ operation: Operation, by authority: Authority = .administrator, _ origin: Origin = .command) {
      let first = outcome.records.count
      do {
        try decide(operation, by: authority, from: origin, in: snapshot, context: &context, into: &outcome)
      } catch {
        return
      }
      for position in first..<outcome.records.count {
        snapshot.apply(outcome.records[position], of: outcome, in: context)
      }
    }
  }
}

extension StateStore {
  /// Cuts off the first runs.
  ///
  /// - Returns: the archive, and the run that the cut is.
  @discardableResult
  func cutLog(runs: Int) throws -> (archive: [UInt8], run: Run) {
    var times: [Int64] = []
    try history { (entry) in
      times.append(entry.run.time)
      return true
    }
    var archive: [UInt8] = []
    let cut = try prepareCut(before: times[runs]) { (source) throws(StateError) in
      try source.write { (buffer) throws(StateError) in
        buffer.withBytes { archive += $0 }
        buffer.removeAll()
      }
    }
    guard let cut else { throw StateError.damaged("there is nothing to cut") }
    return (archive, try self.cut(cut, time: 0, request: TestWorld.cut))
  }
}

extension TestWorld.Run {
  /// Up to `count` random operations of all kinds on a few users and servers.
  mutating func random(_ count: Int, _ generator: inout SplitMix) {
    let users = (0..<24).map { snapshot.intern("user-\($0)") }
    for user in users.prefix(20) where !snapshot[user].isRegistered {
      var profile = UserProfile()
      if Bool.random(using: &generator) { profile[.nickName] = Text("Nick \(user.raw) 昵称") }
      self.do(.registerUser(user, profile, devices: user.raw % 3 == 0 ? ["phone", "mac"] : []))
    }
    for _ in 0..<count {
      let user = users.randomElement(using: &generator) ?? users[0]
      let other = users.randomElement(using: &generator) ?? users[1]
      let authority: Authority =
        Int.random(in: 0..<3, using: &generator) == 0 ? .user(other, device: nil) : .administrator
      let live = snapshot.servers.indices.filter { !snapshot.servers[$0].isDestroyed }
      guard let position = live.randomElement(using: &generator), Int.random(in: 0..<14, using: &generator) > 0 else {
        var attributes = ServerAttributes()
        attributes[.name] = Text("Server \(snapshot.servers.count)")
        self.do(.createServer(NewServer(handle: nil, attributes: attributes, owner: user)))
        continue
      }
      step(ServerIndex(position), user, other, authority, &generator)
    }
  }

  private mutating func step(
    _ server: ServerIndex, _ user: UserIndex, _ other: UserIndex, _ authority: Authority,
    _ generator: inout SplitMix
  ) {
    let number = Int.random(in: 0..<1000, using: &generator)
    let place = Place(file: FileIndex(number % 3), line: number, column: 3)
    let listing = Listing(rawValue: UInt8(number % 4))
    switch number % 17 {
    case 0:
      self.do(
        .updateServer(server, [FieldSetting(.desc, number % 2 == 0 ? nil : Text("desc \(number)"), at: place)]),
        by: authority)
    case 1: self.do(.destroyServer(server), by: authority)
    case 2: self.do(.addTags(server, [Given(Text("tag-\(number % 12)"), at: place)]), by: authority)
    case 3: self.do(.removeTags(server, snapshot[server].tags.prefix(1).map(\.id)), by: authority)
    case 4: self.do(.inviteUser(server, user, welcome: "hi"), by: authority, Origin(.manifest, at: place))
    case 5: self.do(.acceptInvitation(server, inviter: snapshot[server].owner, invitee: user))
    case 6: self.do(.declineInvitation(server, inviter: snapshot[server].owner, invitee: user))
    case 7, 8, 9: self.do(.joinServer(server, user), by: authority, Origin(.manifest, at: place, listing: listing))
    case 10: self.do(.leaveServer(server, user))
    case 11: self.do(.removeUsers(server, [Removal(user, .absent, at: place), Removal(other)]), by: authority)
    case 12: self.do(.addModerator(server, user), by: authority, Origin(.manifest, at: place, listing: listing))
    case 13: self.do(.removeModerator(server, user), by: authority)
    case 14:
      self.do(
        .setServerSettings(
          server, ServerSettings(membership: .exact, welcome: "yes", protect: number % 5 == 0), clearsWelcome: false))
    case 15: self.do(.updateUser(user, [FieldSetting(.sign, Text("sign \(number)"), at: place)]))
    default: administer(server, user, number)
    }
  }

  private mutating func administer(_ server: ServerIndex, _ user: UserIndex, _ number: Int) {
    switch number % 8 {
    case 0: self.do(.renameHandle(server, Text("handle-\(number)")))
    case 1: self.do(.adoptServer(server, stack: "default"))
    case 2: self.do(.releaseServer(server))
    case 3: self.do(.setDevices(user, number % 16 < 8 ? ["tablet"] : []))
    case 4: self.do(.withdrawInvitation(server, user, inviter: nil))
    case 5: self.do(.markUser(user, [FieldMask(UserField.sign), .devices]))
    case 6: self.do(.setLimit(.joined, 50 + number % 50))
    default:
      let listings = snapshot[server].members.sorted().prefix(3).map { (user: $0.user, listing: Listing.member) }
      self.do(
        .markServer(
          server,
          ServerMarks(
            managed: [.tags, .members, FieldMask(ServerField.desc)], listings: listings,
            tags: snapshot[server].tags.map(\.name), kept: number % 3 == 0 ? [.tags, FieldMask(ServerField.desc)] : []))
      )
    }
  }
}
