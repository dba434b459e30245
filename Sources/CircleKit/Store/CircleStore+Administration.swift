import CircleModel

/// What an administrator does and the SDK has no operation for: none of it emits an event.
extension CircleStore {
  /// Which of the limits that are settings of a state.
  public enum Limit: String, CaseIterable, Sendable {
    /// Servers that one user created; 100 in a new state.
    case created
    /// Servers that one user joined, as moderator or user; 100 in a new state.
    case joined
  }

  /// Registers a user.
  ///
  /// - Parameters:
  ///   - userId: 1–64 bytes of `A-Z a-z 0-9 _ @ . -`, not beginning with `@`; ids that differ only in ASCII case are one.
  ///   - devices: names of the devices on which he is signed in, 1–64 bytes each.
  /// - Throws: `CircleError`: `repeatedOperation` (114) for a registered one, `invalidParam` (110),
  ///   `queryParamReachesLimit` (112); `CircleStoreError`.
  public func registerUser(_ userId: String, devices: [String] = []) throws {
    try administrate("registerUser", users: [userId]) { (snapshot) throws(Refused) in
      .registerUser(snapshot.user(named: userId), UserProfile(), devices: devices.map { Text($0) })
    }
  }

  /// On which devices a user is signed in, all of them.
  ///
  /// - Throws: `CircleError`: `notRegistered`, `invalidParam` (110); `CircleStoreError`.
  public func setDevices(_ devices: [String], of userId: String) throws {
    try administrate("setDevices", users: [userId]) { (snapshot) throws(Refused) in
      .setDevices(snapshot.user(named: userId), devices.map { Text($0) })
    }
  }

  /// How many servers one user may create or join; a lower limit removes nobody.
  ///
  /// - Throws: `CircleError`: `invalidParam` (110) below 0; `CircleStoreError`.
  public func setLimit(_ limit: Limit, to number: Int) throws {
    try administrate("setLimit") { (_) throws(Refused) in
      .setLimit(limit == .created ? .created : .joined, number)
    }
  }

  private func administrate(
    _ command: String, users: [String] = [], _ operation: (Snapshot) throws(Refused) -> CircleModel.Operation
  ) throws {
    try perform(as: .administrator, command, in: Scope(), users: users) { (snapshot) throws(Refused) in
      [try operation(snapshot)]
    } answer: { (_) throws(Refused) in
    }
  }
}
