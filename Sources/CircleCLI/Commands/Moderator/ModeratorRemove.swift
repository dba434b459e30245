import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl moderator remove`: takes a moderator's rights.
enum ModeratorRemove {
  static let spec = CommandSpec<Action>(
    "remove", "Make moderators users again.",
    discussion: "For the owner. They stay members; all members but the owner hear of it.",
    examples: [Example("circlectl moderator remove swift-fans bob", "Takes his rights from bob.")],
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
          return snapshot.users(named: users).map { .removeModerator(server, $0) }
        }))
  }
}
