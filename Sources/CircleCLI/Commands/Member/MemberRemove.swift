import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl member remove`: members are put out.
enum MemberRemove {
  static let spec = CommandSpec<Action>(
    "remove", "Remove members from a server.",
    discussion: """
      A moderator removes users, the owner moderators too. Several are removed all or none, with one event that the \
      removed, the owner and the moderators hear, but not who did it.
      """,
    examples: [Example("circlectl member remove swift-fans dave --reason spam", "Removes dave.")],
    arguments: [.server, .users], options: [.reason], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("server")
    let users = run.arguments.arguments("users")
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .named), users: users, reason: run.arguments.value("reason"),
        nothing: "nothing changes",
        done: { [.records(MemberRecords(run: run, snapshot: $0.result).list($0.membersGone))] },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          let server = try snapshot.server(named: name)
          return [.removeUsers(server, snapshot.users(named: users).map { Removal($0) })]
        }))
  }
}
