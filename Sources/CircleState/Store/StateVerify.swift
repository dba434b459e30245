import CircleModel
import Digest

/// Checks all that can be checked of a state: the store, the chain of hashes, the rules of the domain, and that folding
/// the log from nothing gives the state.
struct StateVerify {
  private let rows: any StateRows
  private var faults: [String] = []
  private let limit = 100

  init(_ rows: any StateRows) {
    self.rows = rows
  }

  /// One sentence a fault, at most 100; none when the state is sound.
  mutating func run() throws(StateError) -> [String] {
    faults = try rows.checkStore()
    guard faults.isEmpty else { return faults }
    do throws(StateError) {
      let loaded = try StateLoader.load(rows, .everything, names: UserNames())
      faults += invariantViolations(of: loaded.snapshot).prefix(limit)
      let fold = try foldLog(upTo: loaded.head)
      try compareRows(of: loaded)
      if let fold { compare(loaded.snapshot, with: fold) }
    } catch .damaged(let what) {
      faults.append(what)
    }
    if faults.count > limit {
      faults = Array(faults.prefix(limit)) + ["and \(faults.count - limit) more faults"]
    }
    return faults
  }

  // MARK: The log

  /// The state that the log makes; nil when the chain is broken, so that comparing would tell nothing new.
  private mutating func foldLog(upTo head: Head) throws(StateError) -> Snapshot? {
    var fold = StateFold()
    var chain = RunChain()
    try rows.scan(.runs) { (key, row) throws(StateError) in
      let run = try Run(row)
      chain.add(run, number: key.a, hash: try hash(of: run, &fold))
      return chain.faults.count < limit
    }
    chain.end(at: head)
    faults += chain.faults
    return chain.faults.isEmpty ? fold.snapshot : nil
  }

  /// The hash that the run ought to have; its blocks are folded on the way.
  private func hash(of run: Run, _ fold: inout StateFold) throws(StateError) -> SHA256.Digest {
    var folded = fold
    fold = StateFold()
    let hash = try rows.hash(of: run) { (bytes) throws(StateError) in
      do throws(StateError) {
        let outcome = try folded.outcome(of: try LogBlock(bytes))
        for record in outcome.records { folded.apply(record, of: outcome, in: run) }
      } catch .damaged(let what) {
        throw .damaged("run \(run.number): \(what)")
      }
    }
    fold = folded
    return hash
  }

  // MARK: Rows against each other

  /// The directories of names, each user's list of servers, and that no row stands alone.
  private mutating func compareRows(of loaded: Loaded) throws(StateError) {
    let snapshot = loaded.snapshot
    var byNumber: [UInt32: UserIndex] = [:]
    for position in snapshot.users.indices { byNumber[snapshot.users[position].number] = UserIndex(position) }
    try compareNames(snapshot)
    var expected: [UInt32: [UInt64]] = [:]
    for server in snapshot.servers {
      for member in server.members.sorted() {
        let entry = UInt64(server.number) << 2 | UInt64(member.role.rawValue)
        expected[snapshot[member.user].number, default: []].append(entry)
      }
    }
    var wrong: [String] = []
    try rows.scan(.users) { (key, row) throws(StateError) in
      let user = try UserRow(row)
      if Array(user.joined) != expected[key.a]?.sorted() ?? [] {
        wrong.append("user \(Text(user.spelling)): the list of his servers differs from the memberships")
      }
      return wrong.count < limit
    }
    let servers = Set(snapshot.servers.map(\.number))
    for table in [StateTable.members, .invitations, .marks] {
      try rows.scan(table) { (key, _) throws(StateError) in
        if !servers.contains(key.a) { wrong.append("a row of \(table) belongs to no server") }
        return wrong.count < limit
      }
    }
    try rows.scan(.logByServer) { (key, _) throws(StateError) in
      if try rows.withRow(.log, RowKey(key.b, key.c), { _ in true }) == nil {
        wrong.append("the index of the log names a block of run \(key.b) that is not there")
      }
      return wrong.count < limit
    }
    faults += wrong
  }

  private mutating func compareNames(_ snapshot: Snapshot) throws(StateError) {
    var users: [Text: UInt32] = [:]
    for position in snapshot.users.indices {
      let folded = snapshot.names.folded(UserIndex(position))
      users[Text(String(decoding: folded, as: UTF8.self))] = snapshot.users[position].number
    }
    let handles = Dictionary(snapshot.servers.map { ($0.handle, $0.number) }) { first, _ in first }
    let ids = Dictionary(snapshot.servers.map { ($0.id, $0.number) }) { first, _ in first }
    for (table, expected) in [(NameTable.users, users), (.handles, handles), (.serverIDs, ids)] {
      var found = 0
      var wrong = false
      try rows.scanNames(table, prefix: []) { (name, number) in
        found += 1
        wrong = wrong || expected[Text(name.bindMemory(to: UInt8.self))] != number
        return !wrong
      }
      if wrong || found != expected.count { faults.append("the directory of \(table) differs from the rows") }
    }
  }

  // MARK: The state against its fold

  private mutating func compare(_ actual: Snapshot, with fold: Snapshot) {
    if actual.limits != fold.limits { faults.append("the limits differ from the log") }
    if actual.totals != fold.totals { faults.append("the totals differ from the log") }
    for position in actual.users.indices where faults.count <= limit {
      compareUser(UserIndex(position), actual, fold)
    }
    let registered = fold.users.reduce(0) { $0 + ($1.isRegistered ? 1 : 0) }
    if registered != actual.users.count {
      faults.append("the log registers \(registered) users, the state has \(actual.users.count)")
    }
    for server in actual.servers where faults.count <= limit {
      guard let index = fold.serverIDs[server.id] else {
        faults.append("server \(server.handle): the log does not create it")
        continue
      }
      for what in Comparison(actual, fold).differences(server, fold[index]) {
        faults.append("server \(server.handle): its \(what) differ from the log")
      }
    }
    if fold.serverIDs.count != actual.servers.count {
      faults.append("the log leaves \(fold.serverIDs.count) servers, the state has \(actual.servers.count)")
    }
  }

  private mutating func compareUser(_ user: UserIndex, _ actual: Snapshot, _ fold: Snapshot) {
    let id = actual.names[user]
    guard let other = fold.names.find(id), fold[other].isRegistered else {
      faults.append("user \(id): the log does not register him")
      return
    }
    let same =
      actual[user].owned == fold[other].owned && actual[user].joined == fold[other].joined
      && actual[user].managed == fold[other].managed
    if !same || Text(fold.names[other]) != Text(id) { faults.append("user \(id): differs from the log") }
    if actual.details[user] ?? UserDetail() != fold.details[other] ?? UserDetail() {
      faults.append("user \(id): profile or devices differ from the log")
    }
  }
}

/// Compares servers of two snapshots, whose users have different places.
private struct Comparison {
  private let actual: Snapshot
  private let fold: Snapshot

  init(_ actual: Snapshot, _ fold: Snapshot) {
    self.actual = actual
    self.fold = fold
  }

  func differences(_ a: Server, _ b: Server) -> [String] {
    var differences: [String] = []
    if a.handle != b.handle || a.attributes != b.attributes || a.created != b.created || !same(a.owner, b.owner) {
      differences.append("attributes")
    }
    if a.stack != b.stack || a.settings != b.settings { differences.append("settings") }
    if a.base.managed != b.base.managed || a.base.overrides != b.base.overrides || a.base.lostTags != b.base.lostTags
      || folded(a.base.absentees) != Dictionary(uniqueKeysWithValues: b.base.absentees.map { ($0, $1) })
    {
      differences.append("marks")
    }
    if a.tags != b.tags { differences.append("tags") }
    if a.memberCount != b.memberCount || a.moderatorCount != b.moderatorCount || !sameMembers(a, b) {
      differences.append("members")
    }
    if folded(a.refusals) != b.refusals || !sameInvitations(a, b) { differences.append("invitations") }
    return differences
  }

  private func other(_ user: UserIndex) -> UserIndex? { fold.names.find(actual.names[user]) }

  private func same(_ a: UserIndex, _ b: UserIndex) -> Bool { other(a) == b }

  private func folded<Value>(_ values: [UserIndex: Value]) -> [UserIndex: Value] {
    var folded: [UserIndex: Value] = [:]
    for (user, value) in values { folded[other(user) ?? .none] = value }
    return folded
  }

  private func sameMembers(_ a: Server, _ b: Server) -> Bool {
    let members = a.members.sorted()
    guard members.count == b.members.count else { return false }
    return members.allSatisfy { member in
      guard let user = other(member.user), var found = b.members[user] else { return false }
      found.user = member.user
      return found == member
    }
  }

  private func sameInvitations(_ a: Server, _ b: Server) -> Bool {
    guard a.invitations.count == b.invitations.count else { return false }
    return a.invitations.allSatisfy { pair, invitation in
      guard let invitee = other(pair.invitee), let inviter = other(pair.inviter),
        let found = b.invitations[InvitationKey(invitee: invitee, inviter: inviter)]
      else { return false }
      return found.welcome == invitation.welcome && found.createdAt == invitation.createdAt
    }
  }
}

extension StateStore {
  /// Checks the whole state, without writing.
  ///
  /// - Returns: one sentence a fault, at most 100 and a count; none when it is sound.
  package func verify() throws(StateError) -> [String] {
    try reading { () throws(StateError) in
      var verify = StateVerify(rows)
      return try verify.run()
    }
  }
}
