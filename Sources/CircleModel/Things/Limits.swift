/// The limits that are settings of a state; the vendor's defaults, "above that, contact sales".
package struct Limits: Equatable, Sendable {
  /// Servers that one user owns.
  package var created: Int
  /// Servers that one user is in as moderator or user.
  package var joined: Int

  package init(created: Int = 100, joined: Int = 100) {
    self.created = created
    self.joined = joined
  }

  package static let tagsAServer = 10
  package static let tagsARemoveCall = 10
  package static let pageSizes = 1...20
}

/// One of the two limits that `state set-limit` sets.
package enum LimitKind: UInt8, CaseIterable, Sendable {
  case created, joined

  package var word: String { self == .created ? "created" : "joined" }
}
