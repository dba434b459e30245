/// An invitation that waits for its answer.
package struct Invitation: Equatable, Sendable {
  package var inviter: UserIndex
  package var invitee: UserIndex
  package var welcome: Text?
  /// Unix milliseconds, UTC.
  package var createdAt: Int64

  package init(inviter: UserIndex, invitee: UserIndex, welcome: Text?, createdAt: Int64) {
    self.inviter = inviter
    self.invitee = invitee
    self.welcome = welcome
    self.createdAt = createdAt
  }
}

/// One pending invitation a pair within a server.
package struct InvitationKey: Hashable, Sendable {
  package var invitee: UserIndex
  package var inviter: UserIndex

  package init(invitee: UserIndex, inviter: UserIndex) {
    self.invitee = invitee
    self.inviter = inviter
  }
}

/// The pending invitations of one server, found by pair, by invitee and by inviter: becoming a member supersedes all
/// of an invitee's, and an inviter who goes has his withdrawn.
package struct Invitations: Sendable {
  package private(set) var pairs: [InvitationKey: Invitation] = [:]
  private var inviters: [UserIndex: Set<UserIndex>] = [:]
  private var invitees: [UserIndex: Set<UserIndex>] = [:]

  package init() {}

  package var isEmpty: Bool { pairs.isEmpty }
  package var count: Int { pairs.count }

  package subscript(key: InvitationKey) -> Invitation? {
    get { pairs[key] }
    set {
      guard let newValue else {
        remove(key)
        return
      }
      if pairs.updateValue(newValue, forKey: key) == nil {
        inviters[key.invitee, default: []].insert(key.inviter)
        invitees[key.inviter, default: []].insert(key.invitee)
      }
    }
  }

  package func isInvited(_ invitee: UserIndex) -> Bool { inviters[invitee] != nil }

  /// All of one invitee, by the inviter's lower-cased id.
  package func of(invitee: UserIndex, by names: UserNames) -> [Invitation] {
    let sorted = (inviters[invitee] ?? []).sorted { names.precedes($0, $1) }
    return sorted.compactMap { pairs[InvitationKey(invitee: invitee, inviter: $0)] }
  }

  /// All by one inviter, by the invitee's lower-cased id.
  package func by(inviter: UserIndex, by names: UserNames) -> [Invitation] {
    let sorted = (invitees[inviter] ?? []).sorted { names.precedes($0, $1) }
    return sorted.compactMap { pairs[InvitationKey(invitee: $0, inviter: inviter)] }
  }

  package mutating func removeAll(of invitee: UserIndex) {
    guard !pairs.isEmpty, let all = inviters[invitee] else { return }
    for inviter in all { remove(InvitationKey(invitee: invitee, inviter: inviter)) }
  }

  package mutating func removeAll(by inviter: UserIndex) {
    guard !pairs.isEmpty, let all = invitees[inviter] else { return }
    for invitee in all { remove(InvitationKey(invitee: invitee, inviter: inviter)) }
  }

  private mutating func remove(_ key: InvitationKey) {
    guard pairs.removeValue(forKey: key) != nil else { return }
    Self.drop(key.inviter, of: key.invitee, in: &inviters)
    Self.drop(key.invitee, of: key.inviter, in: &invitees)
  }

  private static func drop(_ user: UserIndex, of other: UserIndex, in index: inout [UserIndex: Set<UserIndex>]) {
    index[other]?.remove(user)
    if index[other]?.isEmpty == true { index[other] = nil }
  }
}

extension Invitations: Sequence {
  /// In no particular order.
  package func makeIterator() -> [InvitationKey: Invitation].Iterator { pairs.makeIterator() }
}
