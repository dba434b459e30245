import CircleKit
import CircleModel
import CommandTree

/// `circlectl invitation decline`: an invitee says no.
enum InvitationDecline {
  static let spec = CommandSpec<Action>(
    "decline", "Decline an invitation.",
    discussion: "For the invitee; the inviter hears of it.",
    examples: [Example("circlectl invitation decline swift-fans --inviter bob --as carol", "Carol says no.")],
    arguments: [.server, .userOrCaller],
    options: [.value("inviter", "USER", completion: .kind("user"), required: true, "Who sent it.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let inviter = run.arguments.value("inviter") ?? ""
    let invitee = try run.concernedUser()
    return try run.performOnServer(users: [invitee, inviter], done: run.invitations(of:)) { server, snapshot in
      [.declineInvitation(server, inviter: snapshot.user(named: inviter), invitee: snapshot.user(named: invitee))]
    }
  }
}
