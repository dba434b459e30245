import CircleModel
import CirclePlan
import Diagnostics
import Testing

/// A state that grows by operations and applies, with twenty-six registered users: alice, bob, carol, dave and u00…u21.
struct World {
  var state = Snapshot()
  var time: Int64 = 1_000

  static let people =
    ["alice", "bob", "carol", "dave"] + (0..<22).map { $0 < 10 ? "u0\($0)" : "u\($0)" }
  /// So that the order of the indices is not that of the names.
  private static let scrambled = people.indices.map { people[($0 * 7 + 3) % people.count] }

  init() {
    for name in Self.scrambled {
      let user = state.intern(name)
      run(.registerUser(user, UserProfile(), devices: []))
    }
  }

  mutating func user(_ name: String) -> UserIndex { state.intern(name) }

  func server(_ handle: String) -> ServerIndex { state.handles[Text(handle)] ?? .none }

  private func context(_ kind: RunKind) -> RunContext {
    RunContext(kind: kind, time: time, ids: IDSource(seed: [7], nextSeq: time))
  }

  /// Something that no apply did.
  mutating func run(
    _ operation: Operation, by authority: Authority = .administrator, location: SourceLocation = #_sourceLocation
  ) {
    time += 1
    var context = context(.command)
    var outcome = Outcome()
    do {
      try decide(operation, by: authority, from: .command, in: state, context: &context, into: &outcome)
    } catch {
      Issue.record("\(operation.kind.word): \(error.reason)", sourceLocation: location)
    }
    for record in outcome.records { state.apply(record, of: outcome, in: context) }
  }

  mutating func create(_ handle: String, owner: String, stack: String? = nil, members: [String] = []) {
    var attributes = ServerAttributes()
    attributes[.name] = Text(handle)
    let owner = user(owner)
    run(
      .createServer(
        NewServer(handle: Text(handle), attributes: attributes, owner: owner, stack: stack.map { Text($0) })))
    for member in members {
      let member = user(member)
      run(.joinServer(server(handle), member))
    }
  }

  func plan(_ manifest: Manifest, _ options: PlanOptions = PlanOptions()) -> Plan {
    var state = state
    let desired = manifest.desired(over: &state)
    return CirclePlan.plan(desired: desired, actual: state, options: options, context: context(.apply))
  }

  /// Plans and carries out what must be free of faults and refusals.
  @discardableResult
  mutating func apply(
    _ manifest: Manifest, _ options: PlanOptions = PlanOptions(), location: SourceLocation = #_sourceLocation
  ) -> Plan {
    time += 1
    let plan = plan(manifest, options)
    #expect(plan.faults.map(\.message) == [], sourceLocation: location)
    #expect(plan.refusals.map(\.message) == [], sourceLocation: location)
    state = plan.result
    return plan
  }

  func role(_ name: String, in handle: String) -> Role? {
    state.names.find(name).flatMap { state[server(handle)].members[$0]?.role }
  }

  func members(of handle: String) -> [String] {
    state[server(handle)].members.sorted().map { state.names[$0.user] }.sorted()
  }
}

/// A manifest set, written as a value; each list and user stands on a line of its own, in the order of writing.
struct Manifest {
  var servers: [Entry] = []
  var users: [Person] = []

  init(_ servers: Entry..., users: [Person] = []) {
    self.servers = servers
    self.users = users
  }

  struct Person {
    var name: String
    var fields: [UserField: String?] = [:]
    var devices: [String]?
  }

  struct Entry {
    var handle: String
    var owner: String? = "alice"
    var attributes: [ServerField: String?]
    var tags: [String]?
    var moderators: [String]?
    var members: [String]?
    var absent: [String] = []
    var membership: MembershipMode?
    var join: JoinMode?
    var welcome: String??
    var protect: Bool?
    var renamedFrom: [String] = []
    var serverID: String?

    init(_ handle: String, members: [String]? = nil, moderators: [String]? = nil, tags: [String]? = nil) {
      self.handle = handle
      self.members = members
      self.moderators = moderators
      self.tags = tags
      attributes = [.name: handle]
    }

    func with(_ change: (inout Entry) -> Void) -> Entry {
      var entry = self
      change(&entry)
      return entry
    }
  }

  func desired(over state: inout Snapshot) -> DesiredState {
    var writer = Writer(state: state)
    let people = users.map { writer.person($0) }
    let entries = servers.map { writer.entry($0) }
    state = writer.state
    for _ in writer.mentions.count..<state.names.count { writer.mentions.append(.none) }
    return DesiredState(
      names: state.names, users: ContiguousArray(people), servers: ContiguousArray(entries), mentions: writer.mentions)
  }

  private struct Writer {
    var state: Snapshot
    var mentions = ContiguousArray<Place>()
    var line = 1

    init(state: Snapshot) { self.state = state }

    mutating func place() -> Place {
      line += 1
      return Place(file: 0, line: line, column: 1)
    }

    mutating func user(_ name: String, isMention: Bool = true) -> Listed {
      let user = state.intern(name)
      let place = place()
      while mentions.count <= user.position { mentions.append(.none) }
      if isMention, !mentions[user.position].isKnown { mentions[user.position] = place }
      return Listed(user, at: place)
    }

    mutating func list(_ names: [String], isMention: Bool = true) -> ContiguousArray<Listed> {
      let listed = names.map { user($0, isMention: isMention) }
      return ContiguousArray(listed.sorted { $0.user.raw < $1.user.raw })
    }

    mutating func person(_ person: Person) -> DesiredUser {
      let listed = user(person.name)
      var entry = DesiredUser(listed.user, at: listed.place)
      for field in UserField.allCases {
        guard let value = person.fields[field] else { continue }
        entry.fields.append(DesiredField(field, value.map { Text($0) }, at: place()))
      }
      entry.devices = person.devices.map { Given($0.map { Text($0) }, at: listed.place) }
      return entry
    }

    mutating func entry(_ entry: Entry) -> DesiredServer {
      var server = DesiredServer(handle: Text(entry.handle), at: place())
      for field in ServerField.allCases {
        guard let value = entry.attributes[field] else { continue }
        server.attributes.append(DesiredField(field, value.map { Text($0) }, at: place()))
      }
      server.owner = entry.owner.map { user($0) }.map { Given($0.user, at: $0.place) }
      server.tags = entry.tags.map { tags in Given(tags.map { Given(Text($0), at: place()) }, at: place()) }
      server.moderators = entry.moderators.map { Given(list($0), at: place()) }
      server.members = entry.members.map { Given(list($0), at: place()) }
      server.absent = list(entry.absent, isMention: false)
      server.membership = entry.membership.map { Given($0, at: place()) }
      server.join = entry.join.map { Given($0, at: place()) }
      server.welcome = entry.welcome.map { welcome in Given(welcome.map { Text($0) }, at: place()) }
      server.protect = entry.protect.map { Given($0, at: place()) }
      server.renamedFrom = entry.renamedFrom.map { Given(Text($0), at: place()) }
      server.serverID = entry.serverID.map { Given(Text($0), at: place()) }
      return server
    }
  }
}

extension Plan {
  /// A line a change: `pending create member swift/bob`, with a text's values in brackets.
  var lines: [String] {
    changes.map { change in
      var words = [change.kind.word]
      if change.kind == .blocked { words.append(change.intent.word) }
      words += [change.action.word, change.object.word]
      var subject = change.server == .none ? "" : result[change.server].handle.string
      if change.user != .none { subject += (subject.isEmpty ? "" : "/") + result.names[change.user] }
      if let field = change.serverField { subject += ".\(field.word)" }
      if let field = change.userField { subject += ".\(field.word)" }
      if !subject.isEmpty { words.append(subject) }
      if let text = text(of: change), change.object != .server {
        words.append("[\(text.before?.string ?? "") → \(text.after?.string ?? "")]")
      }
      return words.joined(separator: " ")
    }
  }

  /// A line a record: `joinServer swift/bob`; bookkeeping too.
  var steps: [String] {
    outcome.records.map { record in
      var subject = record.server == .none ? "" : result[record.server].handle.string
      if record.user != .none { subject += (subject.isEmpty ? "" : "/") + result.names[record.user] }
      return "\(record.kind.word) \(subject)"
    }
  }

  var codes: [String] { faults.map(\.code) }
}
