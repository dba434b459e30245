import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl invitation list`: the invitations that wait for an answer.
enum InvitationList {
  static let spec = CommandSpec<Action>(
    "list", "List pending invitations.",
    discussion: "Of one server or of all; with --as those that the user sent or got. The oldest come first.",
    examples: [
      Example("circlectl invitation list --older-than 30d", "Those that nobody has answered for 30 days."),
      Example("circlectl invitation list --as carol --invitee carol", "Those that carol got."),
    ],
    arguments: [
      ArgumentSpec(
        "server", cardinality: .optional, completion: .kind("server"),
        "The server's handle, its id, or the beginning of its name.")
    ],
    options: [
      .value("older-than", "TIME", "Only those sent so long ago or longer, such as 30d, 2w or 12h."),
      .value("inviter", "USER", completion: .kind("user"), "Only those that this user sent."),
      .value("invitee", "USER", completion: .kind("user"), "Only those that this user got."),
      .sort([
        Choice("created", "By the time when they were sent."), Choice("server", "By the server's handle."),
        Choice("invitee", "By the invitee's id."),
      ]), .reverse,
    ] + OptionSpec.listing + [.providerTimeout],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let filter = try InvitationFilter(run)
    let state = try run.openForReading()
    let name = run.arguments.argument("server") == nil ? nil : try run.readServer(in: state.store)
    let scope = try scope(name, filter, of: run)
    let (snapshot, found) = try run.reading(scope, users: filter.users, from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let server = try name.map { (name) throws(CircleModel.CircleError) in try snapshot.server(named: name) }
      let all = try Query.invitations(by: authority, in: snapshot)
      return (snapshot, all.filter { (server == nil || $0.server == server) && filter.admits($0, in: snapshot) })
    }
    let order = run.arguments.value("sort") ?? "created"
    let list = run.listName(of: name ?? "", order, filters: ["older-than", "inviter", "invitee"])
    let page = try run.page(of: found, list: list) { key(of: $0, order, in: snapshot) }
    return try run.deliver(
      InvitationRecords(run: run, snapshot: snapshot).list(page.rows, next: page.next),
      nothing: "there is no such pending invitation")
  }

  private static func scope(
    _ name: String?, _ filter: InvitationFilter, of run: CommandRun
  ) throws(Failure) -> Scope {
    if let name { return Scope(servers: [Text(name)], members: .named) }
    let isOfUsers = try run.caller() != .administrator || !filter.users.isEmpty
    return Scope(members: .named, invitations: isOfUsers ? .ofUsers : .everything)
  }

  private static func key(of invited: Query.Invited, _ order: String, in snapshot: Snapshot) -> PageKey {
    let time = Text(ordered: invited.invitation.createdAt)
    let server = snapshot.handle(of: invited.server)
    let invitee = Text(snapshot.names[invited.invitation.invitee]).folded
    let inviter = Text(snapshot.names[invited.invitation.inviter]).folded
    return switch order {
    case "server": PageKey([server, invitee, inviter])
    case "invitee": PageKey([invitee, server, inviter])
    default: PageKey([time, server, invitee, inviter])
    }
  }
}

/// Which invitations of a list are wanted.
private struct InvitationFilter {
  private let inviter: String?
  private let invitee: String?
  /// Unix milliseconds.
  private let latest: Int64?

  init(_ run: CommandRun) throws(Failure) {
    inviter = run.arguments.value("inviter")
    invitee = run.arguments.value("invitee")
    guard let text = run.arguments.value("older-than") else {
      latest = nil
      return
    }
    guard let age = TimeSpan(text, atMostDays: 36_500) else {
      throw Failure(
        .usage, "'\(text)' is no length of time", next: ["--older-than takes 30d, 2w, 12h, 90m or a number of seconds."]
      )
    }
    latest = run.now - Int64(age.milliseconds)
  }

  var users: [String] { [inviter, invitee].compactMap { $0 } }

  func admits(_ invited: Query.Invited, in snapshot: Snapshot) -> Bool {
    if let inviter, snapshot.names.find(inviter) != invited.invitation.inviter { return false }
    if let invitee, snapshot.names.find(invitee) != invited.invitation.invitee { return false }
    return latest.map { invited.invitation.createdAt <= $0 } ?? true
  }
}
