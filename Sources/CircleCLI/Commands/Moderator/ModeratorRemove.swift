import CircleKit
import CircleModel
import CommandTree

/// `circlectl moderator remove`: takes a moderator's rights.
enum ModeratorRemove {
  static let spec = CommandSpec<Action>(
    "remove", "Make moderators users again.",
    discussion: "For the owner. They stay members; all members but the owner hear of it.",
    examples: [Example("circlectl moderator remove swift-fans bob", "Takes his rights from bob.")],
    arguments: [.server, .users], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let users = run.arguments.arguments("users")
    return try run.performOnServer(users: users, done: run.members(afterwards:)) { server, snapshot in
      snapshot.users(named: users).map { .removeModerator(server, $0) }
    }
  }
}
