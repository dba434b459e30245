import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl member role`: what a user is in a server.
enum MemberRole {
  static let spec = CommandSpec<Action>(
    "role", "Tell a member's role.",
    discussion: "Of himself a user may ask in any server, an administrator of anyone. Who is no member has no role: 3.",
    examples: [Example("circlectl member role swift-fans bob", "Says owner, moderator or user.")],
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
      let role = try Query.role(of: index, in: server, by: authority, in: snapshot)
      return RecordList(
        "role", "roles", [.init("server", "server"), .init("userId", "user"), .init("role", "role")],
        rows: [[.text(snapshot.handle(of: server).string), .text(snapshot.names[index]), .text(role.word)]],
        form: .details)
    }
    return try run.deliver(list, nothing: "")
  }
}
