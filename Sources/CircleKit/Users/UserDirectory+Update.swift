/// Updates of the current user's own profile.
extension UserDirectory {
  /// Changes several fields of the current user's profile at once. Unknown tags and values that break a rule are filtered
  /// out; the rest is applied.
  ///
  /// - Parameter values: by the number of their tag; texts, of `gender` `0` to `2`. An empty text clears its field.
  /// - Returns: which fields have another value now, and which were filtered and why.
  /// - Throws: `unsupported` where nothing takes an update: there are delegates and none of them has
  ///   `updateUserInfo`, or neither a delegate nor a state; else what the delegate or the state throws.
  public func updateUserInfo(values: [Int: String]) async throws -> UserInfoUpdate {
    let (accepted, filtered) = UserInfoUpdate.sort(values)
    guard !accepted.isEmpty else { return UserInfoUpdate(filtered: filtered) }
    let changed = sources.isEmpty ? try await updateState(accepted) : try await updateDelegate(accepted)
    return UserInfoUpdate(changed: changed.sorted { $0.rawValue < $1.rawValue }, filtered: filtered)
  }

  /// Likewise, by tags that are known.
  public func updateUserInfo(values: [UserInfoUpdateTag: String]) async throws -> UserInfoUpdate {
    var numbers: [Int: String] = [:]
    for (tag, value) in values { numbers[tag.rawValue] = value }
    return try await updateUserInfo(values: numbers)
  }

  private func updateState(_ values: [UserInfoUpdateTag: String]) async throws -> [UserInfoUpdateTag] {
    guard let hosted else { throw CircleError(.unsupported, "there is no state whose profiles could be updated") }
    let changed = try await hosted.update(values)
    showUpdate(values.filter { changed.contains($0.key) })
    return changed
  }

  private func updateDelegate(_ values: [UserInfoUpdateTag: String]) async throws -> [UserInfoUpdateTag] {
    let before = currentUser.flatMap { local([Asked($0)]).values.first?.user }
    for source in sources {
      do {
        try await source.delegate.updateUserInfo(values: values)
      } catch let error as CircleError where error.name == .unsupported {
        continue
      }
      if let currentUser {
        let key = CacheKey(source: source.token, user: UserKey(currentUser))
        cache.remove(key)
        running[key] = nil
      }
      showUpdate(values)
      // Where nothing was known before, all that was given counts as changed.
      guard let before else { return Array(values.keys) }
      return values.filter { !(before[$0.key.field] ?? "").utf8.elementsEqual(stored($0.value, $0.key).utf8) }
        .map(\.key)
    }
    throw CircleError(.unsupported, "no user information delegate takes updates")
  }

  /// `gender: unknown` is an unset gender.
  private func stored(_ value: String, _ tag: UserInfoUpdateTag) -> String {
    tag == .gender && value == Gender.unknown.word ? "" : value
  }

  private func showUpdate(_ values: [UserInfoUpdateTag: String]) {
    guard let currentUser, var user = shown.peek(UserKey(currentUser)) else { return }
    for (tag, value) in values { user[tag.field] = value.isEmpty ? nil : value }
    note([UserKey(currentUser): user])
  }
}
