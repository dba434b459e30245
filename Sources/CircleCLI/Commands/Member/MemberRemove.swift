import CircleKit
import CircleModel
import CommandTree

/// `circlectl member remove`: members are put out.
enum MemberRemove {
  static let spec = CommandSpec<Action>(
    "remove", "Remove members from a server.",
    discussion: """
      A moderator removes users, the owner moderators too. Several are removed all or none, with one event that the \
      removed, the owner and the moderators hear, but not who did it.
      """,
    examples: [Example("circlectl member remove swift-fans dave --reason spam", "Removes dave.")],
    arguments: [.server, .users], options: [.reason], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let users = run.arguments.arguments("users")
    let reason = run.arguments.value("reason")
    return try run.performOnServer(users: users, reason: reason, done: run.members(gone:)) { server, snapshot in
      [.removeUsers(server, snapshot.users(named: users).map { Removal($0) })]
    }
  }
}
