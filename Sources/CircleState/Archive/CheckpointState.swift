import CircleModel

/// A whole state as the rows of a checkpoint: its rows one after the other, in pieces. Users and servers are numbered
/// anew, so that the bytes follow from the log alone and are the same in all stores.
struct CheckpointState {
  /// A piece is handed over when it has reached this size.
  private static let pieceSize = 64 << 10

  private(set) var pieces: [[UInt8]] = []
  private var piece = PackedWriter()
  private let snapshot: Snapshot
  /// The number of each user, 0 for those who were never registered.
  private var users: ContiguousArray<UInt32> = []

  /// - Parameter head: the run, event and hash with which the state came about.
  init(_ snapshot: Snapshot, head: Head) {
    self.snapshot = snapshot
    var head = head
    head.nextUser = 1
    for user in snapshot.users {
      users.append(user.isRegistered ? head.nextUser : 0)
      if user.isRegistered { head.nextUser += 1 }
    }
    let servers = snapshot.servers.indices.filter { !snapshot.servers[$0].isDestroyed }
    head.nextServer = UInt32(servers.count) + 1
    head.limits = snapshot.limits
    head.totals = snapshot.totals
    put(.head, .first) { $0.raw(head.row) }
    let numbered = servers.enumerated().map { (number: UInt32($0) + 1, server: snapshot.servers[$1]) }
    writeUsers(joined: joinedServers(numbered))
    for (number, server) in numbered {
      let owner = users[server.owner.position]
      put(.servers, RowKey(number)) { ServerRow.write(&$0, server, owner: owner) }
    }
    for (number, server) in numbered { writeMembers(of: server, number) }
    for (number, server) in numbered { writeInvitations(of: server, number) }
    for (number, server) in numbered { writeMarks(of: server, number) }
    if !piece.bytes.isEmpty { pieces.append(piece.bytes) }
  }

  private mutating func put(_ table: StateTable, _ key: RowKey, _ write: (inout PackedWriter) -> Void) {
    var value = PackedWriter()
    write(&value)
    piece.byte(table.rawValue)
    piece.number(key.a)
    piece.number(key.b)
    piece.number(key.c)
    piece.count(value.bytes.count)
    piece.raw(value.bytes)
    guard piece.bytes.count >= Self.pieceSize else { return }
    pieces.append(piece.bytes)
    piece = PackedWriter()
  }

  /// Of each user his (server number << 2 | role), ascending.
  private func joinedServers(_ servers: [(number: UInt32, server: Server)]) -> [ContiguousArray<UInt64>] {
    var joined = [ContiguousArray<UInt64>](repeating: [], count: users.count)
    for (number, server) in servers {
      for member in server.members.sorted() {
        joined[member.user.position].append(UInt64(number) << 2 | UInt64(member.role.rawValue))
      }
    }
    return joined
  }

  private mutating func writeUsers(joined: [ContiguousArray<UInt64>]) {
    for position in users.indices where users[position] > 0 {
      let user = UserIndex(position)
      let snapshot = snapshot
      put(.users, RowKey(users[position])) { writer in
        snapshot.names.withSpelling(of: user) {
          UserRow.write(&writer, spelling: $0, managed: snapshot[user].managed, joined: joined[position])
        }
        snapshot.details[user]?.write(&writer)
      }
    }
  }

  private mutating func writeMembers(of server: Server, _ number: UInt32) {
    let entries = server.members.sorted().map {
      MemberChunk.Entry(user: users[$0.user.position], flags: MemberFlags.byte($0), joinedAt: $0.joinedAt)
    }
    for start in stride(from: 0, to: entries.count, by: MemberChunk.capacity) {
      let chunk = entries[start..<min(start + MemberChunk.capacity, entries.count)]
      put(.members, RowKey(number, entries[start].user)) { MemberChunk.write(&$0, chunk) }
    }
  }

  private mutating func writeInvitations(of server: Server, _ number: UInt32) {
    let rows = server.invitations.map { pair, invitation in
      (key: RowKey(number, users[pair.invitee.position], users[pair.inviter.position]), invitation: invitation)
    }
    for row in rows.sorted(by: { $0.key < $1.key }) {
      put(.invitations, row.key) { InvitationRow.write(&$0, row.invitation) }
    }
  }

  private mutating func writeMarks(of server: Server, _ number: UInt32) {
    let marked = Set(server.refusals.keys).union(server.base.absentees.keys)
    let rows = marked.map { user in
      (
        key: RowKey(number, users[user.position]),
        mark: Mark(refusal: server.refusals[user], listing: server.base.absentees[user] ?? [])
      )
    }
    for row in rows.sorted(by: { $0.key < $1.key }) where row.mark.byte != 0 {
      put(.marks, row.key) { $0.byte(row.mark.byte) }
    }
  }
}

extension Checkpoint {
  /// The state at the cut. The caller is in a transaction.
  func state(in rows: any StateRows) throws(StateError) -> Snapshot {
    let memory = MemoryRows()
    try memory.begin(writing: true, timeout: 0)
    try rows.scan(.checkpoint, from: RowKey(1), through: .last) { (_, bytes) throws(StateError) in
      var reader = PackedReader(bytes)
      while !reader.isAtEnd {
        guard let table = StateTable(rawValue: try reader.byte()) else { throw PackedReader.damaged }
        let key = RowKey(try reader.small(), try reader.small(), try reader.small())
        try memory.put(table, key, UnsafeRawBufferPointer(try reader.text()))
      }
      return true
    }
    try memory.commit()
    let loaded = try StateLoader.load(memory, .everything, names: UserNames())
    guard loaded.head.run == run, loaded.head.hash == hash else {
      throw .damaged("the checkpoint holds another state than that of run \(run)")
    }
    return loaded.snapshot
  }
}

extension StateRows {
  /// Where a fold of the log begins: with nothing, or with the state at the cut. The caller is in a transaction.
  ///
  /// - Returns: the fold, and the last run that it has behind it.
  func beginFold() throws(StateError) -> (fold: StateFold, run: UInt32) {
    guard let checkpoint = try Checkpoint.read(self) else { return (StateFold(), 0) }
    return (StateFold(from: try checkpoint.state(in: self)), checkpoint.run)
  }
}
