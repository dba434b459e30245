import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl moderator add`: gives members a moderator's rights.
enum ModeratorAdd {
  static let spec = CommandSpec<Action>(
    "add", "Make members moderators.",
    discussion:
      "For the owner. A moderator has all rights but to destroy the server, to appoint moderators and to remove them; all members but the owner hear of it.",
    examples: [Example("circlectl moderator add swift-fans bob carol", "Makes both moderators, or none.")],
    arguments: [.server, .users], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("server")
    let users = run.arguments.arguments("users")
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .named), users: users, nothing: "nothing changes",
        done: { [.records(MemberRecords(run: run, snapshot: $0.result).list($0.membersAfterwards))] },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          let server = try snapshot.server(named: name)
          return snapshot.users(named: users).map { .addModerator(server, $0) }
        }))
  }
}
