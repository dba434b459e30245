import CircleModel
import Testing

/// A small state to decide in: the servers `pub` and `priv`, each of alice with the moderator mod and the users bob and
/// carol; dave and erin are registered and in neither, ghost is not registered.
struct World {
  static let alice = UserIndex(0)
  static let mod = UserIndex(1)
  static let bob = UserIndex(2)
  static let carol = UserIndex(3)
  static let dave = UserIndex(4)
  static let erin = UserIndex(5)
  static let ghost = UserIndex(6)
  static let pub = ServerIndex(0)
  static let priv = ServerIndex(1)
  static let birth: Int64 = 1000

  var snapshot = Snapshot()
  var context = RunContext(kind: .command, time: World.birth, ids: IDSource(seed: [7], nextSeq: 1))
  var outcome = Outcome()

  init() throws {
    for id in ["alice", "mod", "bob", "carol", "dave", "erin", "ghost"] { _ = snapshot.intern(id) }
    for user in [Self.alice, Self.mod, Self.bob, Self.carol, Self.dave, Self.erin] {
      try run(.registerUser(user, UserProfile(), devices: []))
    }
    for (handle, type) in [("pub", "public"), ("priv", "private")] {
      var attributes = ServerAttributes()
      attributes[.name] = Text("The " + handle)
      attributes[.type] = Text(type)
      try run(.createServer(NewServer(handle: Text(handle), attributes: attributes, owner: Self.alice)))
    }
    for server in [Self.pub, Self.priv] {
      for user in [Self.mod, Self.bob, Self.carol] { try run(.joinServer(server, user)) }
      try run(.addModerator(server, Self.mod))
    }
    context.time += 1000
    outcome = Outcome()
  }

  /// Decides, carries out, and checks that the state is sound and that a log folded from nothing would give it.
  @discardableResult
  mutating func run(
    _ operation: Operation, by authority: Authority = .administrator, from origin: Origin = .command
  ) throws(CircleError) -> Record? {
    let count = outcome.records.count
    try decide(operation, by: authority, from: origin, in: snapshot, context: &context, into: &outcome)
    guard outcome.records.count > count else { return nil }
    let record = outcome.records[count]
    snapshot.apply(record, of: outcome, in: context)
    #expect(invariantViolations(of: snapshot) == [])
    return record
  }

  /// The name of the refusal; a refused operation must have changed nothing.
  mutating func refusal(
    _ operation: Operation, by authority: Authority = .administrator, from origin: Origin = .command
  ) -> CircleErrorName? {
    let before = (outcome.records.count, outcome.details.count)
    do {
      try decide(operation, by: authority, from: origin, in: snapshot, context: &context, into: &outcome)
      return nil
    } catch {
      #expect((outcome.records.count, outcome.details.count) == before)
      #expect(!error.reason.isEmpty && !error.reason.hasSuffix("."))
      return error.name
    }
  }

  func detail(_ record: Record?) -> Detail? { record.flatMap { outcome.detail(of: $0) } }

  func server(_ index: ServerIndex) -> Server { snapshot[index] }

  /// The events of a record, each as `name rule count`.
  static func events(of record: Record?) -> [String] {
    guard let record else { return [] }
    var events = record.kind.serverEvents.map { event in
      switch event.audience {
      case .invitee, .inviter: "\(event.word) \(event.audience.word) 1"
      default: "\(event.word) \(event.audience.word) \(record.audience)"
      }
    }
    if record.devices > 0, let event = record.kind.deviceEvent {
      events.append("\(event.word) \(event.audience.word) \(record.devices)")
    }
    #expect(events.count == record.kind.eventCount(devices: record.devices))
    return events
  }
}

extension Authority {
  static func user(_ user: UserIndex) -> Authority { .user(user, device: nil) }
}

extension ServerAttributes {
  init(name: Text) {
    self.init()
    self[.name] = name
  }
}
