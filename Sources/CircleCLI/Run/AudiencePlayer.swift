import CircleModel
import CircleState

/// Someone who hears events: a user, or one of his devices.
struct Recipient {
  var user: Text
  /// nil: on whichever device.
  var device: Text?

  init(parsing text: String) throws(Failure) {
    let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    user = Text(String(text[..<(slash ?? text.endIndex)]))
    device = slash.map { Text(String(text[text.utf8.index(after: $0)...])) }
    guard 1...64 ~= user.string.utf8.count, device.map({ 1...64 ~= $0.string.utf8.count }) ?? true else {
      throw Failure(.usage, "'\(text)' is no recipient", next: ["--recipient takes USER or USER/DEVICE."])
    }
  }
}

/// Plays the log from its beginning, record by record, so that who hears an event can be told as of its moment.
///
/// Events must be asked about in the order of their numbers.
final class AudiencePlayer {
  private let rows: any StateRows
  private var runs: ArraySlice<Run>
  private var snapshot = Snapshot()

  /// The block whose records are being played.
  private var run: Run?
  private var parts: [RowKey] = []
  private var outcome = Outcome()
  private var position = 0
  private var isAdministrative = false
  /// The number of the first event of the record at `position`.
  private var seq: Int64 = 1

  /// - Parameter runs: all from the first on.
  init(_ rows: any StateRows, runs: [Run]) {
    self.rows = rows
    self.runs = runs[...]
  }

  /// Who hears the event, sorted by lower-cased id; devices as `USER/DEVICE`.
  func audience(of event: LoggedEvent) throws(StateError) -> [String] {
    let record = try play(to: event)
    let listeners = listeners(of: event.name, record)
    return listeners.users().sorted { snapshot.names.precedes($0, $1) }.flatMap { user in
      guard event.name.isDeviceEvent else { return [snapshot.names[user]] }
      let devices = (snapshot.details[user]?.devices ?? []).sorted()
      return devices.map { "\(snapshot.names[user])/\($0)" }
    }
  }

  func hears(_ recipient: Recipient, _ event: LoggedEvent) throws(StateError) -> Bool {
    let record = try play(to: event)
    guard let user = recipient.user.withBytes({ snapshot.names.find($0) }) else { return false }
    guard listeners(of: event.name, record).contains(user) else { return false }
    guard event.name.isDeviceEvent, let device = recipient.device else { return true }
    return snapshot.details[user]?.devices.contains(device) ?? false
  }

  // MARK: Who hears what

  /// A set of users that is mostly not written out.
  private struct Listeners {
    var some: [UserIndex] = []
    /// All its members hear it too, but for `except`.
    var server: Server?
    var except = UserIndex.none

    func contains(_ user: UserIndex) -> Bool {
      guard user != except else { return false }
      return some.contains(user) || server?.members[user] != nil
    }

    func users() -> [UserIndex] {
      var users = Set(some)
      server?.members.sorted().forEach { users.insert($0.user) }
      users.remove(except)
      return Array(users)
    }
  }

  private func listeners(of name: EventName, _ record: Record) -> Listeners {
    switch name.audience {
    case .membersExcept:
      let isAboutMember = name == .onMemberJoinedServer
      return Listeners(server: snapshot[record.server], except: isAboutMember ? record.user : record.actor)
    case .membersExceptOwner:
      return Listeners(server: snapshot[record.server], except: snapshot[record.server].owner)
    case .members: return Listeners(server: snapshot[record.server])
    case .invitee: return Listeners(some: [record.user])
    case .inviter:
      guard case .answered(let invitation)? = outcome.detail(of: record) else { return Listeners() }
      return Listeners(some: [invitation.inviter])
    case .removedAndModerators:
      guard case .removed(let removed)? = outcome.detail(of: record) else { return Listeners() }
      let server = snapshot[record.server]
      let moderators = server.members.sorted().filter { $0.role == .moderator }.map(\.user)
      return Listeners(some: removed.map(\.member.user) + moderators + [server.owner], except: record.actor)
    case .otherDevices: return Listeners(some: [record.actor])
    }
  }

  // MARK: Playing

  /// Plays up to the event's record, and through it unless the event is heard by those who were there before it.
  private func play(to event: LoggedEvent) throws(StateError) -> Record {
    while true {
      guard position < outcome.records.count else {
        try openNextBlock()
        continue
      }
      let record = outcome.records[position]
      let count = Int64(record.kind.eventCount(devices: record.devices))
      if event.seq < seq + count {
        if event.name.audience != .membersExceptOwner { playOne() }
        return record
      }
      playOne()
      seq += count
      position += 1
    }
  }

  private var played = -1

  /// Plays the record at `position`, unless that was done for an earlier event of it.
  private func playOne() {
    guard played < position, let run else { return }
    played = position
    let context = RunContext(kind: run.request.kind, time: run.time, ids: IDSource(seed: [], nextSeq: 0))
    snapshot.apply(outcome.records[position], of: outcome, in: context)
  }

  private func openNextBlock() throws(StateError) {
    while parts.isEmpty {
      guard let next = runs.popFirst() else { throw .damaged("the log ends before an event that it has told") }
      run = next
      var keys: [RowKey] = []
      try rows.scan(.log, of: next.number) { (key, _) throws(StateError) in
        keys.append(key)
        return true
      }
      parts = keys.reversed()
    }
    guard let key = parts.popLast() else { return }
    let opened: Void? = try rows.withRow(.log, key) { (bytes) throws(StateError) in try open(LogBlock(bytes)) }
    guard opened != nil else { throw .damaged("a block of the log is missing") }
  }

  private func open(_ block: LogBlock) throws(StateError) {
    let server: ServerIndex
    if block.serverID.isEmpty {
      server = .none
    } else if block.kind == .createServer {
      server = ServerIndex(snapshot.servers.count)
    } else if let known = snapshot.serverIDs[Text(block.serverID)] {
      server = known
    } else {
      throw .damaged("the log changes the server \(Text(block.serverID)), which it never created")
    }
    outcome = try block.outcome(server: server) { snapshot.intern($0) }
    if block.kind == .createServer {
      for position in outcome.records.indices {
        outcome.records[position].server = ServerIndex(server.position + position)
      }
    }
    position = 0
    played = -1
    if block.count > 0 { seq = block.firstSeq }
  }
}
