import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl member leave`: a member goes.
enum MemberLeave {
  static let spec = CommandSpec<Action>(
    "leave", "Leave a server.",
    discussion: "All members who remain hear of it. The owner can't leave, only destroy the server.",
    examples: [Example("circlectl member leave swift-fans --as bob", "Bob leaves.")],
    arguments: [.server, .userOrCaller], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("server")
    let user = try run.concernedUser()
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .named), users: [user], nothing: "nothing changes",
        done: { [.records(MemberRecords(run: run, snapshot: $0.result).list($0.membersGone))] },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          [.leaveServer(try snapshot.server(named: name), snapshot.user(named: user))]
        }))
  }
}
