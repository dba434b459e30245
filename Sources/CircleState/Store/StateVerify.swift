import CircleModel
import Digest

/// One thing that is wrong with a state.
package struct StateFault: Equatable, Sendable {
  /// What of a state it concerns.
  package enum Area: Sendable {
    /// The file or the tables themselves.
    case store
    /// What rows say of each other: members, moderators, servers and users who are not there, wrong counts.
    case references
    /// The history, its log and the chain of hashes.
    case log
    /// What the state is, against what its log makes.
    case fold
  }

  package var area: Area
  package var sentence: String
}

/// Checks all that can be checked of a state: the store, the chain of hashes, the rules of the domain, and that folding
/// the log, from nothing or from its checkpoint, gives the state.
struct StateVerify {
  private let rows: any StateRows
  private var faults: [StateFault] = []
  private let limit = 100
  /// The server's id of each block of the log, empty for operations on users.
  private var blocks: [BlockKey: Text] = [:]

  private struct BlockKey: Hashable {
    var run: UInt32
    var part: UInt32
  }

  init(_ rows: any StateRows) {
    self.rows = rows
  }

  /// At most 100 faults; none when the state is sound.
  mutating func run() throws(StateError) -> [StateFault] {
    note(try rows.checkStore(), .store)
    guard faults.isEmpty else { return faults }
    var area = StateFault.Area.references
    do throws(StateError) {
      let loaded = try StateLoader.load(rows, .everything, names: UserNames())
      note(Array(invariantViolations(of: loaded.snapshot).prefix(limit)), .references)
      area = .log
      let fold = try foldLog(upTo: loaded.head)
      area = .references
      try compareRows(of: loaded)
      if fold != nil { try compareLogIndex(of: loaded.snapshot) }
      if let fold { compare(loaded.snapshot, with: fold) }
    } catch .damaged(let what) {
      note(what, area)
    }
    if faults.count > limit {
      let last = StateFault(area: faults[limit].area, sentence: "and \(faults.count - limit) more faults")
      faults = Array(faults.prefix(limit)) + [last]
    }
    return faults
  }

  private mutating func note(_ sentence: String, _ area: StateFault.Area) {
    faults.append(StateFault(area: area, sentence: sentence))
  }

  private mutating func note(_ sentences: [String], _ area: StateFault.Area) {
    for sentence in sentences { note(sentence, area) }
  }

  // MARK: The log

  /// The state that the log makes from nothing, or from where it was cut; nil when the chain is broken, so that comparing would tell nothing new.
  private mutating func foldLog(upTo head: Head) throws(StateError) -> Snapshot? {
    let checkpoint = try rows.soundCheckpoint()
    var (fold, _) = try rows.beginFold()
    if let checkpoint { try readBlocks(through: checkpoint.run) }
    let chain = try rows.chain(
      upTo: head, checkpoint, hash: { (run) throws(StateError) in try hash(of: run, &fold) })
    note(chain.faults, .log)
    return chain.faults.isEmpty ? fold.snapshot : nil
  }

  /// Takes in what is kept of the log of the runs that were cut, which are not folded.
  private mutating func readBlocks(through run: UInt32) throws(StateError) {
    try rows.scan(.log, from: .first, through: RowKey(run, RowKey.last.b)) { (key, bytes) throws(StateError) in
      blocks[BlockKey(run: key.a, part: key.b)] = Text(try LogBlock(bytes).serverID)
      return true
    }
  }

  /// The hash that the run ought to have; its blocks are folded on the way.
  private mutating func hash(of run: Run, _ fold: inout StateFold) throws(StateError) -> SHA256.Digest {
    var folded = fold
    fold = StateFold()
    var blocks = self.blocks
    self.blocks = [:]
    var key = BlockKey(run: run.number, part: 0)
    let hash = try rows.hash(of: run) { (bytes) throws(StateError) in
      do throws(StateError) {
        let block = try LogBlock(bytes)
        blocks[key] = Text(block.serverID)
        key.part += 1
        let outcome = try folded.outcome(of: block)
        for record in outcome.records { folded.apply(record, of: outcome, in: run) }
      } catch .damaged(let what) {
        throw .damaged("run \(run.number): \(what)")
      }
    }
    fold = folded
    self.blocks = blocks
    return hash
  }

  // MARK: Rows against each other

  /// The directories of names, each user's list of servers, and that no row stands alone.
  private mutating func compareRows(of loaded: Loaded) throws(StateError) {
    let snapshot = loaded.snapshot
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
    try rows.scan(.head) { (key, _) in
      if key != .first { wrong.append("there is more than one head") }
      return wrong.count < limit
    }
    let servers = Set(snapshot.servers.map(\.number))
    for table in [StateTable.members, .invitations, .marks] {
      try rows.scan(table) { (key, _) throws(StateError) in
        if !servers.contains(key.a) { wrong.append("a row of \(table) belongs to no server") }
        return wrong.count < limit
      }
    }
    note(wrong, .references)
    note(try RowForms(rows).faults(atMost: limit), .references)
  }

  /// That the index of the log leads to each block once, from the server that it is about, and that there are no blocks but
  /// those of the history.
  private mutating func compareLogIndex(of snapshot: Snapshot) throws(StateError) {
    // A server that is gone had one number all the time.
    var numbers = Dictionary(snapshot.servers.map { ($0.id, $0.number) }) { first, _ in first }
    numbers[""] = 0
    var wrong: [String] = []
    var indexed = 0
    try rows.scan(.logByServer) { (key, row) throws(StateError) in
      indexed += 1
      let block = "block \(key.c) of run \(key.b)"
      guard let server = blocks[BlockKey(run: key.b, part: key.c)] else {
        wrong.append("the index of the log names \(block), which is not there")
        return wrong.count < limit
      }
      if numbers[server, default: key.a] != key.a || !row.isEmpty {
        wrong.append("the index of the log leads from another server to \(block)")
      }
      numbers[server] = numbers[server] ?? key.a
      return wrong.count < limit
    }
    if wrong.isEmpty && indexed != blocks.count { wrong.append("the index of the log is not complete") }
    var stored = 0
    try rows.scan(.log) { (_, _) in
      stored += 1
      return true
    }
    if stored != blocks.count { wrong.append("the log holds blocks of no run") }
    note(wrong, .references)
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
      if wrong || found != expected.count { note("the directory of \(table) differs from the rows", .references) }
    }
  }

  // MARK: The state against its fold

  private mutating func compare(_ actual: Snapshot, with fold: Snapshot) {
    if actual.limits != fold.limits { note("the limits differ from the log", .fold) }
    if actual.totals != fold.totals { note("the totals differ from the log", .fold) }
    for position in actual.users.indices where faults.count <= limit {
      compareUser(UserIndex(position), actual, fold)
    }
    let registered = fold.users.reduce(0) { $0 + ($1.isRegistered ? 1 : 0) }
    if registered != actual.users.count {
      note("the log registers \(registered) users, the state has \(actual.users.count)", .fold)
    }
    for server in actual.servers where faults.count <= limit {
      guard let index = fold.serverIDs[server.id] else {
        note("server \(server.handle): the log does not create it", .fold)
        continue
      }
      for what in Comparison(actual, fold).differences(server, fold[index]) {
        note("server \(server.handle): its \(what) differ from the log", .fold)
      }
    }
    if fold.serverIDs.count != actual.servers.count {
      note("the log leaves \(fold.serverIDs.count) servers, the state has \(actual.servers.count)", .fold)
    }
  }

  private mutating func compareUser(_ user: UserIndex, _ actual: Snapshot, _ fold: Snapshot) {
    let id = actual.names[user]
    guard let other = fold.names.find(id), fold[other].isRegistered else {
      note("user \(id): the log does not register him", .fold)
      return
    }
    let same =
      actual[user].owned == fold[other].owned && actual[user].joined == fold[other].joined
      && actual[user].managed == fold[other].managed
    if !same || Text(fold.names[other]) != Text(id) { note("user \(id): differs from the log", .fold) }
    if actual.details[user] ?? UserDetail() != fold.details[other] ?? UserDetail() {
      note("user \(id): profile or devices differ from the log", .fold)
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
    try faults().map(\.sentence)
  }

  /// Likewise, with what each fault concerns.
  package func faults() throws(StateError) -> [StateFault] {
    try reading { () throws(StateError) in
      var verify = StateVerify(rows)
      return try verify.run()
    }
  }
}
