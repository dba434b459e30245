import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl moderator list`: who may moderate what.
enum ModeratorList {
  static let spec = CommandSpec<Action>(
    "list", "List who may moderate what.",
    discussion: """
      The owner and the moderators of a server, or with --all of every server; with --as of those that the user is in. \
      An administrator who names no server gets all. By server, role, the time when they came in, and id.
      """,
    examples: [
      Example("circlectl moderator list swift-fans", "Who may moderate swift-fans."),
      Example("circlectl moderator list --all --all-pages -o ndjson", "Who may moderate what, one record a line."),
    ],
    arguments: [
      ArgumentSpec(
        "server", cardinality: .optional, completion: .kind("server"),
        "The server's handle, its id, or the beginning of its name.")
    ],
    options: [
      .flag("all", "Of all servers."), .roles, .value("prefix", "TEXT", "Only users whose id begins so."), .reverse,
    ] + OptionSpec.listing + [.providerTimeout],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let isNamed = run.arguments.argument("server") != nil
    let isAdministrator = try run.caller() == .administrator
    let all = run.arguments.flag("all") || (!isNamed && isAdministrator)
    guard all != isNamed else {
      throw Failure(.usage, all ? "a SERVER and --all can't both hold" : "name a SERVER, or --all for every server")
    }
    let state = try run.openForReading()
    let name = all ? nil : try run.readServer(in: state.store)
    let filter = MemberFilter(run)
    let (snapshot, members) = try run.reading(scope(name, try run.caller()), from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      var members: [ShownMember] = []
      for server in try servers(name, authority, snapshot) {
        for member in try Query.moderators(of: server, by: authority, in: snapshot)
        where filter.admits(member, in: snapshot) {
          members.append(ShownMember(server: server, member: member))
        }
      }
      return (snapshot, members)
    }
    let list = run.listName(of: name ?? "", filters: ["role", "prefix"])
    let page = try run.page(of: members, list: list) { shown in
      PageKey([snapshot.handle(of: shown.server)] + memberKey(shown.member, in: snapshot))
    }
    return try run.deliver(
      MemberRecords(run: run, snapshot: snapshot).list(
        "moderator", "moderators", page.rows, showsServer: true, next: page.next),
      nothing: "there is no such moderator")
  }

  private static func scope(_ name: String?, _ caller: Session.Caller) -> Scope {
    if let name { return Scope(servers: [Text(name)], members: .all) }
    return caller == .administrator ? Scope(members: .everything) : Scope(members: .all, serversOfUsers: true)
  }

  private static func servers(
    _ name: String?, _ authority: Authority, _ snapshot: Snapshot
  ) throws(CircleModel.CircleError) -> [ServerIndex] {
    if let name { return [try snapshot.server(named: name)] }
    guard case .user(let user, _) = authority else { return try Query.everyServer(by: authority, in: snapshot) }
    return try Query.joinedServers(of: user, by: authority, in: snapshot).map(\.server)
  }
}
