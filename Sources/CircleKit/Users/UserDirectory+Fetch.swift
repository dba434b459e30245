/// How answers come: from delegates, from what is kept of them, from the state.
extension UserDirectory {
  /// What the sources know without waiting, in their order.
  func local(_ asked: [Asked]) -> [UserKey: Found] {
    var found: [UserKey: Found] = [:]
    for user in asked {
      for source in sources {
        if let answer = local(user, in: source) {
          found[user.key] = Found(user: answer, source: source.token)
          break
        }
      }
    }
    return found
  }

  private func local(_ user: Asked, in source: Source) -> User? {
    if let answer = source.delegate.getUserInfo(account: user.id), UserKey(answer.userId) == user.key { return answer }
    return kept(user.key, of: source)?.user
  }

  /// What is kept and still holds.
  private func kept(_ user: UserKey, of source: Source) -> Kept? {
    let key = CacheKey(source: source.token, user: user)
    guard let kept = cache.use(key) else { return nil }
    if kept.until > now() { return kept }
    cache.remove(key)
    return nil
  }

  /// Whether nobody has to be asked any more: all that come before the one who answered have nothing to fetch now.
  func isSettled(_ found: [UserKey: Found], _ asked: [Asked]) -> Bool {
    asked.allSatisfy { user in
      for source in sources {
        if found[user.key]?.source == source.token { return true }
        if kept(user.key, of: source) == nil { return false }
      }
      return true
    }
  }

  /// Asks one source after the other for those who have no answer yet.
  func resolve(_ asked: [Asked]) async -> [UserKey: Found] {
    guard !sources.isEmpty else { return await fromState(asked) }
    var found: [UserKey: Found] = [:]
    var open = asked
    for source in sources {
      open.removeAll { user in
        guard let answer = local(user, in: source) else { return false }
        found[user.key] = Found(user: answer, source: source.token)
        return true
      }
      if open.isEmpty { break }
      let answers = await fetch(open, from: source)
      guard sources.contains(where: { $0.token == source.token }) else { continue }
      open.removeAll { user in
        guard let answer = answers[user.key] else { return false }
        found[user.key] = Found(user: answer, source: source.token)
        return true
      }
    }
    note(found.mapValues(\.user))
    return found
  }

  private func fromState(_ asked: [Asked]) async -> [UserKey: Found] {
    guard let hosted else { return [:] }
    var found: [UserKey: Found] = [:]
    var rest = asked[...]
    while !rest.isEmpty {
      let batch = rest.prefix(settings.batch)
      rest = rest.dropFirst(batch.count)
      // A state that can't be read shows ids; whatever else reads it says why.
      for user in (try? await hosted.users(batch.map(\.id))) ?? [] {
        found[UserKey(user.userId)] = Found(user: user, source: nil)
      }
    }
    note(found.mapValues(\.user))
    return found
  }

  /// Fetches users from one source, those whom another reader waits for with that reader.
  private func fetch(_ asked: [Asked], from source: Source) async -> [UserKey: User] {
    var tasks: Set<Task<[UserKey: User], Never>> = []
    var fresh: [Asked] = []
    for user in asked {
      if let task = running[CacheKey(source: source.token, user: user.key)]?.task {
        tasks.insert(task)
      } else if kept(user.key, of: source) == nil {
        fresh.append(user)
      }
    }
    var rest = fresh[...]
    var last: Task<[UserKey: User], Never>?
    while !rest.isEmpty {
      let batch = Array(rest.prefix(max(settings.batch, 1)))
      rest = rest.dropFirst(batch.count)
      let number = nextFetch
      nextFetch += 1
      // One batch after the other: a list of thousands is no reason to overrun the source.
      let task = Task { [last] in
        _ = await last?.value
        return await self.run(batch, from: source, number: number)
      }
      for user in batch {
        running[CacheKey(source: source.token, user: user.key)] = Running(number: number, task: task)
      }
      tasks.insert(task)
      last = task
    }
    var answers: [UserKey: User] = [:]
    for task in tasks { answers.merge(await task.value) { first, _ in first } }
    return answers
  }

  /// One call of `fetchUserInfo`, and what is kept of it.
  private func run(_ batch: [Asked], from source: Source, number: Int) async -> [UserKey: User] {
    let users = (try? await source.delegate.fetchUserInfo(accountList: batch.map(\.id))) ?? []
    let wanted = Set(batch.map(\.key))
    var answers: [UserKey: User] = [:]
    for user in users {
      let key = UserKey(user.userId)
      if wanted.contains(key), answers[key] == nil { answers[key] = user }
    }
    for user in batch {
      let key = CacheKey(source: source.token, user: user.key)
      // An update, or the removal of the source, came between: what this fetch saw is of before.
      guard running[key]?.number == number else { continue }
      running[key] = nil
      let answer = answers[user.key]
      let span = answer == nil ? settings.failureTimeToLive : settings.timeToLive
      cache.set(key, to: Kept(user: answer, until: now() + span))
    }
    return answers
  }

  // MARK: What has changed

  /// Notes what is shown from now on, and tells the observers of those who were shown otherwise before.
  func note(_ users: [UserKey: User]) {
    var changed: [String] = []
    for (key, user) in users {
      if let before = shown.peek(key), before != user { changed.append(user.userId) }
      shown.set(key, to: user)
    }
    guard !changed.isEmpty else { return }
    changed.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for observer in observers { observer.userInfoChanged(changed) }
  }
}
