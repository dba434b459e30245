import CircleKit
import CircleModel
import CircleReport
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
    let name = try run.required("server")
    let inviter = run.arguments.value("inviter") ?? ""
    let invitee = try run.concernedUser()
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .named), users: [invitee, inviter], nothing: "nothing changes",
        done: { [.records(MemberRecords(run: run, snapshot: $0.result).list($0.membersAfterwards))] },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          let server = try snapshot.server(named: name)
          let (inviter, invitee) = (snapshot.user(named: inviter), snapshot.user(named: invitee))
          return [.acceptInvitation(server, inviter: inviter, invitee: invitee)]
        }))
  }
}
