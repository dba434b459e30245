import CircleModel

/// A user id as users are told apart: two ids that differ only in ASCII case are one user.
package struct UserKey: Hashable, Sendable {
  private let folded: [UInt8]

  package init(_ id: String) {
    folded = id.utf8.map(FoldedID.lowered)
  }
}
