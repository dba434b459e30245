import CircleKit

/// What a command answered of a user, or that it did not.
struct CacheEntry: Equatable, Sendable {
  enum Answer: Equatable, Sendable {
    case user(User)
    /// The command does not know him.
    case absent
    /// The command failed, for this reason.
    case failed(String)
    /// The caller had no time to wait for it: to be asked again by one who has.
    case cutShort
  }

  /// How long a user is shown without asking again, in milliseconds.
  static let timeToLive: Int64 = 3_600_000
  /// Likewise everything else.
  static let failureTimeToLive: Int64 = 60_000

  /// As it was asked.
  var userID: String
  var answer: Answer
  /// When it came, Unix milliseconds.
  var time: Int64

  var user: User? {
    if case .user(let user) = answer { user } else { nil }
  }

  /// Whether it still holds. What comes from the future doesn't: a clock was set back.
  func holds(at now: Int64) -> Bool {
    let span = user == nil ? Self.failureTimeToLive : Self.timeToLive
    return time <= now && now - time < span
  }
}
