import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl user list`: the users who are registered.
enum UserList {
  static let spec = CommandSpec<Action>(
    "list", "List users.",
    discussion: "For administrators. With the devices of each, and how many servers he owns and has joined.",
    examples: [Example("circlectl user list --prefix a --all-pages", "All users whose id begins with a.")],
    options: [
      .value("prefix", "TEXT", "Only users whose id begins so."),
      .sort([
        Choice("user", "By id."), Choice("owned", "By how many servers they own."),
        Choice("joined", "By how many they have joined."),
      ]), .reverse,
    ] + OptionSpec.listing + [.providerTimeout],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let prefix = Text(run.arguments.value("prefix") ?? "").folded
    let (snapshot, users) = try run.reading(Scope(everyUser: true), from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let users = try Query.everyUser(by: authority, in: snapshot)
      return (snapshot, users.filter { prefix.isEmpty || Text(snapshot.names[$0]).folded.begins(with: prefix) })
    }
    let order = run.arguments.value("sort") ?? "user"
    let page = try run.page(of: users, list: run.listName(of: order, filters: ["prefix"])) { user in
      let id = Text(snapshot.names[user]).folded
      return switch order {
      case "owned": PageKey([Text(ordered: Int64(snapshot[user].owned)), id])
      case "joined": PageKey([Text(ordered: Int64(snapshot[user].joined)), id])
      default: PageKey([id])
      }
    }
    return try run.deliver(
      UserRecords(run: run, snapshot: snapshot).list(page.rows, next: page.next), nothing: "there is no such user")
  }
}
