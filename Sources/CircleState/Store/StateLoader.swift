import CircleModel

/// Loads the part of a state that a scope asks for.
struct StateLoader {
  private let rows: any StateRows
  private let scope: Scope
  private let head: Head
  private var snapshot = Snapshot()
  private var numbered = NumberedUsers()

  static func load(_ rows: any StateRows, _ scope: Scope, names: UserNames) throws(StateError) -> Loaded {
    let head = try Head.read(rows)
    var loader = StateLoader(rows: rows, scope: scope, head: head)
    try loader.run(names)
    return Loaded(snapshot: loader.snapshot, head: head)
  }

  private init(rows: any StateRows, scope: Scope, head: Head) {
    self.rows = rows
    self.scope = scope
    self.head = head
  }

  private mutating func run(_ names: UserNames) throws(StateError) {
    snapshot.adopt(names)
    snapshot.limits = head.limits
    snapshot.totals = head.totals
    guard head.run > 0 else { return }
    let concerned = try serversOfUsers(names).union(serversWithInvitations(names))
    var (servers, owners) = try serverRows(concerned)
    let named = namedServers(servers, concerned)
    var wanted = names.count
    if scope.members == .all { wanted += named.reduce(0) { $0 + servers[$1].memberCount } }
    let everyUser = scope.everyUser || scope.members == .everything || wanted > head.totals.users / 4
    numbered.areMany = everyUser || scope.members == .all
    if everyUser { try loadEveryUser() } else { try loadNamedUsers() }
    for position in servers.indices { servers[position].owner = try user(owners[position]) }
    add(servers)
    switch scope.members {
    case .none: break
    case .everything:
      for position in servers.indices { try loadAll(of: ServerIndex(position)) }
    case .all:
      for position in named { try loadAll(of: ServerIndex(position)) }
    case .named:
      for position in named { try loadMembers(among: names.count, of: ServerIndex(position)) }
    }
  }

  private mutating func add(_ servers: ContiguousArray<Server>) {
    snapshot.handles.reserveCapacity(servers.count)
    snapshot.serverIDs.reserveCapacity(servers.count)
    for position in servers.indices {
      snapshot.handles[servers[position].handle] = ServerIndex(position)
      snapshot.serverIDs[servers[position].id] = ServerIndex(position)
    }
    snapshot.servers = servers
  }

  // MARK: Servers

  /// The numbers of the servers that the named users are in, where the scope asks for them.
  private func serversOfUsers(_ names: UserNames) throws(StateError) -> Set<UInt32> {
    guard scope.serversOfUsers else { return [] }
    var numbers: Set<UInt32> = []
    for position in 0..<names.count {
      guard let user = try number(ofUser: UserIndex(position), in: names) else { continue }
      let joined = try rows.withRow(.users, RowKey(user)) { (row) throws(StateError) in try UserRow(row).joined }
      for entry in joined ?? [] { numbers.insert(UInt32(truncatingIfNeeded: entry >> 2)) }
    }
    return numbers
  }

  /// The numbers of the servers that have the pending invitations which the scope asks for.
  private func serversWithInvitations(_ names: UserNames) throws(StateError) -> Set<UInt32> {
    guard scope.invitations != .ofServers else { return [] }
    var users: Set<UInt32> = []
    for position in 0..<names.count {
      if let user = try number(ofUser: UserIndex(position), in: names) { users.insert(user) }
    }
    var numbers: Set<UInt32> = []
    let all = scope.invitations == .everything
    try rows.scan(.invitations) { (key, _) throws(StateError) in
      if all || users.contains(key.b) || users.contains(key.c) { numbers.insert(key.a) }
      return true
    }
    return numbers
  }

  /// - Parameter concerned: numbers of servers that are loaded beside those named.
  /// - Returns: also the numbers of their owners.
  private func serverRows(
    _ concerned: Set<UInt32>
  ) throws(StateError) -> (servers: ContiguousArray<Server>, owners: ContiguousArray<UInt32>) {
    var servers = ContiguousArray<Server>()
    var owners = ContiguousArray<UInt32>()
    func add(_ row: UnsafeRawBufferPointer, number: UInt32) throws(StateError) {
      var (server, owner) = try ServerRow.read(row)
      server.number = number
      servers.append(server)
      owners.append(owner)
    }
    let takesAll = scope.everyServer || scope.members == .everything
    // Where many are named, all rows in their order cost less than these one by one.
    if takesAll || scope.servers.count > head.totals.servers / 4 {
      servers.reserveCapacity(min(head.totals.servers, 1 << 20))
      let names = takesAll ? [] : Set(scope.servers)
      try rows.scan(.servers) { (key, row) throws(StateError) in
        try add(row, number: key.a)
        let last = servers.count - 1
        if !takesAll, !names.contains(servers[last].handle), !names.contains(servers[last].id),
          !concerned.contains(key.a)
        {
          servers.removeLast()
          owners.removeLast()
        }
        return true
      }
      return (servers, owners)
    }
    var numbers: [UInt32] = []
    numbers.reserveCapacity(scope.servers.count + concerned.count)
    for name in scope.servers {
      if let number = try number(of: name) { numbers.append(number) }
    }
    numbers += concerned.sorted()
    servers.reserveCapacity(numbers.count)
    var seen: Set<UInt32> = []
    seen.reserveCapacity(numbers.count)
    for number in numbers where seen.insert(number).inserted {
      let found: Void? = try rows.withRow(.servers, RowKey(number)) { (row) throws(StateError) in
        try add(row, number: number)
      }
      guard found != nil else { throw .damaged("server \(number) has a name but no row") }
    }
    return (servers, owners)
  }

  private func number(of name: Text) throws(StateError) -> UInt32? {
    if let number = try rows.number(of: name, in: .handles) { return number }
    return try rows.number(of: name, in: .serverIDs)
  }

  private func namedServers(
    _ servers: ContiguousArray<Server>, _ concerned: Set<UInt32>
  ) -> [Int] {
    guard scope.everyServer else { return Array(servers.indices) }
    let names = Set(scope.servers)
    return servers.indices.filter {
      names.contains(servers[$0].handle) || names.contains(servers[$0].id)
        || scope.stack != nil && servers[$0].stack == scope.stack || concerned.contains(servers[$0].number)
    }
  }

  // MARK: Users

  private mutating func loadEveryUser() throws(StateError) {
    var snapshot = self.snapshot
    self.snapshot = Snapshot()
    // No more than a few megabytes on the word of a row.
    let expected = min(head.totals.users, 1 << 20)
    snapshot.names.reserve(expected)
    snapshot.users.reserveCapacity(expected)
    var numbered = self.numbered
    self.numbered = NumberedUsers()
    let details = scope.userDetails
    try rows.scan(.users) { (key, row) throws(StateError) in
      guard key.a < head.nextUser else { throw .damaged("user \(key.a) is beyond the last number") }
      let index = try Self.add(row, number: key.a, details: details, to: &snapshot)
      numbered[key.a] = index
      return true
    }
    self.snapshot = snapshot
    self.numbered = numbered
  }

  private mutating func loadNamedUsers() throws(StateError) {
    for position in 0..<snapshot.names.count {
      guard let number = try number(ofUser: UserIndex(position), in: snapshot.names) else { continue }
      _ = try user(number)
    }
  }

  private func number(ofUser user: UserIndex, in names: UserNames) throws(StateError) -> UInt32? {
    try rows.number(of: Text(String(decoding: names.folded(user), as: UTF8.self)), in: .users)
  }

  /// The user of a stored number, loaded when it is the first time.
  private mutating func user(_ number: UInt32) throws(StateError) -> UserIndex {
    if let index = numbered[number] { return index }
    var snapshot = self.snapshot
    self.snapshot = Snapshot()
    let details = scope.userDetails
    let index = try rows.withRow(.users, RowKey(number)) { (row) throws(StateError) in
      try Self.add(row, number: number, details: details, to: &snapshot)
    }
    self.snapshot = snapshot
    guard let index else { throw .damaged("user \(number) is named but has no row") }
    numbered[number] = index
    return index
  }

  private static func add(
    _ row: UnsafeRawBufferPointer, number: UInt32, details: Bool, to snapshot: inout Snapshot
  ) throws(StateError) -> UserIndex {
    let (spelling, managed, owned, joined, detail) = try UserRow.counts(row)
    guard 1...UserNames.longest ~= spelling.count else { throw PackedReader.damaged }
    let index = snapshot.intern(spelling)
    snapshot.names.respell(index, spelling)
    var user = User()
    user.number = number
    user.isRegistered = true
    user.managed = managed
    user.owned = owned
    user.joined = joined
    snapshot[index] = user
    if details, !detail.isEmpty { snapshot.details[index] = try UserDetail(packed: detail) }
    return index
  }

  // MARK: Members

  private mutating func loadAll(of server: ServerIndex) throws(StateError) {
    let number = snapshot[server].number
    var entries: [MemberChunk.Entry] = []
    entries.reserveCapacity(min(snapshot[server].memberCount, 1 << 20))
    try rows.scan(.members, of: number) { (_, row) throws(StateError) in
      try MemberChunk.read(row, into: &entries)
      return true
    }
    var members = ContiguousArray<Member>()
    members.reserveCapacity(entries.count)
    for entry in entries {
      members.append(
        try MemberFlags.member(entry.flags, user: try user(entry.user), joinedAt: entry.joinedAt))
    }
    guard members.count == snapshot[server].memberCount else {
      throw .damaged(
        "server \(snapshot[server].handle): \(snapshot[server].memberCount) members counted, \(members.count) found")
    }
    snapshot[server].members = MemberSet(members)
    try loadInvitations(of: server)
    var marks: [(UInt32, Mark)] = []
    try rows.scan(.marks, of: number) { (key, row) throws(StateError) in
      marks.append((key.b, try Mark(row)))
      return true
    }
    for (number, mark) in marks { add(mark, of: try user(number), to: server) }
  }

  /// - Parameter users: how many users were named; they are the first, before all whom rows led to.
  private mutating func loadMembers(among users: Int, of server: ServerIndex) throws(StateError) {
    let number = snapshot[server].number
    for position in 0..<users where snapshot.users[position].number != 0 {
      let user = UserIndex(position)
      let wanted = snapshot[user].number
      let found = try rows.withLast(.members, from: RowKey(number), through: RowKey(number, wanted)) {
        (_, row) throws(StateError) -> MemberChunk.Entry? in
        var entries: [MemberChunk.Entry] = []
        try MemberChunk.read(row, into: &entries)
        return entries.first { $0.user == wanted }
      }
      if let entry = found ?? nil {
        snapshot[server].members.set(try MemberFlags.member(entry.flags, user: user, joinedAt: entry.joinedAt))
      }
      if let mark = try rows.withRow(.marks, RowKey(number, wanted), Mark.init) {
        add(mark, of: user, to: server)
      }
    }
    try loadInvitations(of: server)
  }

  private mutating func loadInvitations(of server: ServerIndex) throws(StateError) {
    var found: [(RowKey, Invitation)] = []
    try rows.scan(.invitations, of: snapshot[server].number) { (key, row) throws(StateError) in
      found.append((key, try InvitationRow.read(row, inviter: .none, invitee: .none)))
      return true
    }
    for (key, invitation) in found {
      var invitation = invitation
      invitation.invitee = try user(key.b)
      invitation.inviter = try user(key.c)
      let pair = InvitationKey(invitee: invitation.invitee, inviter: invitation.inviter)
      snapshot[server].invitations[pair] = invitation
    }
  }

  private mutating func add(_ mark: Mark, of user: UserIndex, to server: ServerIndex) {
    if let refusal = mark.refusal { snapshot[server].refusals[user] = refusal }
    if !mark.listing.isEmpty { snapshot[server].base.absentees[user] = mark.listing }
  }
}

extension Head {
  static func read(_ rows: any StateRows) throws(StateError) -> Head {
    try rows.withRow(.head, .first) { (row) throws(StateError) in try Head(row) } ?? Head()
  }
}

extension StateRows {
  func number(of name: Text, in table: NameTable) throws(StateError) -> UInt32? {
    var copy = name.string
    let result: Result<UInt32?, StateError> = copy.withUTF8 { bytes in
      do throws(StateError) {
        return .success(try number(of: UnsafeRawBufferPointer(bytes), in: table))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// Users by their stored numbers: in an array where they are many and their numbers stand close together, as they do in any
/// state that was not tampered with; the others in a dictionary.
private struct NumberedUsers {
  /// Whether enough will be looked at for an array to pay.
  var areMany = false
  /// The user at each number, plus one.
  private var dense = ContiguousArray<UInt32>()
  private var sparse: [UInt32: UserIndex] = [:]
  private var count = 0

  subscript(number: UInt32) -> UserIndex? {
    get {
      if number < dense.count, dense[Int(number)] > 0 { return UserIndex(dense[Int(number)] - 1) }
      return sparse.isEmpty ? nil : sparse[number]
    }
    set {
      guard let newValue else { return }
      count += 1
      if areMany, number < 4 * count + 0x100_0000 {
        if number >= dense.count {
          let room = max(Int(number) + 1, dense.count + dense.count / 2)
          dense.append(contentsOf: repeatElement(0, count: room - dense.count))
        }
        dense[Int(number)] = newValue.raw + 1
      } else {
        sparse[number] = newValue
      }
    }
  }
}
