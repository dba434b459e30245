package import CircleModel

/// What a member is in a server; the numbers are the SDK's.
public enum CircleUserRole: Int, CaseIterable, Hashable, Sendable {
  /// Exactly one, fixed at creation.
  case owner = 0
  case moderator = 1
  case user = 2

  package init(_ role: Role) {
    switch role {
    case .owner: self = .owner
    case .moderator: self = .moderator
    case .user: self = .user
    }
  }
}

/// A member of a server.
public struct CircleServerMember: Hashable, Sendable {
  /// The user's id.
  public let userId: String
  /// What he is in the server.
  public let role: CircleUserRole
  /// Unix milliseconds, UTC.
  public let joinedAt: Int64
}

/// One page of a list.
public struct CircleCursorResult<Element: Sendable>: Sendable {
  /// The rows, in the list's order.
  public let list: [Element]
  /// Where the next page begins: opaque, for the same list only; nil after the last page. It stays right while the data
  /// changes: what stayed in the list is told once.
  public let cursor: String?
}
