import CircleModel

/// What is shown of users: from the delegates that the app provides or, without one, from the profiles of the state.
///
/// Of each delegate in the order added: its `getUserInfo`, then what it answered within the hour, then its
/// `fetchUserInfo`, whose answer is kept and shown. The first answer wins for each user; who has none is shown by his id.
/// A fetch asks for each user once, however many readers wait for him, in batches of at most 150.
public actor UserDirectory {
  /// How much is asked at once, and how long an answer holds.
  public struct Settings: Sendable {
    /// How long a fetched user is shown without asking again.
    public var timeToLive: Duration = .seconds(3600)
    /// How long a user isn't asked for again whom a fetch did not get.
    public var failureTimeToLive: Duration = .seconds(60)
    /// How many answers are kept; the one used least recently goes.
    public var capacity = 10_000
    /// How many users one fetch asks for.
    public var batch = 150

    /// The values that hold when nothing else is said.
    public init() {}
  }

  struct Source {
    /// Tells two additions of one delegate apart.
    let token: Int
    let delegate: any UserInfoDelegate
  }

  /// A user as one source knows him.
  struct CacheKey: Hashable, Sendable {
    var source: Int
    var user: UserKey
  }

  struct Kept: Sendable {
    /// nil: a fetch did not get him.
    var user: User?
    var until: Duration
  }

  struct Running {
    /// Tells a fetch from a later one for the same user.
    var number: Int
    var task: Task<[UserKey: User], Never>
  }

  let settings: Settings
  let now: @Sendable () -> Duration
  let hosted: (any HostedProfiles)?
  let currentUser: String?
  var sources: [Source] = []
  var observers: [any UserInfoObserver] = []
  var cache: RecentlyUsed<CacheKey, Kept>
  var running: [CacheKey: Running] = [:]
  /// What readers were given last, to know whether that has changed.
  var shown: RecentlyUsed<UserKey, User>
  private var nextToken = 0
  var nextFetch = 0

  /// A directory over delegates alone.
  ///
  /// - Parameters:
  ///   - currentUser: whose profile `updateUserInfo` changes.
  ///   - settings: how much is asked at once, and how long an answer holds.
  ///   - now: the time since some fixed moment, never going back; nil for the system's.
  public init(currentUser: String? = nil, settings: Settings = Settings(), now: (@Sendable () -> Duration)? = nil) {
    self.init(hosted: nil, currentUser: currentUser, settings: settings, now: now)
  }

  package init(
    hosted: (any HostedProfiles)?, currentUser: String?, settings: Settings = Settings(),
    now: (@Sendable () -> Duration)? = nil
  ) {
    self.hosted = hosted
    self.currentUser = currentUser
    self.settings = settings
    cache = RecentlyUsed(capacity: settings.capacity)
    shown = RecentlyUsed(capacity: settings.capacity)
    if let now {
      self.now = now
    } else {
      let clock = ContinuousClock()
      let start = clock.now
      self.now = { start.duration(to: clock.now) }
    }
  }

  // MARK: Delegates and observers

  /// From now on the delegate is a source of what is shown, after those added before. It is held until it is removed; one
  /// that is there already stays where it is.
  public func addDelegate(_ delegate: any UserInfoDelegate) {
    guard !sources.contains(where: { $0.delegate === delegate }) else { return }
    sources.append(Source(token: nextToken, delegate: delegate))
    nextToken += 1
  }

  /// What the delegate has answered is forgotten too. Without a delegate the hosted profiles are shown again.
  public func removeDelegate(_ delegate: any UserInfoDelegate) {
    guard let index = sources.firstIndex(where: { $0.delegate === delegate }) else { return }
    let token = sources.remove(at: index).token
    cache.removeAll { $0.source == token }
    running = running.filter { $0.key.source != token }
  }

  /// Held until it is removed.
  public func addObserver(_ observer: any UserInfoObserver) {
    guard !observers.contains(where: { $0 === observer }) else { return }
    observers.append(observer)
  }

  /// It hears nothing from now on.
  public func removeObserver(_ observer: any UserInfoObserver) {
    observers.removeAll { $0 === observer }
  }

  // MARK: Reading

  /// What is shown of the user; at least his id.
  ///
  /// - Parameters:
  ///   - userId: the user's id.
  ///   - limit: how long it may take. What has not come by then is fetched all the same, and shown to later readers.
  public func user(_ userId: String, within limit: Duration? = nil) async -> User {
    await users([userId], within: limit).first ?? User(userId: userId)
  }

  /// What is shown of each user, in the order of the ids; see `user`.
  public func users(_ userIds: [String], within limit: Duration? = nil) async -> [User] {
    await lookUp(userIds, within: limit).map(\.user)
  }

  /// What is known of the user without asking anybody: a delegate's `getUserInfo`, or an answer of the last hour. Without
  /// delegates nothing is local.
  public func localUser(_ userId: String) -> User? {
    Self.isUserID(userId) ? local([Asked(userId)]).values.first?.user : nil
  }

  /// A user as he is shown, and who says so.
  package struct Shown: Sendable {
    package var user: User
    /// nil where no delegate knows him.
    package var delegate: (any UserInfoDelegate)?
    /// Whether anybody knows more of him than his id.
    package var isKnown: Bool
  }

  package func lookUp(_ userIds: [String], within limit: Duration? = nil) async -> [Shown] {
    let asked = Self.unique(userIds)
    var found = sources.isEmpty ? [:] : local(asked)
    // Where an earlier delegate may still know better, that one has to be asked.
    if !asked.isEmpty, sources.isEmpty || !isSettled(found, asked) {
      if let limit {
        let whole = Task { await self.resolve(asked) }
        found = await whole.value(within: limit) ?? local(asked)
      } else {
        found = await resolve(asked)
      }
    }
    return present(userIds, found)
  }

  /// What delegates know without waiting.
  package func lookUpLocally(_ userIds: [String]) -> [Shown] {
    present(userIds, local(Self.unique(userIds)))
  }

  private func present(_ userIds: [String], _ found: [UserKey: Found]) -> [Shown] {
    userIds.map { id in
      let key = UserKey(id)
      guard let answer = found[key] else {
        shown.set(key, to: User(userId: id))
        return Shown(user: User(userId: id), delegate: nil, isKnown: false)
      }
      shown.set(key, to: answer.user)
      let delegate = sources.first { $0.token == answer.source }?.delegate
      return Shown(user: answer.user, delegate: delegate, isKnown: true)
    }
  }

  // MARK: Users asked for

  struct Asked: Sendable {
    var id: String
    var key: UserKey

    init(_ id: String) {
      self.id = id
      key = UserKey(id)
    }
  }

  /// A user and the token of the source that knows him; nil for the hosted profiles.
  struct Found: Sendable {
    var user: User
    var source: Int?
  }

  /// Each user once, and only what can be a user id: nothing else is worth anybody's question.
  private static func unique(_ ids: [String]) -> [Asked] {
    var seen: Set<UserKey> = []
    return ids.filter(isUserID).map { Asked($0) }.filter { seen.insert($0.key).inserted }
  }

  private static func isUserID(_ id: String) -> Bool {
    TextRule.check(Text(id), as: .userID) == nil
  }
}
