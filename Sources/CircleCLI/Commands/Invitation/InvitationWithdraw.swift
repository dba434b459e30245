import CircleKit
import CircleModel
import CommandTree

/// `circlectl invitation withdraw`: takes invitations back.
enum InvitationWithdraw {
  static let spec = CommandSpec<Action>(
    "withdraw", "Withdraw invitations.",
    discussion: """
      With --as the user's own invitation of each USER; without it all that are pending for them in this server, whoever \
      sent them. Nobody hears of it.
      """,
    examples: [Example("circlectl invitation withdraw swift-fans carol --as bob", "Bob takes his invitation back.")],
    arguments: [.server, .users], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let users = run.arguments.arguments("users")
    return try run.performOnServer(users: users, done: run.invitations(of:)) { server, snapshot in
      snapshot.users(named: users).map { .withdrawInvitation(server, $0, inviter: nil) }
    }
  }
}
