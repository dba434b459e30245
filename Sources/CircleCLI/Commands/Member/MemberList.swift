import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl member list`: the members of a server.
enum MemberList {
  static let spec = CommandSpec<Action>(
    "list", "List the members of a server.",
    discussion: """
      For its members; an administrator sees all. The owner comes first, then the moderators, then the users, each by \
      the time when they came in, and by id.
      """,
    examples: [
      Example("circlectl member list swift-fans --limit 20", "The first 20 members."),
      Example("circlectl member list swift-fans --role user --sort user", "Its users, by id."),
    ],
    arguments: [.readServer],
    options: [
      .roles, .value("prefix", "TEXT", "Only users whose id begins so."),
      .sort([
        Choice("role", "By role, time and id."), Choice("joined", "By time and id."), Choice("user", "By id."),
      ]), .reverse,
    ] + OptionSpec.listing + [.providerTimeout],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let name = try run.readServer(in: state.store)
    let filter = MemberFilter(run)
    let (snapshot, members) = try run.reading(Scope(servers: [Text(name)], members: .all), from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let server = try snapshot.server(named: name)
      let members = try Query.serverMembers(server, by: authority, in: snapshot)
      return (
        snapshot,
        members.filter { filter.admits($0, in: snapshot) }.map { ShownMember(server: server, member: $0) }
      )
    }
    let order = run.arguments.value("sort") ?? "role"
    let list = run.listName(of: name, order, filters: ["role", "prefix"])
    let page = try run.page(of: members, list: list) { shown in
      let key = memberKey(shown.member, in: snapshot)
      return PageKey(Array(key[(order == "role" ? 0 : order == "joined" ? 1 : 2)...]))
    }
    return try run.deliver(
      MemberRecords(run: run, snapshot: snapshot).list(page.rows, next: page.next), nothing: "there is no such member")
  }
}

/// Where a member stands in the order of the SDK: by role, time and lower-cased id.
func memberKey(_ member: Member, in snapshot: Snapshot) -> [Text] {
  [
    Text(ordered: Int64(member.role.rawValue)), Text(ordered: member.joinedAt),
    Text(snapshot.names[member.user]).folded,
  ]
}

/// Which members of a list are wanted.
struct MemberFilter {
  private let roles: Set<Role>
  private let prefix: Text

  init(_ run: CommandRun) {
    roles = run.chosenRoles
    prefix = Text(run.arguments.value("prefix") ?? "").folded
  }

  func admits(_ member: Member, in snapshot: Snapshot) -> Bool {
    roles.contains(member.role) && (prefix.isEmpty || Text(snapshot.names[member.user]).folded.begins(with: prefix))
  }
}
