import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl server get`: one server in full.
enum ServerGet {
  static let spec = CommandSpec<Action>(
    "get", "Show a server.",
    discussion: "For its members; an administrator sees all.",
    examples: [Example("circlectl server get swift-fans --as bob", "What bob, a member, sees of it.")],
    arguments: [.readServer], options: [.providerTimeout], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let name = try run.readServer(in: state.store)
    let list = try run.reading(Scope(servers: [Text(name)], members: .named), from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let server = try snapshot.server(named: name)
      _ = try Query.serverDetail(server, by: authority, in: snapshot)
      return ServerRecords(run: run, snapshot: snapshot).details([server])
    }
    return try run.deliver(list, nothing: "")
  }
}
