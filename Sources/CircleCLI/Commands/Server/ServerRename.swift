import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl server rename`: gives a server another handle.
enum ServerRename {
  static let spec = CommandSpec<Action>(
    "rename", "Give a server another handle.",
    discussion: """
      For administrators. The server keeps its id, members and events. A manifest that manages it names it by the new \
      handle from now on, with the old one in renamedFrom, or else asks for a new server.
      """,
    examples: [Example("circlectl server rename swift-fans swift", "From now on it goes by swift.")],
    arguments: [
      ArgumentSpec("handle", completion: .kind("server"), "The server's handle or id."),
      ArgumentSpec("new", "The handle it gets."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("handle")
    let new = Text(try run.required("new"))
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name), new], members: .named),
        nothing: "the server has the handle '\(new)' already; nothing changes",
        done: { decision in
          decision.outcome.records.map {
            .records(ServerRecords(run: run, snapshot: decision.result).details([$0.server]))
          }
        },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          [.renameHandle(try snapshot.server(named: name), new)]
        }))
  }
}
