/// What a member is in a server; the numbers are the SDK's (`EMCircleUserRole`).
package enum Role: UInt8, Sendable, CaseIterable {
  case owner = 0
  case moderator = 1
  case user = 2

  package var word: String {
    switch self {
    case .owner: "owner"
    case .moderator: "moderator"
    case .user: "user"
    }
  }
}

/// Who can find and join a server; in SDK 3.9.7 all are public.
package enum ServerType: UInt8, Sendable, CaseIterable {
  case `public` = 0
  case `private` = 1

  package var word: String { self == .public ? "public" : "private" }

  package init?(word: some StringProtocol) {
    switch word {
    case "public": self = .public
    case "private": self = .private
    default: return nil
    }
  }
}

/// What an apply does with members that a manifest does not list.
package enum MembershipMode: UInt8, Sendable, CaseIterable {
  /// Those whom the last apply listed and this one does not are removed; others are left alone. The default.
  case managed = 0
  /// Everyone not listed is removed.
  case exact = 1
  /// Nobody is removed.
  case additive = 2

  package var word: String {
    switch self {
    case .managed: "managed"
    case .exact: "exact"
    case .additive: "additive"
    }
  }

  package init?(word: some StringProtocol) {
    guard let mode = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = mode
  }
}

/// How an apply brings a listed user in.
package enum JoinMode: UInt8, Sendable, CaseIterable {
  /// Added at once. The default for a public server.
  case direct = 0
  /// Invited by the owner. The default for a private server.
  case invite = 1

  package var word: String { self == .direct ? "direct" : "invite" }

  package init?(word: some StringProtocol) {
    guard let mode = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = mode
  }
}
