import CircleModel

extension CommandRun {
  /// The nicknames that lists show beside ids, of all users of a list at once, in their order: the stored ones.
  func nicknames(of users: [UserIndex], in snapshot: Snapshot) -> [String?] {
    users.map { snapshot.details[$0]?.profile[.nickName]?.string }
  }
}
