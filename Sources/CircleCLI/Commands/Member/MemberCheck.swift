import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl member check`: whether a user is in a server.
enum MemberCheck {
  static let spec = CommandSpec<Action>(
    "check", "Tell whether a user is a member.",
    discussion: "Of himself a user may ask in any server, an administrator of anyone. The answer no ends with 0 too.",
    examples: [Example("circlectl member check swift-fans --as bob", "Says yes or no.")],
    arguments: [.readServer, .userOrCaller], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let user = try run.concernedUser()
    let state = try run.openForReading()
    let name = try run.readServer(in: state.store)
    let scope = Scope(servers: [Text(name)], members: .named)
    let list = try run.reading(scope, users: [user], from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let server = try snapshot.server(named: name)
      let index = snapshot.user(named: user)
      let isMember = try Query.isInServer(index, server, by: authority, in: snapshot)
      return RecordList(
        "check", "checks",
        [.init("server", "server"), .init("userId", "user"), .init("isMember", "member")],
        rows: [[.text(snapshot.handle(of: server).string), .text(snapshot.names[index]), .flag(isMember)]],
        form: .details)
    }
    return try run.deliver(list, nothing: "")
  }
}
