import CircleKit
import Synchronization

/// An application's own user information: alice at once, dave when asked for.
final class AppUsers: UserInfoDelegate {
  static let table = "userId,nickName\nalice,Ally of the app\n"
  static let script = "#!/bin/sh\necho '{\"userId\":\"dave\",\"nickName\":\"Dave of the app\"}'\n"

  func getUserInfo(account: String) -> User? {
    account == "alice" ? User(userId: account, nickName: "Ally of the app", avatarUrl: nil) : nil
  }

  func fetchUserInfo(accountList: [String]) async throws -> [User] {
    accountList.filter { $0 == "dave" }.map { User(userId: $0, nickName: "Dave of the app", avatarUrl: nil) }
  }
}

/// A delegate that keeps whom the events are about, or which server.
final class Ears: CircleServerDelegate, MultiDevicesDelegate {
  private let heard = Mutex<[String]>([])

  func first(_ count: Int) async -> [String] {
    while heard.withLock({ $0.count }) < count { try? await Task.sleep(for: .milliseconds(5)) }
    return heard.withLock { $0 }
  }

  func onMemberJoinedServer(_ serverId: String, member: String) { heard.withLock { $0.append(member) } }

  func multiDevicesCircleServerEventDidReceive(_ event: MultiDevicesEvent, serverId: String, ext: [String]) {
    heard.withLock { $0.append(serverId) }
  }
}
