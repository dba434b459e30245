package import CircleModel

/// The profiles that a store keeps, as one user sees and changes them.
struct StoreProfiles: HostedProfiles {
  let store: CircleStore
  let userId: String?

  func users(_ ids: [String]) async throws -> [User] {
    let valid = ids.filter { TextRule.check(Text($0), as: .userID) == nil }
    return try await store.read(as: .administrator, Scope(), users: valid) { (snapshot, _) throws(Refused) in
      valid.compactMap { id in
        let user = snapshot.user(named: id)
        guard snapshot.isRegistered(user) else { return nil }
        return User(user, in: snapshot)
      }
    }
  }

  func update(_ values: [UserInfoUpdateTag: String]) async throws -> [UserInfoUpdateTag] {
    guard let userId else { throw CircleError(.invalidParam, "the directory has no current user") }
    let settings = values.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { FieldSetting<UserField>($0.key.field, $0.value.isEmpty ? nil : Text($0.value)) }
    let caller = Session.Caller.user(userId, device: nil)
    return try await store.perform(as: caller, "updateUserInfo", in: Scope(), users: [userId]) {
      (snapshot) throws(Refused) in
      [.updateUser(snapshot.user(named: userId), settings)]
    } answer: { (decision) throws(Refused) in
      guard let record = decision.outcome.records.first,
        case .profile(let changes, _)? = decision.outcome.detail(of: record)
      else { return [] }
      return changes.compactMap { change in values.keys.first { $0.field == change.field } }
    }
  }
}

extension User {
  /// As the state has him.
  package init(_ user: UserIndex, in snapshot: Snapshot) {
    self.init(userId: snapshot.names[user])
    for entry in snapshot.details[user]?.profile.entries ?? [] {
      if let field = UserField(rawValue: entry.key) { self[field] = entry.value.string }
    }
  }
}

extension UserDirectory {
  /// A directory over delegates and, as long as there are none, the profiles of a state.
  ///
  /// - Parameters:
  ///   - store: the state.
  ///   - currentUser: whose profile `updateUserInfo` changes.
  ///   - settings: how much is asked at once, and how long an answer holds.
  ///   - now: the time since some fixed moment, never going back; nil for the system's.
  public init(
    store: CircleStore, currentUser: String? = nil, settings: Settings = Settings(),
    now: (@Sendable () -> Duration)? = nil
  ) {
    self.init(
      hosted: StoreProfiles(store: store, userId: currentUser), currentUser: currentUser, settings: settings, now: now)
  }
}
