import CircleKit
import Synchronization

/// A source of users that answers from a table and notes what it was asked.
final class TestDelegate: UserInfoDelegate {
  struct Failure: Error {}

  struct Contents {
    /// What `getUserInfo` knows.
    var local: [String: User] = [:]
    /// What `fetchUserInfo` knows.
    var remote: [String: User] = [:]
    var isFailing = false
    var calls: [[String]] = []
    var updates: [[UserInfoUpdateTag: String]] = []
    var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether fetches wait for `release`.
    var isHeld = false
  }

  let contents = Mutex(Contents())

  /// - Parameters:
  ///   - local: names by user id that need no fetch.
  ///   - remote: likewise, that do.
  init(local: [String: String] = [:], remote: [String: String] = [:], held: Bool = false) {
    contents.withLock { contents in
      for (id, name) in local { contents.local[id] = User(userId: id, nickName: name, avatarUrl: nil) }
      for (id, name) in remote { contents.remote[id] = User(userId: id, nickName: name, avatarUrl: nil) }
      contents.isHeld = held
    }
  }

  var calls: [[String]] { contents.withLock { $0.calls } }

  /// Lets held fetches answer, from now on at once.
  func release() {
    let waiting = contents.withLock { contents in
      contents.isHeld = false
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func getUserInfo(account: String) -> User? { contents.withLock { $0.local[account] } }

  func fetchUserInfo(accountList: [String]) async throws -> [User] {
    contents.withLock { $0.calls.append(accountList) }
    await withCheckedContinuation { continuation in
      let goesOn = contents.withLock { contents in
        if contents.isHeld { contents.waiting.append(continuation) }
        return !contents.isHeld
      }
      if goesOn { continuation.resume() }
    }
    return try contents.withLock { contents in
      if contents.isFailing { throw Failure() }
      // Also one whom nobody asked for.
      return accountList.compactMap { contents.remote[$0] } + [User(userId: "stranger", nickName: "S", avatarUrl: nil)]
    }
  }

  func updateUserInfo(values: [UserInfoUpdateTag: String]) async throws {
    contents.withLock { $0.updates.append(values) }
  }
}

/// Knows and does nothing.
final class SilentDelegate: UserInfoDelegate {}

final class TestObserver: UserInfoObserver {
  private let told = Mutex<[[String]]>([])
  var calls: [[String]] { told.withLock { $0 } }
  func userInfoChanged(_ userIds: [String]) { told.withLock { $0.append(userIds) } }
}

/// A clock that moves only when a test moves it.
final class TestClock: Sendable {
  private let seconds = Mutex(0)
  var now: @Sendable () -> Duration { { .seconds(self.seconds.withLock { $0 }) } }
  func advance(_ span: Int) { seconds.withLock { $0 += span } }
}

/// The profiles of a state.
final class TestProfiles: HostedProfiles {
  let users: Mutex<[String: User]>
  init(_ names: [String: String]) {
    users = Mutex(names.reduce(into: [:]) { $0[$1.key] = User(userId: $1.key, nickName: $1.value, avatarUrl: nil) })
  }

  func users(_ ids: [String]) async throws -> [User] { users.withLock { users in ids.compactMap { users[$0] } } }

  func update(_ values: [UserInfoUpdateTag: String]) async throws -> [UserInfoUpdateTag] {
    users.withLock { users in
      values.keys.filter { tag in
        let field = tag.field
        let value = values[tag].flatMap { $0.isEmpty ? nil : $0 }
        guard let me = users["me"], me[field] != value else { return false }
        users["me"]?[field] = value
        return true
      }
    }
  }
}
