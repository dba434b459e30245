import CircleKit
import CircleModel
import CircleReport
import CircleState
import CommandTree

/// `circlectl server destroy`: ends a server.
enum ServerDestroy {
  static let spec = CommandSpec<Action>(
    "destroy", "Destroy a server.",
    discussion: """
      For its owner. Tags, memberships and pending invitations go with it; all members but the owner hear of it. Without \
      --yes a person at the terminal is asked.
      """,
    examples: [Example("circlectl server destroy swift-fans --reason 'merged'", "Shows the server and asks.")],
    arguments: [.server], options: [.yes, .reason], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("server")
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .all), reason: run.arguments.value("reason"),
        nothing: "nothing changes",
        question: { decision in
          .init(sections: told(decision, run), sentence: "Destroy the server '\(name)'?")
        },
        done: { told($0, run) },
        operations: { (snapshot) throws(CircleModel.CircleError) in [.destroyServer(try snapshot.server(named: name))] }
      ))
  }

  /// The server as it was, and what goes with it.
  private static func told(_ decision: Session.Decision, _ run: CommandRun) -> [ReportSection] {
    let before = decision.loaded.snapshot
    return decision.outcome.records.flatMap { record -> [ReportSection] in
      let server = before[record.server]
      let parts = [
        grouped(server.memberCount, "membership"), grouped(server.tags.count, "tag"),
        grouped(server.invitations.count, "pending invitation"),
      ]
      return [
        .records(ServerRecords(run: run, snapshot: before).details([record.server])),
        .message("with \(parts[0]), \(parts[1]) and \(parts[2])"),
      ]
    }
  }
}
