import CircleKit
import CircleModel
import CircleReport
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
    let name = try run.required("server")
    let inviter = run.arguments.value("inviter") ?? ""
    let invitee = try run.concernedUser()
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .named), users: [invitee, inviter], nothing: "nothing changes",
        done: { [.records(InvitationRecords(run: run, snapshot: $0.result).list($0.invitations))] },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          let server = try snapshot.server(named: name)
          let (inviter, invitee) = (snapshot.user(named: inviter), snapshot.user(named: invitee))
          return [.declineInvitation(server, inviter: inviter, invitee: invitee)]
        }))
  }
}
