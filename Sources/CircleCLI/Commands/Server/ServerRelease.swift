import CircleModel
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
    guard let name = run.arguments.argument("server") else { throw Failure(.usage, "no server is named") }
    let existing = try run.existingState()
    guard !existing.isMissing else { throw run.noServer(name) }
    return try run.perform(
      in: Scope(servers: [Text(name)], members: .all), done: "no stack manages '\(name)' any more",
      nothing: "'\(name)' belongs to no stack; nothing changes"
    ) { (snapshot) throws(Failure) in
      .releaseServer(try run.server(named: name, in: snapshot))
    }
  }
}
