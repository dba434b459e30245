import CircleModel

/// What of a server's log still answers the questions of `ProvenanceReader`: of each attribute, tag and user what last
/// changed it. Blocks come latest first.
struct LastChanges {
  private var aspects: [Provenance.Aspect] = []
  private var tags: Set<Text> = []
  /// Of all blocks; each block has names of its own, so that ids stay spelled as it spells them.
  private var names = UserNames()
  private var users: [UserIndex: Known] = [:]

  /// What is known of a user: nothing before a membership that began or ended matters.
  private struct Known: OptionSet {
    let rawValue: UInt8
    static let membership = Known(rawValue: 1)
    static let role = Known(rawValue: 2)
    static let invitation = Known(rawValue: 4)
  }

  /// What is to be kept of the block before those that came.
  ///
  /// - Returns: nil where nothing is; the block's own bytes where everything is.
  mutating func kept(of bytes: UnsafeRawBufferPointer) throws(StateError) -> [UInt8]? {
    let block = try LogBlock(bytes)
    guard Self.kinds.contains(block.kind) else { return nil }
    var names = UserNames()
    let (outcome, paths) = try block.provenance { names.intern($0) }
    var positions: [Int] = []
    for position in outcome.records.indices.reversed() where keep(outcome.records[position], outcome, names) {
      positions.append(position)
    }
    guard !positions.isEmpty else { return nil }
    guard positions.count < outcome.records.count else { return [UInt8](bytes) }
    var rest = Outcome()
    for position in positions.reversed() {
      rest.append(outcome.records[position], outcome.detail(of: outcome.records[position]))
    }
    return block.written(rest, names, paths)
  }

  private static let kinds: Set<OperationKind> = [
    .createServer, .updateServer, .renameHandle, .adoptServer, .releaseServer, .setServerSettings, .addTags,
    .removeTags, .joinServer, .leaveServer, .acceptInvitation, .removeUsers, .addModerator, .removeModerator,
    .inviteUser, .declineInvitation, .withdrawInvitation,
  ]

  private mutating func keep(_ record: Record, _ outcome: Outcome, _ names: UserNames) -> Bool {
    switch outcome.detail(of: record) {
    case .created: return true
    case .updated(let changes, _, _): return note(changes.map { .attribute($0.field) })
    case .handle: return note([.handle])
    case .stack: return note([.stack])
    case .settings(let before, let after):
      var changed: [Provenance.Aspect] = []
      if before.membership != after.membership { changed.append(.setting("membership")) }
      if before.join != after.join { changed.append(.setting("join")) }
      if before.welcome != after.welcome { changed.append(.setting("welcome")) }
      if before.protect != after.protect { changed.append(.setting("protect")) }
      return note(changed)
    case .tags(let changed, _):
      return changed.reduce(false) { tags.insert($1.name).inserted || $0 }
    case .removed(let members):
      return members.reduce(false) { note(.membership, of: $1.member.user, names) || $0 }
    default: break
    }
    switch record.kind {
    case .joinServer, .acceptInvitation, .leaveServer: return note(.membership, of: record.user, names)
    case .addModerator, .removeModerator: return note(.role, of: record.user, names)
    default: return note(.invitation, of: record.user, names)
    }
  }

  private mutating func note(_ changed: [Provenance.Aspect]) -> Bool {
    let new = changed.filter { !aspects.contains($0) }
    aspects += new
    return !new.isEmpty
  }

  private mutating func note(_ known: Known, of user: UserIndex, _ blockNames: UserNames) -> Bool {
    let user = blockNames.withSpelling(of: user) { names.intern($0) }
    let before = users[user] ?? []
    guard before.isDisjoint(with: [known, .membership]) else { return false }
    users[user] = before.union(known)
    return true
  }
}
