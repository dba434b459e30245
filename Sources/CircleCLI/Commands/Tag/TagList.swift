import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl tag list`: the tags of a server.
enum TagList {
  static let spec = CommandSpec<Action>(
    "list", "List the tags of a server.",
    discussion: "For its members; an administrator sees all. By name.",
    examples: [Example("circlectl tag list swift-fans", "Lists its tags with their ids.")],
    arguments: [.readServer],
    options: [.value("prefix", "TEXT", "Only those that begin so."), .reverse] + OptionSpec.listing,
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let name = try run.readServer(in: state.store)
    let prefix = Text(run.arguments.value("prefix") ?? "")
    let (server, tags) = try run.reading(Scope(servers: [Text(name)], members: .named), from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let server = try snapshot.server(named: name)
      let tags = try Query.serverTags(server, by: authority, in: snapshot)
      return (snapshot[server], tags.filter { $0.name.begins(with: prefix) })
    }
    let list = run.listName(of: server.id.string, filters: ["prefix"])
    let page = try run.page(of: tags, list: list) { PageKey([$0.name]) }
    return try run.deliver(
      TagRecords(server: server).list(page.rows, next: page.next),
      nothing: "'\(server.handle)' has no such tag")
  }
}
