package import CircleModel
import Diagnostics

/// What a run says of one thing, and where it was asked for: the answer to `why`.
package struct Provenance: Sendable {
  /// What of a server, a tag or a user it is about.
  package enum Aspect: Equatable, Sendable {
    case attribute(ServerField)
    case handle
    case stack
    case setting(String)
    case tag
    case membership
    case role
    case invitation
  }

  package var aspect: Aspect
  package var kind: OperationKind
  /// What it became; nil where it went.
  package var value: Text?
  package var rule: Rule
  /// In whose name.
  package var actor: Text
  package var isAdministrative: Bool
  /// The manifest; nil where none asked for it.
  package var path: String?
  package var line: Int
  package var column: Int
  package var run: Run
}

/// Reads out of the log why something is as it is: by server, the latest first, through the log's index.
///
/// Of a state of a million memberships it reads the blocks of one server, and stops where the question is answered. The
/// caller is in a transaction (`StateStore.reading`).
package struct ProvenanceReader {
  private let rows: any StateRows
  private let server: UInt32
  private var found: [Provenance] = []

  package init(_ rows: any StateRows, server: UInt32) {
    self.rows = rows
    self.server = server
  }

  // MARK: Questions

  /// Of each attribute, of handle, stack and settings what last wrote it.
  package mutating func ofServer() throws(StateError) -> [Provenance] {
    let kinds: Set<OperationKind> = [
      .createServer, .updateServer, .renameHandle, .adoptServer, .releaseServer, .setServerSettings,
    ]
    try forEachBlock(kinds) { (block, run) throws(StateError) in
      var names = UserNames()
      let (outcome, paths) = try block.provenance { names.intern($0) }
      for position in outcome.records.indices.reversed() {
        let source = Source(block, position, outcome.records[position], paths, run)
        if let detail = outcome.detail(of: outcome.records[position]) { take(detail, from: source) }
      }
      return block.kind != .createServer
    }
    return found
  }

  /// What last added or removed the tag; none if it never was one.
  package mutating func ofTag(_ name: Text) throws(StateError) -> [Provenance] {
    try forEachBlock([.addTags, .removeTags]) { (block, run) throws(StateError) in
      var names = UserNames()
      let (outcome, paths) = try block.provenance { names.intern($0) }
      for position in outcome.records.indices.reversed() {
        let record = outcome.records[position]
        guard case .tags(let tags, let places)? = outcome.detail(of: record),
          let index = tags.firstIndex(where: { $0.name == name })
        else { continue }
        let source = Source(block, position, record, paths, run)
        note(.tag, block.kind == .addTags ? name : nil, source, at: index < places.count ? places[index] : record.place)
        return false
      }
      return true
    }
    return found
  }

  /// What last brought the user in or took him out, gave him his role, and became of an invitation; none if nothing ever
  /// did.
  ///
  /// - Parameter id: in whatever case.
  package mutating func ofUser(_ id: Text) throws(StateError) -> [Provenance] {
    let kinds: Set<OperationKind> = [
      .createServer, .joinServer, .leaveServer, .acceptInvitation, .removeUsers, .addModerator, .removeModerator,
      .inviteUser, .declineInvitation, .withdrawInvitation,
    ]
    var names = UserNames()
    let wanted = names.intern(id.string)
    try forEachBlock(kinds) { (block, run) throws(StateError) in
      // Most blocks of a big server do not name him: they are not decoded.
      let isNamed = block.users.contains { names.find($0) == wanted }
      guard isNamed || block.kind == .removeUsers else { return true }
      let (outcome, paths) = try block.provenance { names.intern($0) }
      for position in outcome.records.indices.reversed() {
        let record = outcome.records[position]
        let source = Source(block, position, record, paths, run)
        if block.kind == .removeUsers {
          guard case .removed(let members)? = outcome.detail(of: record),
            let gone = members.first(where: { $0.member.user == wanted })
          else { continue }
          note(.membership, nil, source, rule: gone.rule, at: gone.place)
          return false
        }
        guard record.user == wanted else { continue }
        if note(membershipOf: record, source) { return false }
      }
      return true
    }
    return found
  }

  /// - Returns: whether it is what made or ended the membership, so that nothing earlier matters.
  private mutating func note(membershipOf record: Record, _ source: Source) -> Bool {
    switch record.kind {
    case .createServer: note(.membership, "owner", source)
    case .joinServer, .acceptInvitation: note(.membership, "user", source)
    case .leaveServer: note(.membership, nil, source)
    case .addModerator:
      note(.role, "moderator", source)
      return false
    case .removeModerator:
      note(.role, "user", source)
      return false
    case .inviteUser:
      note(.invitation, "pending", source)
      return false
    case .declineInvitation:
      note(.invitation, "declined", source)
      return false
    default:
      note(.invitation, nil, source)
      return false
    }
    return true
  }

  // MARK: Blocks

  /// Calls `body` for the server's blocks of these kinds, the latest first, until it answers false.
  private func forEachBlock(
    _ kinds: Set<OperationKind>, _ body: (LogBlock, Run) throws(StateError) -> Bool
  ) throws(StateError) {
    var end = RowKey(server, RowKey.last.b, RowKey.last.c)
    var run: Run?
    while true {
      let last = try rows.withLast(.logByServer, from: RowKey(server), through: end) { (key, _) in key }
      guard let key = last, key.a == server else { return }
      if run?.number != key.b {
        run = try rows.withRow(.runs, RowKey(key.b)) { (row) throws(StateError) in try Run(row, number: key.b) }
      }
      guard let run else { throw .damaged("the log names run \(key.b), which the history has not") }
      let goesOn = try rows.withRow(.log, RowKey(key.b, key.c)) { (bytes) throws(StateError) -> Bool in
        // The kind stands second: most blocks need not be opened.
        guard bytes.count > 1, let kind = OperationKind(rawValue: bytes[1]), kinds.contains(kind) else { return true }
        return try body(try LogBlock(bytes), run)
      }
      guard goesOn != false else { return }
      if key.c > 0 {
        end = RowKey(server, key.b, key.c - 1)
      } else if key.b > 0 {
        end = RowKey(server, key.b - 1, RowKey.last.c)
      } else {
        return
      }
    }
  }

  // MARK: Answers

  /// Where an answer comes from.
  private struct Source {
    let block: LogBlock
    let position: Int
    let record: Record
    let paths: [String]
    let run: Run

    init(_ block: LogBlock, _ position: Int, _ record: Record, _ paths: [String], _ run: Run) {
      self.block = block
      self.position = position
      self.record = record
      self.paths = paths
      self.run = run
    }
  }

  /// Notes what a record wrote, where nothing later did.
  private mutating func take(_ detail: Detail, from source: Source) {
    switch detail {
    case .created(let server):
      for field in ServerField.allCases { note(.attribute(field), server.attributes[field], source) }
      note(.handle, server.handle, source)
      if let stack = server.stack { note(.stack, stack, source) }
    case .updated(let changes, let places, _):
      for (number, change) in changes.enumerated() {
        note(.attribute(change.field), change.after, source, at: number < places.count ? places[number] : nil)
      }
    case .handle(_, let after): note(.handle, after, source)
    case .stack(_, let after): note(.stack, after, source)
    case .settings(let before, let after):
      if before.membership != after.membership { note(.setting("membership"), word(after.membership?.word), source) }
      if before.join != after.join { note(.setting("join"), word(after.join?.word), source) }
      if before.welcome != after.welcome { note(.setting("welcome"), after.welcome, source) }
      if before.protect != after.protect {
        note(.setting("protect"), after.protect.map { $0 ? "true" : "false" }, source)
      }
    default: break
    }
  }

  private func word(_ word: String?) -> Text? { word.map { Text($0) } }

  private mutating func note(
    _ aspect: Provenance.Aspect, _ value: Text?, _ source: Source, rule: Rule? = nil, at place: Place? = nil
  ) {
    guard !found.contains(where: { $0.aspect == aspect }) else { return }
    // An attribute that was never given is not worth a line.
    if case .attribute = aspect, value == nil, source.block.kind == .createServer { return }
    let place = place ?? source.record.place
    let path = place.isKnown && Int(place.file) < source.paths.count ? source.paths[Int(place.file)] : nil
    found.append(
      Provenance(
        aspect: aspect, kind: source.block.kind, value: value, rule: rule ?? source.record.rule,
        actor: Text(source.block.actor(source.position)), isAdministrative: source.block.isAdministrative, path: path,
        line: path == nil ? 0 : place.line, column: path == nil ? 0 : place.column, run: source.run))
  }
}
