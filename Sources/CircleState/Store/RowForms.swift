import CircleModel

/// Checks that the rows of users, servers, memberships and invitations are byte for byte what would be written for what they
/// say: a byte that reading passes over is damage too, and would come back in the next run that writes the row.
struct RowForms {
  private let rows: any StateRows

  init(_ rows: any StateRows) {
    self.rows = rows
  }

  /// One sentence a row, about `limit` at most.
  /// - Throws: `.damaged` for what can't be read at all.
  func faults(atMost limit: Int) throws(StateError) -> [String] {
    try users(limit) + servers(limit) + members(limit) + invitations(limit)
  }

  private func users(_ limit: Int) throws(StateError) -> [String] {
    try compare(.users, limit) { (_, row, writer) throws(StateError) in
      let user = try UserRow(row)
      let name = "user \(Text(user.spelling)): his row"
      guard Self.isAscending(user.joined) else { return name }
      UserRow.write(&writer, spelling: user.spelling, managed: user.managed, joined: user.joined)
      try UserDetail(packed: user.detail).write(&writer)
      return name
    }
  }

  private func servers(_ limit: Int) throws(StateError) -> [String] {
    try compare(.servers, limit) { (_, row, writer) throws(StateError) in
      let (server, owner) = try ServerRow.read(row)
      ServerRow.write(&writer, server, owner: owner)
      return "server \(server.handle): its row"
    }
  }

  private func members(_ limit: Int) throws(StateError) -> [String] {
    var last = RowKey.first
    return try compare(.members, limit) { (key, row, writer) throws(StateError) in
      var entries: [MemberChunk.Entry] = []
      try MemberChunk.read(row, into: &entries)
      let name = "server \(key.a): a row of its members"
      // A row stands under its first user, after all of the row before.
      let follows = key.a != last.a || key.b > last.b
      last = RowKey(key.a, entries.last?.user ?? key.b)
      guard follows, entries.first?.user == key.b, Self.isAscending(entries.map(\.user)) else { return name }
      MemberChunk.write(&writer, entries[...])
      return name
    }
  }

  private func invitations(_ limit: Int) throws(StateError) -> [String] {
    try compare(.invitations, limit) { (key, row, writer) throws(StateError) in
      InvitationRow.write(&writer, try InvitationRow.read(row, inviter: .none, invitee: .none))
      return "server \(key.a): a row of its invitations"
    }
  }

  /// - Parameter write: writes anew what the row says, or nothing where that could not have been written, and names the row.
  private func compare(
    _ table: StateTable, _ limit: Int,
    _ write: (RowKey, UnsafeRawBufferPointer, inout PackedWriter) throws(StateError) -> String
  ) throws(StateError) -> [String] {
    var faults: [String] = []
    var writer = PackedWriter()
    try rows.scan(table) { (key, row) throws(StateError) in
      writer.clear()
      let name = try write(key, row, &writer)
      if !row.elementsEqual(writer.bytes) { faults.append("\(name) is not as it was written") }
      return faults.count < limit
    }
    return faults
  }

  private static func isAscending(_ numbers: some Collection<some FixedWidthInteger>) -> Bool {
    zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
  }
}
