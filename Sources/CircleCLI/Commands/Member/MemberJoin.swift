import CircleKit
import CircleModel
import CommandTree

/// `circlectl member join`: users become members.
enum MemberJoin {
  static let spec = CommandSpec<Action>(
    "join", "Join a server.",
    discussion: """
      A user joins public servers himself (--as); a private one takes an invitation. An administrator adds users to any. \
      Several users join all or none. All who are members already hear of each.
      """,
    examples: [
      Example("circlectl member join swift-fans --as bob", "Bob joins."),
      Example("circlectl member join swift-fans carol dave", "An administrator adds both, or none."),
    ],
    arguments: [.server, .usersOrCaller], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let users = try run.concernedUsers()
    return try run.performOnServer(users: users, done: run.members(afterwards:)) { server, snapshot in
      snapshot.users(named: users).map { .joinServer(server, $0) }
    }
  }
}
