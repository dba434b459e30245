import CircleKit

/// What the application shows of a community: this is the code under test.
final class ReadingClub: CircleServerDelegate {
  let manager: CircleManager
  let screen: Screen

  init(_ manager: CircleManager, on screen: Screen) {
    self.manager = manager
    self.screen = screen
  }

  /// Searches for a community and joins the first that is found.
  func join(_ keyword: String) async throws {
    guard let found = try await manager.fetchServers(withKeyword: keyword).first else { return }
    do {
      _ = try await manager.joinServer(found.serverId)
      screen.show("Welcome to \(found.name)")
    } catch let error as CircleError where error.name == .repeatedOperation {
      screen.show("You are in \(found.name) already")
    }
  }

  func onMemberJoinedServer(_ serverId: String, member: String) {
    screen.show("\(member) joined")
  }

  func onServerRoleAssigned(_ serverId: String, member: String, role: CircleUserRole) {
    screen.show("\(member) is a \(role) now")
  }
}
