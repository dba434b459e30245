import CircleModel
import Diagnostics
import SideThread

/// Writes the outcome of one run into the rows of a state, in the caller's transaction: log, rows that changed, head.
///
/// Which rows are touched is read from the records, what they become from the snapshot after the run; a small change
/// on a big state touches a handful. A class, so that closures lend it about without a copy.
final class StateWriter {
  let rows: any StateRows
  let loaded: Loaded
  let outcome: Outcome
  var result: Snapshot
  var head: Head
  var run: Run

  /// Records from which on the log is encoded and hashed on a thread beside the one that writes rows.
  private static let smallestBigRun = 20_000

  private var touchedServers: Set<ServerIndex> = []
  /// Users whose row changes in more than its list, packed as (user number << 32 | user index).
  private var touchedUsers = ContiguousArray<UInt64>()
  private var newUsers: [UserIndex] = []
  /// Packed (server index, user index) of memberships that may differ from their rows.
  private var touchedMembers = ContiguousArray<UInt64>()
  /// Packed (user number << 33 | server number << 2 | role, or 3 for none): what changes in users' lists.
  private var joinedChanges = ContiguousArray<UInt64>()

  init(rows: any StateRows, loaded: Loaded, outcome: Outcome, result: Snapshot, time: Int64, request: RunRequest) {
    self.rows = rows
    self.loaded = loaded
    self.outcome = outcome
    self.result = result
    head = loaded.head
    head.run += 1
    head.revision += 1
    head.time = time
    run = Run(
      number: head.run, request: request, time: time, firstSeq: head.nextSeq, previous: loaded.head.hash)
  }

  func write(path: @escaping (FileIndex) -> String) throws(StateError) {
    try numberNewThings()
    let encoding = LogEncoding(run: run, outcome: outcome, result: result, path: path)
    let isBig = outcome.records.count >= Self.smallestBigRun
    let log = isBig ? SideThread.start { encoding.log() } : nil
    collect()
    try writeServers()
    try writeMembers()
    try writeUsers()
    try writeNames()
    try writeLog(log?.join() ?? encoding.log())
    head.limits = result.limits
    head.totals = result.totals
    head.hash = run.hash
    try rows.put(.head, .first, bytes: head.row)
    try rows.put(.runs, RowKey(run.number), bytes: run.row)
  }

  // MARK: What is touched

  private func numberNewThings() throws(StateError) {
    // Worked on as local values: each access to a property of an object is checked at run time.
    var next = head
    var new: [UserIndex] = []
    result.numberNewThings(of: outcome.records, &next) { new.append($0) }
    head = next
    newUsers = new
    guard head.nextUser < RowKey.last.a, head.nextServer < RowKey.last.a else {
      throw .io("the state is full: no number is left for a new user or server")
    }
  }

  private func collect() {
    var touchedMembers = ContiguousArray<UInt64>()
    var touchedUsers = ContiguousArray<UInt64>()
    let result = result
    func touch(_ server: ServerIndex, _ user: UserIndex) {
      touchedMembers.append(UInt64(server.raw) << 32 | UInt64(user.raw))
    }
    touchedMembers.reserveCapacity(outcome.records.count)
    var lastServer = ServerIndex.none
    for record in outcome.records {
      if record.server != .none, record.server != lastServer {
        touchedServers.insert(record.server)
        lastServer = record.server
      }
      switch record.kind {
      case .joinServer, .acceptInvitation, .leaveServer, .addModerator, .removeModerator:
        touch(record.server, record.user)
      case .createServer:
        touch(record.server, result[record.server].owner)
      case .removeUsers:
        if case .removed(let members)? = outcome.detail(of: record) {
          for removed in members { touch(record.server, removed.member.user) }
        }
      case .markServer:
        if case .serverMarks(_, let marks)? = outcome.detail(of: record) {
          for entry in marks.listings { touch(record.server, entry.user) }
        }
      case .releaseServer:
        guard record.server.position < loaded.snapshot.servers.count else { break }
        for member in loaded.snapshot[record.server].members.sorted() where !member.listing.isEmpty {
          touch(record.server, member.user)
        }
      case .registerUser, .updateUser, .setDevices, .markUser:
        touchedUsers.append(UInt64(result[record.user].number) << 32 | UInt64(record.user.raw))
      default:
        break
      }
    }
    radixSort(&touchedMembers)
    radixSort(&touchedUsers)
    self.touchedMembers = touchedMembers
    self.touchedUsers = touchedUsers
  }

  // MARK: Log

  private func writeLog(_ log: EncodedLog) throws(StateError) {
    for (part, block) in log.blocks.enumerated() {
      let part = UInt32(truncatingIfNeeded: part)
      try rows.put(.log, RowKey(run.number, part), bytes: block.bytes)
      try rows.put(.logByServer, RowKey(block.server, run.number, part), bytes: [])
    }
    run = log.run
    head.nextSeq = run.firstSeq + Int64(run.eventCount)
  }

  // MARK: Servers

  private func writeServers() throws(StateError) {
    let touched = touchedServers.sorted { $0.raw < $1.raw }
    try clearHandles(touched)
    let servers = result.servers
    let users = result.users
    var writer = PackedWriter()
    for index in touched {
      let position = index.position
      let isNew = isNew(index)
      if servers[position].isDestroyed {
        if !isNew { try eraseServer(index) }
        continue
      }
      writer.clear()
      ServerRow.write(&writer, servers[position], owner: users[servers[position].owner.position].number)
      let number = servers[position].number
      try rows.put(.servers, RowKey(number), bytes: writer.bytes)
      try writeSideRows(of: index)
      if isNew { try putName(servers[position].id, number, in: .serverIDs) }
      let handle = servers[position].handle
      if isNew || loaded.snapshot.handle(of: index) != handle { try putName(handle, number, in: .handles) }
    }
  }

  /// Frees the handles that are given up before any is taken: one server may take another's.
  private func clearHandles(_ touched: [ServerIndex]) throws(StateError) {
    let servers = result.servers
    for index in touched where !isNew(index) {
      let before = loaded.snapshot.handle(of: index)
      let position = index.position
      if servers[position].isDestroyed || before != servers[position].handle { try removeName(before, in: .handles) }
    }
  }

  private func isNew(_ index: ServerIndex) -> Bool { index.position >= loaded.snapshot.servers.count }

  private func eraseServer(_ index: ServerIndex) throws(StateError) {
    let server = loaded.snapshot[index]
    try rows.remove(.servers, RowKey(server.number))
    try removeName(server.id, in: .serverIDs)
    var chunks: [RowKey] = []
    var entries: [MemberChunk.Entry] = []
    try rows.scan(.members, of: server.number) { (key, row) throws(StateError) in
      chunks.append(key)
      try MemberChunk.read(row, into: &entries)
      return true
    }
    for key in chunks { try rows.remove(.members, key) }
    for entry in entries {
      joinedChanges.append(Self.joinedChange(user: entry.user, server: server.number, role: nil))
    }
    for table in [StateTable.invitations, .marks] {
      var keys: [RowKey] = []
      try rows.scan(table, of: server.number) { (key, _) throws(StateError) in
        keys.append(key)
        return true
      }
      for key in keys { try rows.remove(table, key) }
    }
  }

  /// Invitations and marks: what differs from what was loaded.
  private func writeSideRows(of index: ServerIndex) throws(StateError) {
    let before = loaded.sideRows[index]
    if before == nil, !result.servers[index.position].hasSideRows { return }
    let server = result[index]
    var writer = PackedWriter()
    for (pair, invitation) in server.invitations where before?.invitations[pair] != invitation {
      writer.clear()
      InvitationRow.write(&writer, invitation)
      try rows.put(.invitations, key(server, pair), bytes: writer.bytes)
    }
    for (pair, _) in before?.invitations ?? Invitations() where server.invitations[pair] == nil {
      try rows.remove(.invitations, key(server, pair))
    }
    var users = Set(server.refusals.keys).union(server.base.absentees.keys)
    if let before { users.formUnion(Set(before.refusals.keys).union(before.absentees.keys)) }
    for user in users {
      let mark = Mark(refusal: server.refusals[user], listing: server.base.absentees[user] ?? [])
      let old = Mark(refusal: before?.refusals[user], listing: before?.absentees[user] ?? [])
      guard mark != old else { continue }
      let key = RowKey(server.number, result[user].number)
      if mark.byte == 0 { try rows.remove(.marks, key) } else { try rows.put(.marks, key, bytes: [mark.byte]) }
    }
  }

  private func key(_ server: Server, _ pair: InvitationKey) -> RowKey {
    RowKey(server.number, result[pair.invitee].number, result[pair.inviter].number)
  }

  // MARK: Members

  private func writeMembers() throws(StateError) {
    let touched = touchedMembers
    joinedChanges.reserveCapacity(joinedChanges.count + touched.count)
    var position = 0
    while position < touched.count {
      let server = ServerIndex(UInt32(touched[position] >> 32))
      var end = position
      while end < touched.count, touched[end] >> 32 == UInt64(server.raw) { end += 1 }
      if !result[server].isDestroyed {
        try writeMembers(of: server, touched[position..<end])
      }
      position = end
    }
  }

  private func writeMembers(of server: ServerIndex, _ touched: ArraySlice<UInt64>) throws(StateError) {
    let number = result[server].number
    let members = result[server].members
    let users = result.users
    var changes: [MemberChunks.Change] = []
    changes.reserveCapacity(touched.count)
    var joined = ContiguousArray<UInt64>()
    joined.reserveCapacity(touched.count)
    var isAscending = true
    var last: UInt64?
    for word in touched where word != last {
      last = word
      let user = UserIndex(UInt32(truncatingIfNeeded: word))
      let stored = users[user.position].number
      let member = members[user]
      if let previous = changes.last, previous.user > stored { isAscending = false }
      changes.append(
        MemberChunks.Change(
          user: stored,
          entry: member.map {
            MemberChunk.Entry(user: stored, flags: MemberFlags.byte($0), joinedAt: $0.joinedAt)
          }))
      joined.append(Self.joinedChange(user: stored, server: number, role: member?.role))
    }
    joinedChanges.append(contentsOf: joined)
    if !isAscending { changes.sort { $0.user < $1.user } }
    try MemberChunks(rows: rows, server: number).write(changes)
  }

  private static func joinedChange(user: UInt32, server: UInt32, role: Role?) -> UInt64 {
    UInt64(user) << 33 | UInt64(server) << 2 | UInt64(role?.rawValue ?? 3)
  }

  // MARK: Users

  /// Goes through the users touched and those whose lists change, both by number.
  private func writeUsers() throws(StateError) {
    var joinedChanges = ContiguousArray<UInt64>()
    swap(&joinedChanges, &self.joinedChanges)
    radixSort(&joinedChanges)
    let touchedUsers = touchedUsers
    var writer = PackedWriter()
    var touched = 0
    var joined = 0
    while touched < touchedUsers.count || joined < joinedChanges.count {
      let touchedNumber = touched < touchedUsers.count ? UInt32(touchedUsers[touched] >> 32) : UInt32.max
      let joinedNumber = joined < joinedChanges.count ? UInt32(joinedChanges[joined] >> 33) : UInt32.max
      let number = min(touchedNumber, joinedNumber)
      var index: UserIndex?
      while touched < touchedUsers.count, touchedUsers[touched] >> 32 == UInt64(number) {
        index = UserIndex(UInt32(truncatingIfNeeded: touchedUsers[touched]))
        touched += 1
      }
      let start = joined
      while joined < joinedChanges.count, joinedChanges[joined] >> 33 == UInt64(number) { joined += 1 }
      try writeUser(&writer, number, index, joinedChanges[start..<joined])
    }
  }

  /// - Parameter index: the user where more than his list changes, or he is new.
  private func writeUser(
    _ writer: inout PackedWriter, _ number: UInt32, _ index: UserIndex?, _ changes: ArraySlice<UInt64>
  ) throws(StateError) {
    writer.clear()
    let key = RowKey(number)
    if number >= loaded.head.nextUser {
      guard let index else { throw .damaged("user \(number) has no registration") }
      let managed = result.users[index.position].managed
      result.names.withSpelling(of: index) { UserRow.write(&writer, spelling: $0, managed: managed, joined: changes) }
      result.details.withDetail(of: index) { $0.write(&writer) }
      return try rows.put(.users, key, bytes: writer.bytes)
    }
    let found: Void? = try rows.withRow(.users, key) { (bytes) throws(StateError) in
      let row = try UserRow(bytes)
      let joined = Self.merge(row.joined, changes)
      guard let index else {
        UserRow.write(&writer, spelling: row.spelling, managed: row.managed, joined: joined)
        writer.raw(row.detail)
        return
      }
      UserRow.write(&writer, spelling: row.spelling, managed: result[index].managed, joined: joined)
      result.details[index]?.write(&writer)
    }
    guard found != nil else { throw .damaged("user \(number) is a member but has no row") }
    try rows.put(.users, key, bytes: writer.bytes)
  }

  private static func merge(
    _ old: ContiguousArray<UInt64>, _ changes: ArraySlice<UInt64>
  ) -> ContiguousArray<UInt64> {
    let mask: UInt64 = 1 << 33 - 1
    var merged = ContiguousArray<UInt64>()
    merged.reserveCapacity(old.count + changes.count)
    var position = 0
    for change in changes {
      let entry = change & mask
      while position < old.count, old[position] >> 2 < entry >> 2 {
        merged.append(old[position])
        position += 1
      }
      if position < old.count, old[position] >> 2 == entry >> 2 { position += 1 }
      if entry & 3 != 3 { merged.append(entry) }
    }
    merged.append(contentsOf: old[position...])
    return merged
  }

  private func writeNames() throws(StateError) {
    let names = result.names
    let users = result.users
    var folded: [UInt8] = []
    for user in newUsers.sorted(by: { names.precedes($0, $1) }) {
      names.fold(user, into: &folded)
      try folded.withRaw { (bytes) throws(StateError) in
        try rows.putName(bytes, users[user.position].number, in: .users)
      }
    }
  }

  // MARK: Bytes

  private func putName(_ name: Text, _ number: UInt32, in table: NameTable) throws(StateError) {
    try Array(name.string.utf8).withRaw { (bytes) throws(StateError) in
      try rows.putName(bytes, number, in: table)
    }
  }

  private func removeName(_ name: Text, in table: NameTable) throws(StateError) {
    try Array(name.string.utf8).withRaw { (bytes) throws(StateError) in
      try rows.removeName(bytes, in: table)
    }
  }
}

extension Server {
  /// Whether it has invitations, or remembers users who are not members.
  var hasSideRows: Bool { !invitations.isEmpty || !refusals.isEmpty || !base.absentees.isEmpty }
}

extension Snapshot {
  /// Gives what the records make its number, and tells the new users.
  fileprivate mutating func numberNewThings(
    of records: ContiguousArray<Record>, _ head: inout Head, _ isNew: (UserIndex) -> Void
  ) {
    // Only what has a new thing in it is to be changed, and copied for that.
    if records.contains(where: { $0.kind == .registerUser }) {
      for record in records where record.kind == .registerUser {
        users[record.user.position].number = head.nextUser
        head.nextUser += 1
        isNew(record.user)
      }
    }
    if records.contains(where: { $0.kind == .createServer }) {
      for record in records where record.kind == .createServer {
        servers[record.server.position].number = head.nextServer
        head.nextServer += 1
      }
    }
  }
}
