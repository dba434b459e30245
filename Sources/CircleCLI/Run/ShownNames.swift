import CircleKit
import CircleModel
import CircleProviders
import CircleState

extension CommandRun {
  /// What users are called in a read: what the providers say, in their order, else the stored nickname, else the id.
  ///
  /// A provider that is broken or slow is passed over: a name is never worth a failure. Without providers it costs the
  /// reading of the users' rows and nothing else.
  ///
  /// - Parameters:
  ///   - ids: as they are shown otherwise; at best no more than a page of them.
  ///   - limit: how long all providers together may take.
  /// - Returns: a name for each id.
  func shownNames(
    of ids: [String], in store: StateStore, within limit: TimeSpan = CommandRun.defaultProviderTimeout
  ) throws(Failure) -> [String: String] {
    var names: [String: String] = [:]
    for (id, user) in try hostedUsers(ids, in: store) { names[id] = user.shownName }
    for id in ids where names[id] == nil { names[id] = id }
    for (id, user) in providedUsers(ids, within: limit) { names[id] = user.shownName }
    return names
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
      var user = CircleKit.User(userId: snapshot.names[index])
      for entry in snapshot.details[index]?.profile.entries ?? [] {
        if let field = UserField(rawValue: entry.key) { user[field] = entry.value.string }
      }
      users[id] = user
    }
    return users
  }

  /// Those whom a provider knows, by the id that was asked for.
  private func providedUsers(_ ids: [String], within limit: TimeSpan) -> [String: CircleKit.User] {
    let providers: ProviderSet
    do throws(Failure) {
      // Commands end a little before the directory stops waiting for them, and that before this thread does, so that
      // nothing is left running, and what the others know is shown.
      providers = try self.providers(.casual(limit: limit.milliseconds * 8 / 10))
    } catch {
      note("providers are left out: \(error.message ?? "their list can't be read")")
      return [:]
    }
    if providers.isEmpty { return [:] }
    let runsAny = limit.milliseconds > 0
    let shown = waitFor(atMost: runsAny ? limit : Self.defaultProviderTimeout) { () -> [UserDirectory.Shown] in
      let directory = UserDirectory()
      for delegate in providers.delegates { await directory.addDelegate(delegate) }
      guard runsAny else { return await directory.lookUpLocally(ids) }
      let shown = await directory.lookUp(ids, within: .milliseconds(limit.milliseconds * 9 / 10))
      providers.finish()
      return shown
    }
    var users: [String: CircleKit.User] = [:]
    for (id, user) in zip(ids, shown ?? []) where user.isKnown { users[id] = user.user }
    for failure in providers.failures { detail(failure.message) }
    return users
  }
}
