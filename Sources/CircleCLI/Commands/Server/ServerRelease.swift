import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl server release`: takes a server out of its stack.
enum ServerRelease {
  static let spec = CommandSpec<Action>(
    "release", "Take a server out of its stack.",
    discussion: """
      The server stays as it is, with its settings; what the last apply listed is forgotten. Another stack may take it \
      up afterwards.
      """,
    examples: [Example("circlectl server release swift-fans", "From now on no stack manages swift-fans.")],
    arguments: [ArgumentSpec("server", completion: .kind("server"), "The server's handle or id.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = try run.required("server")
    return try run.perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .all), nothing: "'\(name)' belongs to no stack; nothing changes",
        done: { _ in [.message("no stack manages '\(name)' any more")] },
        operations: { (snapshot) throws(CircleModel.CircleError) in [.releaseServer(try snapshot.server(named: name))] }
      ))
  }
}
