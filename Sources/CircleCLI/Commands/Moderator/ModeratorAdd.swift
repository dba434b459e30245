import CircleKit
import CircleModel
import CommandTree

/// `circlectl moderator add`: gives members a moderator's rights.
enum ModeratorAdd {
  static let spec = CommandSpec<Action>(
    "add", "Make members moderators.",
    discussion:
      "For the owner. A moderator has all rights but to destroy the server, to appoint moderators and to remove them; all members but the owner hear of it.",
    examples: [Example("circlectl moderator add swift-fans bob carol", "Makes both moderators, or none.")],
    arguments: [.server, .users], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let users = run.arguments.arguments("users")
    return try run.performOnServer(users: users, done: run.members(afterwards:)) { server, snapshot in
      snapshot.users(named: users).map { .addModerator(server, $0) }
    }
  }
}
