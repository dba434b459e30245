import CircleKit
import CircleModel
import CircleReport
import CircleState
import CommandTree

/// `circlectl server list`: all servers, or those that a user is in.
enum ServerList {
  static let spec = CommandSpec<Action>(
    "list", "List servers.",
    discussion: """
      An administrator sees all servers, by handle. With --as a user sees those that he owns or has joined, with his \
      role, by the time when he came in.
      """,
    examples: [
      Example(
        "circlectl server list --stack default --sort members --reverse", "The biggest servers of a stack first."),
      Example("circlectl server list --as alice --role owner", "The servers that alice owns."),
    ],
    options: [
      .value("prefix", "TEXT", "Only those whose name begins so."),
      .value("owner", "USER", completion: .kind("user"), "Only those that this user owns."),
      .value(
        "tag", "TAG", repeatable: true, completion: .kind("tag"),
        "Only those with this tag, and with all others named so."),
      .type, .value("stack", "NAME", "Only those of this stack."),
      .value(
        "role", "ROLE", repeatable: true, choices: Role.allCases.map { Choice($0.word) },
        "With --as: only those where he has this role."),
      .value("sort", "ORDER", choices: orders, "By what the rows are sorted: handle, or with --as joined."), .reverse,
    ] + OptionSpec.listing + [.providerTimeout],
    action: Action(run))

  private static let filters = ["prefix", "owner", "tag", "type", "stack", "role"]
  private static let orders = ["handle", "name", "members", "created", "joined"].map { Choice($0) }

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let isUser = try run.caller() != .administrator
    let order = run.arguments.value("sort") ?? (isUser ? "joined" : "handle")
    guard isUser || (order != "joined" && run.arguments.values("role").isEmpty) else {
      throw Failure(.usage, "--role and --sort joined go with --as: they are about what a user is in a server")
    }
    let state = try run.openForReading()
    return try isUser ? joined(run, order, state.store) : all(run, order, state.store)
  }

  private static func all(_ run: CommandRun, _ order: String, _ store: StateStore) throws(Failure) -> ExitStatus {
    let owner = run.arguments.value("owner")
    let scope = owner == nil ? Scope(everyServer: true) : Scope(serversOfUsers: true)
    let filter = ServerFilter(run)
    let (snapshot, servers) = try run.reading(scope, users: owner.map { [$0] } ?? [], from: store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      (snapshot, try Query.everyServer(by: authority, in: snapshot).filter { filter.admits($0, in: snapshot) })
    }
    let page = try run.page(of: servers, list: run.listName(of: order, filters: filters)) {
      key($0, order, in: snapshot)
    }
    return try run.deliver(
      ServerRecords(run: run, snapshot: snapshot).list(page.rows, next: page.next), nothing: "there is no such server")
  }

  private static func joined(_ run: CommandRun, _ order: String, _ store: StateStore) throws(Failure) -> ExitStatus {
    let filter = ServerFilter(run)
    let roles = run.chosenRoles
    let (snapshot, joined) = try run.reading(Scope(members: .named, serversOfUsers: true), from: store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      guard case .user(let user, _) = authority else { return (snapshot, [Query.Joined]()) }
      let joined = try Query.joinedServers(of: user, by: authority, in: snapshot)
      return (snapshot, joined.filter { roles.contains($0.role) && filter.admits($0.server, in: snapshot) })
    }
    let page = try run.page(of: joined, list: run.listName(of: order, filters: filters)) { joined in
      order == "joined"
        ? PageKey([Text(ordered: joined.joinedAt), snapshot[joined.server].id])
        : key(joined.server, order, in: snapshot)
    }
    return try run.deliver(
      ServerRecords(run: run, snapshot: snapshot).list(joined: page.rows, next: page.next),
      nothing: "there is no such server")
  }

  private static func key(_ index: ServerIndex, _ order: String, in snapshot: Snapshot) -> PageKey {
    let server = snapshot[index]
    return switch order {
    case "name": PageKey([server.attributes[.name] ?? "", server.id])
    case "members": PageKey([Text(ordered: Int64(server.memberCount)), server.id])
    case "created": PageKey([Text(ordered: server.created), server.id])
    default: PageKey([server.handle])
    }
  }
}

/// Which servers of a list are wanted.
private struct ServerFilter {
  private let prefix: Text?
  private let owner: String?
  private let tags: [Text]
  private let type: ServerType?
  private let stack: Text?

  init(_ run: CommandRun) {
    prefix = run.arguments.value("prefix").map { Text($0) }
    owner = run.arguments.value("owner")
    tags = run.arguments.values("tag").map { Text($0) }
    type = run.arguments.value("type").flatMap { ServerType(word: $0) }
    stack = run.arguments.value("stack").map { Text($0) }
  }

  func admits(_ index: ServerIndex, in snapshot: Snapshot) -> Bool {
    let server = snapshot[index]
    if let prefix, server.attributes[.name]?.begins(with: prefix) != true { return false }
    if let owner, snapshot.names.find(owner) != server.owner { return false }
    if let type, server.type != type { return false }
    if let stack, server.stack != stack { return false }
    return tags.allSatisfy { tag in server.tags.contains { $0.name == tag } }
  }
}
