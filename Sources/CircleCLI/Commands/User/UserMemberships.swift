import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl user memberships`: what a user is in.
enum UserMemberships {
  static let spec = CommandSpec<Action>(
    "memberships", "List the servers that a user is in.",
    discussion: "With his role in each, by the time when he came in. A user may ask of himself.",
    examples: [Example("circlectl user memberships bob --role moderator", "What bob moderates.")],
    arguments: [.userOrCaller],
    options: [
      .roles,
      .sort([
        Choice("joined", "By the time when he came in."), Choice("server", "By the server's handle."),
        Choice("name", "By the server's name."),
      ]), .reverse,
    ] + OptionSpec.listing,
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let user = try run.concernedUser()
    let roles = run.chosenRoles
    let state = try run.openForReading()
    let scope = Scope(members: .named, serversOfUsers: true)
    let (snapshot, joined) = try run.reading(scope, users: [user], from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let joined = try Query.joinedServers(of: snapshot.user(named: user), by: authority, in: snapshot)
      return (snapshot, joined.filter { roles.contains($0.role) })
    }
    let order = run.arguments.value("sort") ?? "joined"
    let list = run.listName(of: Text(user).folded.string, order, filters: ["role"])
    let page = try run.page(of: joined, list: list) { joined in
      let server = snapshot[joined.server]
      return switch order {
      case "server": PageKey([server.handle])
      case "name": PageKey([server.attributes[.name] ?? "", server.id])
      default: PageKey([Text(ordered: joined.joinedAt), server.id])
      }
    }
    let shown = snapshot.names[snapshot.user(named: user)]
    let rows = page.rows.map { joined -> [RecordList.Value] in
      let server = snapshot[joined.server]
      return [
        .text(shown), .text(server.handle.string), .init(server.attributes[.name]?.string), .text(joined.role.word),
        .time(joined.joinedAt), .text(server.id.string),
      ]
    }
    return try run.deliver(
      RecordList(
        "membership", "memberships",
        [
          .init("userId", nil), .init("server", "server"), .init("name", "name", widest: RecordList.freeText),
          .init("role", "role"),
          .init("joinedAt", "joined"), .init("serverId", nil),
        ], rows: rows, next: page.next),
      nothing: "'\(shown)' is in no such server")
  }
}
