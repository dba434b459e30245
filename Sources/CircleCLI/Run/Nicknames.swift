import CircleKit
import CircleModel
import CircleProviders
import CircleState

extension CommandRun {
  /// The nicknames of a list's users, in their order: what the providers say, else the stored ones.
  ///
  /// Providers are asked by commands that take `--provider-timeout`, which are those that only read. One that is broken or
  /// slow is passed over with a warning: a name is never worth a failure. Without providers it costs nothing but the look
  /// at their list.
  func nicknames(of users: [UserIndex], in snapshot: Snapshot) -> [String?] {
    let ids = users.map { snapshot.names[$0] }
    let provided = options.providerTimeout.map { providedUsers(ids, within: $0) } ?? [:]
    return zip(users, ids).map { user, id in
      provided[id]?.userInfo?.nickName ?? snapshot.details[user]?.profile[.nickName]?.string
    }
  }

  /// The users of the state among these, by the id that was asked for.
  func hostedUsers(_ ids: [String], in store: StateStore) throws(Failure) -> [String: CircleKit.User] {
    var wanted = UserNames()
    var indices: [(id: String, index: UserIndex)] = []
    for id in ids where TextRule.check(Text(id), as: .userID) == nil { indices.append((id, wanted.intern(id))) }
    let snapshot = try onState { () throws(StateError) in
      try store.load(Scope(userDetails: true), names: wanted).snapshot
    }
    var users: [String: CircleKit.User] = [:]
    for (id, index) in indices where snapshot[index].isRegistered {
      users[id] = CircleKit.User(index, in: snapshot)
    }
    return users
  }

  /// Tells of which providers nothing is shown, each reason once.
  private func warn(of providers: ProviderSet, hasEnded: Bool, _ limit: TimeSpan) {
    var told: [String] = []
    for failure in providers.failures where failure.kind != .interrupted && !told.contains(failure.message) {
      told.append(failure.message)
      warn(failure.message)
    }
    if !hasEnded, told.isEmpty { warn("providers did not answer within \(limit.milliseconds) ms") }
  }

  /// Those whom a provider knows, by the id that was asked for.
  private func providedUsers(_ ids: [String], within limit: TimeSpan) -> [String: CircleKit.User] {
    let providers: ProviderSet
    do throws(Failure) {
      // Commands end a little before the directory stops waiting for them, and that before this thread does, so that
      // nothing is left running, and what the others know is shown.
      providers = try self.providers(for: ids, .casual(limit: limit.milliseconds * 8 / 10))
    } catch {
      warn("providers are left out: \(error.message ?? "their list can't be read")")
      return [:]
    }
    if providers.isEmpty { return [:] }
    let runsAny = limit.milliseconds > 0
    let shown = waitFor(atMost: runsAny ? limit : TimeSpan.forProviders) { () -> [UserDirectory.Shown] in
      let directory = UserDirectory()
      for delegate in providers.delegates { await directory.addDelegate(delegate) }
      guard runsAny else { return await directory.lookUpLocally(ids) }
      let shown = await directory.lookUp(ids, within: .milliseconds(limit.milliseconds * 9 / 10))
      providers.finish()
      return shown
    }
    var users: [String: CircleKit.User] = [:]
    for (id, user) in zip(ids, shown ?? []) where user.isKnown { users[id] = user.user }
    warn(of: providers, hasEnded: shown != nil, limit)
    return users
  }
}
