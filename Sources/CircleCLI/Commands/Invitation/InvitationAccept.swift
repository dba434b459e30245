import CircleKit
import CircleModel
import CommandTree

/// `circlectl invitation accept`: an invitee becomes a member.
enum InvitationAccept {
  static let spec = CommandSpec<Action>(
    "accept", "Accept an invitation.",
    discussion:
      "For the invitee, who becomes a member; the inviter hears of it, and all who were members. Other invitations to the same server go with it.",
    examples: [Example("circlectl invitation accept swift-fans --inviter bob --as carol", "Carol becomes a member.")],
    arguments: [.server, .userOrCaller],
    options: [.value("inviter", "USER", completion: .kind("user"), required: true, "Who sent it.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let inviter = run.arguments.value("inviter") ?? ""
    let invitee = try run.concernedUser()
    return try run.performOnServer(users: [invitee, inviter], done: run.members(afterwards:)) { server, snapshot in
      [.acceptInvitation(server, inviter: snapshot.user(named: inviter), invitee: snapshot.user(named: invitee))]
    }
  }
}
