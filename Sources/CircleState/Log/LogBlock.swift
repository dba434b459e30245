package import CircleModel

/// A block of the log, opened: its head and the columns that events need. The rest is read on demand.
///
/// A class, so that what reads a million records passes one reference about and not a dozen columns.
package final class LogBlock {
  package let kind: OperationKind
  /// The number of the first event of the first record; that of the next event where the block has none.
  package let firstSeq: Int64
  package let count: Int
  /// Empty for an operation on users. Valid, like all text here, as long as the bytes the block was opened on.
  package let serverID: UnsafeBufferPointer<UInt8>
  /// As it was at that moment.
  package let handle: UnsafeBufferPointer<UInt8>
  package let isAdministrative: Bool

  /// Empty where the records name no user.
  package let users: ContiguousArray<UnsafeBufferPointer<UInt8>>
  private let actors: ContiguousArray<UnsafeBufferPointer<UInt8>>
  private let actorColumn: ActorColumn
  private let audiences: NumberColumn
  private let deviceCounts: NumberColumn
  private let rest: PackedReader

  package init(_ bytes: UnsafeRawBufferPointer) throws(StateError) {
    var reader = PackedReader(bytes)
    guard try reader.byte() == LogBlockWriter.version, let kind = OperationKind(rawValue: try reader.byte()) else {
      throw PackedReader.damaged
    }
    self.kind = kind
    firstSeq = try reader.serial()
    count = Int(try reader.small())
    serverID = try reader.text()
    handle = try reader.text()
    isAdministrative = try reader.flag()
    guard count <= LogBlockWriter.capacity else { throw PackedReader.damaged }
    users = try reader.flag() ? try Self.texts(&reader, count) : []
    guard let column = ActorColumn(rawValue: try reader.byte()) else { throw PackedReader.damaged }
    actorColumn = column
    switch column {
    case .sameAsUser: actors = []
    case .constant: actors = [try reader.text()]
    case .each: actors = try Self.texts(&reader, count)
    }
    audiences = try reader.column(count)
    deviceCounts = try reader.column(count)
    rest = reader
  }

  private static func texts(
    _ reader: inout PackedReader, _ count: Int
  ) throws(StateError) -> ContiguousArray<UnsafeBufferPointer<UInt8>> {
    var texts = ContiguousArray<UnsafeBufferPointer<UInt8>>()
    texts.reserveCapacity(count)
    for _ in 0..<count { texts.append(try reader.text()) }
    return texts
  }

  package func user(_ position: Int) -> UnsafeBufferPointer<UInt8> {
    users.isEmpty ? UnsafeBufferPointer(start: nil, count: 0) : users[position]
  }

  package func actor(_ position: Int) -> UnsafeBufferPointer<UInt8> {
    switch actorColumn {
    case .sameAsUser: user(position)
    case .constant: actors[0]
    case .each: actors[position]
    }
  }

  package func audience(_ position: Int) -> Int { Int(truncatingIfNeeded: audiences[position]) }
  package func devices(_ position: Int) -> UInt32 { UInt32(truncatingIfNeeded: deviceCounts[position]) }

  /// Whether records of this kind carry more than their columns.
  package var hasDetails: Bool {
    switch kind {
    case .destroyServer, .joinServer, .leaveServer, .addModerator, .removeModerator: false
    default: true
    }
  }

  /// All that the block says, as an outcome that `Snapshot.apply` takes; users come through `intern`.
  ///
  /// - Parameter server: the server of the block in the caller's snapshot.
  package func outcome(
    server: ServerIndex, intern: (UnsafeBufferPointer<UInt8>) -> UserIndex
  ) throws(StateError) -> Outcome {
    try read(server: server, intern: intern).outcome
  }

  /// The same with the paths of the manifests: a place's file is the position of its path.
  package func provenance(
    intern: (UnsafeBufferPointer<UInt8>) -> UserIndex
  ) throws(StateError) -> (outcome: Outcome, paths: [String]) {
    let read = try read(server: .none, intern: intern)
    var reader = read.rest
    var paths: [String] = []
    for _ in 0..<(try reader.count()) { paths.append(try reader.textValue().string) }
    guard reader.isAtEnd else { throw PackedReader.damaged }
    return (read.outcome, paths)
  }

  /// The block's bytes with this outcome in the place of its own.
  ///
  /// - Parameter paths: of the manifests, as `provenance` gave them.
  func written(_ outcome: Outcome, _ names: UserNames, _ paths: [String]) -> [UInt8] {
    var blocks = LogBlockWriter(outcome: outcome, names: names) { Int($0) < paths.count ? paths[Int($0)] : "" }
    var writer = PackedWriter()
    blocks.write(
      &writer, outcome.records.indices, firstSeq: firstSeq, serverID: Text(serverID), handle: Text(handle))
    return writer.bytes
  }

  /// The outcome, and the reader at what follows it.
  private func read(
    server: ServerIndex, intern: (UnsafeBufferPointer<UInt8>) -> UserIndex
  ) throws(StateError) -> (outcome: Outcome, rest: PackedReader) {
    try withoutActuallyEscaping(intern) { intern throws(StateError) in
      var reader = rest
      let flags = try reader.column(count)
      let times = try reader.column(count)
      let rules = try reader.column(count)
      let place = try LogPlaces.read(&reader, count)
      let details = LogDetailReader(intern: intern)
      var outcome = Outcome()
      outcome.records.reserveCapacity(count)
      for position in 0..<count {
        let actor = self.actor(position)
        let user = self.user(position)
        guard actor.count <= UserNames.longest, user.count <= UserNames.longest, !user.isEmpty || !kind.namesUser else {
          throw PackedReader.damaged
        }
        var record = Record(
          kind, server: server, actor: actor.isEmpty ? .none : intern(actor),
          user: user.isEmpty ? .none : intern(user))
        record.isAdministrative = isAdministrative
        record.audience = UInt32(truncatingIfNeeded: audience(position))
        record.devices = devices(position)
        try RecordFlags.unpack(flags[position], into: &record)
        record.joinedAt = times[position]
        guard let rule = UInt8(exactly: rules[position]).flatMap(Rule.init(rawValue:)) else {
          throw PackedReader.damaged
        }
        record.rule = rule
        record.place = place(position)
        outcome.append(record, hasDetails ? try details.read(&reader, of: kind) : nil)
      }
      return (outcome, reader)
    }
  }
}

extension OperationKind {
  /// Whether each record of this kind is about a user.
  fileprivate var namesUser: Bool {
    switch self {
    case .createServer, .inviteUser, .acceptInvitation, .declineInvitation, .withdrawInvitation, .joinServer,
      .leaveServer, .addModerator, .removeModerator, .registerUser, .updateUser, .setDevices, .markUser:
      true
    default: false
    }
  }
}
