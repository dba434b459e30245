/// A source of what is shown of users, which an app provides. Each method may be left out.
///
/// `UserDirectory` asks its delegates in the order in which they were added; the first answer wins for each user.
public protocol UserInfoDelegate: AnyObject, Sendable {
  /// What is known of a user without waiting for anything; nil when that is nothing. Called on every read, so it has to
  /// be quick.
  func getUserInfo(account: String) -> User?

  /// Gets users from wherever they are; may be slow. At most 150 ids, none twice. Users whom the source doesn't know are
  /// left out of the answer; users who were not asked for are passed over. What is answered is kept for an hour, so this
  /// is not called for the same user again before.
  func fetchUserInfo(accountList: [String]) async throws -> [User]

  /// Changes the current user's own profile. The values have passed their rules; an empty one clears its field, and
  /// `gender` is `unknown`, `male` or `female`.
  func updateUserInfo(values: [UserInfoUpdateTag: String]) async throws
}

extension UserInfoDelegate {
  /// Left out: nothing is known without a fetch.
  public func getUserInfo(account: String) -> User? { nil }

  /// Left out: throws `unsupported`, by which the directory knows that this delegate fetches nothing.
  public func fetchUserInfo(accountList: [String]) async throws -> [User] {
    throw CircleError(.unsupported, "the delegate fetches no users")
  }

  /// Left out: throws `unsupported`, by which the directory knows that this delegate updates nothing.
  public func updateUserInfo(values: [UserInfoUpdateTag: String]) async throws {
    throw CircleError(.unsupported, "the delegate updates no users")
  }
}

/// Hears of users who are shown differently from now on.
public protocol UserInfoObserver: AnyObject, Sendable {
  /// Called by the directory while it holds everything else up: it should return quickly, and read again later.
  func userInfoChanged(_ userIds: [String])
}

/// The profiles that the state keeps: what is shown as long as there is no delegate.
package protocol HostedProfiles: Sendable {
  /// Those of the users who are registered, in any order.
  func users(_ ids: [String]) async throws -> [User]

  /// Changes the current user's own profile; an empty value clears its field.
  /// - Returns: the fields that have another value now.
  func update(_ values: [UserInfoUpdateTag: String]) async throws -> [UserInfoUpdateTag]
}
