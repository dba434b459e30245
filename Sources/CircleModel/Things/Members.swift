/// What the last apply listed a user as, in the lists of one server.
package struct Listing: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  package static let member = Listing(rawValue: 1)
  package static let moderator = Listing(rawValue: 2)
}

/// A membership: who, since when, as what. 16 bytes, since a state holds millions.
package struct Member: Equatable, Sendable {
  package var user: UserIndex
  package var role: Role
  package var listing: Listing
  /// Whether he came in by accepting an invitation: if such a one leaves, an apply does not invite him again.
  package var accepted: Bool
  /// Unix milliseconds, UTC.
  package var joinedAt: Int64

  package init(_ user: UserIndex, _ role: Role, listing: Listing = [], accepted: Bool = false, joinedAt: Int64) {
    self.user = user
    self.role = role
    self.listing = listing
    self.accepted = accepted
    self.joinedAt = joinedAt
  }
}

/// The members of one server, found by user.
///
/// A sorted array, with the latest changes in a small table beside it that is merged in when it has grown: adding a
/// million members one by one costs neither a move of the array each nor a dictionary entry each.
package struct MemberSet: Sendable {
  private struct Recent {
    var member: Member
    var isPresent: Bool
  }

  /// Sorted by user index.
  private var settled: ContiguousArray<Member>
  private var recent = ContiguousArray<Recent>()
  /// Open addressing over `recent` by user; 0 is free, else the position plus one.
  private var slots = ContiguousArray<UInt32>()
  package private(set) var count: Int

  package init() {
    settled = []
    count = 0
  }

  /// - Parameter members: in any order, no user twice.
  package init(_ members: ContiguousArray<Member>) {
    settled = members
    count = members.count
    let ascending = zip(settled, settled.dropFirst()).allSatisfy { $0.user.raw < $1.user.raw }
    if !ascending { settled.sort { $0.user.raw < $1.user.raw } }
  }

  package subscript(_ user: UserIndex) -> Member? {
    if let position = recentPosition(user) {
      return recent[position].isPresent ? recent[position].member : nil
    }
    return settledPosition(user).map { settled[$0] }
  }

  /// Adds the member, or replaces what is known of him.
  package mutating func set(_ member: Member) {
    if let position = recentPosition(member.user) {
      if !recent[position].isPresent { count += 1 }
      recent[position] = Recent(member: member, isPresent: true)
      return
    }
    if settledPosition(member.user) == nil { count += 1 }
    add(Recent(member: member, isPresent: true))
  }

  @discardableResult
  package mutating func remove(_ user: UserIndex) -> Member? {
    guard let member = self[user] else { return nil }
    note(Recent(member: member, isPresent: false))
    count -= 1
    return member
  }

  /// Forgets what all of them were listed as.
  package mutating func forgetListings() {
    for position in settled.indices { settled[position].listing = [] }
    for position in recent.indices { recent[position].member.listing = [] }
  }

  /// All members by user index; settles what was recent first, so a caller that reads twice should keep the result.
  package mutating func all() -> ContiguousArray<Member> {
    settle()
    return settled
  }

  /// All members by user index, of a set that may not be changed here.
  package func sorted() -> ContiguousArray<Member> {
    guard !recent.isEmpty else { return settled }
    var copy = self
    return copy.all()
  }

  private func settledPosition(_ user: UserIndex) -> Int? {
    var low = 0
    var high = settled.count
    while low < high {
      let middle = (low + high) / 2
      if settled[middle].user.raw < user.raw { low = middle + 1 } else { high = middle }
    }
    return low < settled.count && settled[low].user == user ? low : nil
  }

  private func recentPosition(_ user: UserIndex) -> Int? {
    guard !slots.isEmpty else { return nil }
    let mask = slots.count - 1
    var slot = Self.hash(user) & mask
    while slots[slot] != 0 {
      let position = Int(slots[slot] - 1)
      if recent[position].member.user == user { return position }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func note(_ change: Recent) {
    if let position = recentPosition(change.member.user) {
      recent[position] = change
    } else {
      add(change)
    }
  }

  private mutating func add(_ change: Recent) {
    if recent.count > max(4096, settled.count / 4) { settle() }
    recent.append(change)
    if recent.count * 2 > slots.count {
      rebuild(max(16, slots.count * 2))
    } else {
      insert(recent.count - 1)
    }
  }

  private mutating func insert(_ position: Int) {
    let mask = slots.count - 1
    var slot = Self.hash(recent[position].member.user) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt32(position + 1)
  }

  private mutating func rebuild(_ size: Int) {
    slots = ContiguousArray(repeating: 0, count: size)
    for position in recent.indices { insert(position) }
  }

  private mutating func settle() {
    guard !recent.isEmpty else { return }
    recent.sort { $0.member.user.raw < $1.member.user.raw }
    var merged = ContiguousArray<Member>()
    merged.reserveCapacity(count)
    var old = settled.startIndex
    for change in recent {
      while old < settled.count, settled[old].user.raw < change.member.user.raw {
        merged.append(settled[old])
        old += 1
      }
      if old < settled.count, settled[old].user == change.member.user { old += 1 }
      if change.isPresent { merged.append(change.member) }
    }
    merged.append(contentsOf: settled[old...])
    settled = merged
    recent.removeAll(keepingCapacity: true)
    slots = []
  }

  private static func hash(_ user: UserIndex) -> Int {
    Int(truncatingIfNeeded: (UInt64(user.raw) &* 0x9E37_79B9_7F4A_7C15) >> 32)
  }
}
