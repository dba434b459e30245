import CircleModel
import CircleReport
import Diagnostics
import Digest
import JSONText

@testable import CirclePlan
@testable import CircleState

/// A small world, put together by hand: what a planner makes of a manifest is not under test here.
enum Sample {
  static let time: Int64 = 1_735_787_045_678

  static let files: SourceFiles = {
    var files = SourceFiles()
    _ = files.add(path: "manifests/a.yaml")
    _ = files.add(path: "manifests/社区.yaml")
    return files
  }()

  static func place(_ line: Int, _ column: Int, file: FileIndex = 0) -> Place {
    Place(file: file, line: line, column: column)
  }

  /// alice owns swift-fans and old-club; bob, carol, dave are around.
  static func snapshot() -> Snapshot {
    var snapshot = Snapshot()
    let alice = snapshot.intern("alice")
    for name in ["bob", "carol", "dave"] { _ = snapshot.intern(name) }
    for (position, (handle, name)) in [("swift-fans", "Swift 爱好者"), ("old-club", "Old \"Club\"")].enumerated() {
      var attributes = ServerAttributes()
      attributes[.name] = Text(name)
      snapshot.servers.append(
        Server(
          id: Text("000000000000000000000\(position)"), handle: Text(handle), attributes: attributes, owner: alice,
          created: time))
    }
    return snapshot
  }

  static func plan(_ fill: (inout Plan) -> Void) -> Plan {
    var plan = Plan(
      stack: "default", context: RunContext(kind: .apply, time: time, ids: IDSource(seed: [], nextSeq: 1)),
      result: snapshot())
    fill(&plan)
    for change in plan.changes {
      switch change.kind {
      case .pending: plan.counts.pending += 1
      case .drift: plan.counts.drift += 1
      case .unmanaged: plan.counts.unmanaged += 1
      case .blocked: plan.counts.blocked += 1
      }
    }
    return plan
  }

  static let fans = ServerIndex(0 as UInt32)
  static let club = ServerIndex(1 as UInt32)
  static let alice = UserIndex(0 as UInt32)
  static let bob = UserIndex(1 as UInt32)
  static let carol = UserIndex(2 as UInt32)
  static let dave = UserIndex(3 as UInt32)

  /// Something of everything.
  static let everything = plan { plan in
    plan.add(Change(.create, .user, .pending, user: bob, at: place(2, 5)))
    plan.add(
      Change(.delete, .membership, .pending, server: fans, user: carol, rule: .noLongerListed, at: place(8, 5)),
      roles: (.user, nil))
    plan.add(
      Change(.update, .role, .drift, server: fans, user: dave, rule: .moderatorsComplete, at: place(7, 5)),
      roles: (.moderator, .user))
    plan.add(
      Change(.delete, .tag, .pending, server: fans, rule: .tagsComplete, at: place(6, 5)), ChangeText(before: "旧"))
    var attribute = Change(.update, .attribute, .pending, server: fans, at: place(5, 9, file: 1))
    attribute.field = ServerField.desc.rawValue
    plan.add(attribute, ChangeText(before: nil, after: "a\nb"))
    plan.add(Change(.create, .membership, .pending, server: fans, user: bob, at: place(9, 7)), roles: (nil, .user))
    plan.add(Change(.update, .role, .pending, server: fans, user: bob, at: place(10, 7)), roles: (.user, .moderator))
    var blocked = Change(.update, .owner, .blocked, server: fans, user: bob, at: place(4, 3))
    blocked.intent = .pending
    blocked.refusal = 0
    plan.add(blocked, ChangeText(before: "alice", after: "bob"))
    plan.add(
      Change(.update, .server, .unmanaged, server: club, at: .none), ChangeText(before: "old-club", after: "old-club"))
    var refusal = PlanRefusal(
      .ownerChange(before: alice, after: bob), handle: "swift-fans", server: fans, at: place(4, 3),
      "the owner of an existing server can't change from 'alice' to 'bob'", wayOut: ["keep 'owner: alice'"])
    refusal.changes = 1
    plan.refusals.append(refusal)
    plan.notes.append(PlanNote(kind: .notPruned, server: club, user: .none, place: .none))
    plan.notes.append(PlanNote(kind: .notInvitedAgain(.declined), server: fans, user: dave, place: place(11, 7)))
    plan.counts.unmanagedUsers = 1
    plan.counts.unmanagedMembers = 3
  }

  static func run(reason: String? = nil) -> Run {
    var request = RunRequest(
      kind: .apply, command: "apply", stack: "default", reason: reason, maxRemovals: "30%",
      writer: .init(host: "h", process: 1, version: "0"))
    if reason != nil { request.allowances = ["remove:member@swift-fans<=120"] }
    var run = Run(number: 7, request: request, time: time, firstSeq: 12, previous: .zero)
    run.eventCount = 3
    run.recordCount = 4
    run.counts = [(.joinServer, 2), (.markServer, 1), (.markUser, 1)]
    run.hash = SHA256.hash(of: "run")
    return run
  }

  static let head: Head = {
    var head = Head()
    head.revision = 7
    head.run = 7
    head.nextSeq = 15
    head.time = time
    head.totals.users = 4
    head.totals.servers = 2
    head.totals.memberships = 5
    return head
  }()

  static func rendered(
    _ sections: [ReportSection], as format: OutputFormat, command: String = "diff", result: ReportResult = .done,
    colour: Bool = false
  ) throws -> String {
    var sink = ByteSink()
    try Report(command: command, result: result, sections: sections)
      .write(as: format, style: TextStyle(colour: colour), to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}

extension Plan {
  mutating func add(_ change: Change, _ text: ChangeText? = nil, roles: (Role?, Role?) = (nil, nil)) {
    var change = change
    change.roleBefore = roles.0
    change.roleAfter = roles.1
    if let text {
      change.text = Int32(texts.count)
      texts.append(text)
    }
    changes.append(change)
  }
}

extension SHA256 {
  static func hash(of text: String) -> Digest {
    var hash = SHA256()
    hash.update(Array(text.utf8))
    return hash.finish()
  }
}
