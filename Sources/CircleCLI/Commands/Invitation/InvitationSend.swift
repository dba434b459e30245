import CircleKit
import CircleModel
import CommandTree

/// `circlectl invitation send`: members invite users.
enum InvitationSend {
  static let spec = CommandSpec<Action>(
    "send", "Invite users to a server.",
    discussion: """
      For all members; an administrator acts for the owner. Each invitation waits until it is accepted, declined or \
      withdrawn; one sent again replaces the earlier one of the same member.
      """,
    examples: [Example("circlectl invitation send swift-fans carol --welcome 'Hi!' --as bob", "Bob invites carol.")],
    arguments: [.server, .users],
    options: [.value("welcome", "TEXT", "What goes with it, up to 500 characters.")], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let users = run.arguments.arguments("users")
    let welcome = run.arguments.value("welcome").map { Text($0) }
    return try run.performOnServer(users: users, done: run.invitations(of:)) { server, snapshot in
      snapshot.users(named: users).map { .inviteUser(server, $0, welcome: welcome) }
    }
  }
}
