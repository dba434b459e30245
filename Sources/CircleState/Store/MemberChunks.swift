import CircleModel

/// The chunks of one server's memberships, changed user by user.
struct MemberChunks {
  let rows: any StateRows
  let server: UInt32

  /// What becomes of one user's membership; nil removes it.
  struct Change {
    var user: UInt32
    var entry: MemberChunk.Entry?
  }

  /// - Parameter changes: ascending by user number.
  func write(_ changes: [Change]) throws(StateError) {
    var position = 0
    while position < changes.count {
      let old = try chunk(of: changes[position].user)
      let limit = try next(after: old?.key.b ?? changes[position].user)
      var end = position + 1
      while end < changes.count, limit.map({ changes[end].user < $0 }) ?? true { end += 1 }
      try replace(old, with: Self.merge(old?.entries ?? [], changes[position..<end]))
      position = end
    }
  }

  /// The chunk in which the user is or would be: the last that begins at or before him, else the first.
  private func chunk(of user: UInt32) throws(StateError) -> (key: RowKey, entries: [MemberChunk.Entry])? {
    let read = { (key: RowKey, row: UnsafeRawBufferPointer) throws(StateError) in
      var entries: [MemberChunk.Entry] = []
      try MemberChunk.read(row, into: &entries)
      return (key: key, entries: entries)
    }
    if let found = try rows.withLast(.members, from: RowKey(server), through: RowKey(server, user), read) {
      return found
    }
    var first: (key: RowKey, entries: [MemberChunk.Entry])?
    try rows.scan(.members, of: server) { (key, row) throws(StateError) in
      first = try read(key, row)
      return false
    }
    return first
  }

  /// The first user of the chunk after the one that begins with `user`.
  private func next(after user: UInt32) throws(StateError) -> UInt32? {
    var next: UInt32?
    let through = RowKey(server, RowKey.last.b, RowKey.last.c)
    try rows.scan(.members, from: RowKey(server, user + 1), through: through) { (key, _) in
      next = key.b
      return false
    }
    return next
  }

  private func replace(
    _ old: (key: RowKey, entries: [MemberChunk.Entry])?, with entries: [MemberChunk.Entry]
  ) throws(StateError) {
    if let old, old.entries.first?.user != entries.first?.user { try rows.remove(.members, old.key) }
    guard !entries.isEmpty else { return }
    let parts = (entries.count + MemberChunk.capacity - 1) / MemberChunk.capacity
    let size = (entries.count + parts - 1) / parts
    var writer = PackedWriter()
    for start in stride(from: 0, to: entries.count, by: size) {
      let part = entries[start..<min(start + size, entries.count)]
      writer.clear()
      MemberChunk.write(&writer, part)
      try rows.put(.members, RowKey(server, part[start].user), bytes: writer.bytes)
    }
  }

  private static func merge(
    _ old: [MemberChunk.Entry], _ changes: ArraySlice<Change>
  ) -> [MemberChunk.Entry] {
    var merged: [MemberChunk.Entry] = []
    merged.reserveCapacity(old.count + changes.count)
    var position = 0
    for change in changes {
      while position < old.count, old[position].user < change.user {
        merged.append(old[position])
        position += 1
      }
      if position < old.count, old[position].user == change.user { position += 1 }
      if let entry = change.entry { merged.append(entry) }
    }
    merged.append(contentsOf: old[position...])
    return merged
  }
}
