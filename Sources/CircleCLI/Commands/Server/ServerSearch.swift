import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl server search`: finds public servers.
enum ServerSearch {
  static let spec = CommandSpec<Action>(
    "search", "Find servers by name, tag or id.",
    discussion: """
      Finds the public servers whose name begins with the keyword, that have a tag of exactly this name, or whose id it \
      is, by name and id; upper and lower case differ. An administrator finds private ones too.
      """,
    examples: [Example("circlectl server search Swift --as bob", "What bob finds.")],
    arguments: [ArgumentSpec("keyword", completion: .kind("tag"), "The beginning of a name, a whole tag, or an id.")],
    options: [.reverse] + OptionSpec.listing + [.providerTimeout], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let keyword = try run.required("keyword")
    let state = try run.openForReading()
    let (snapshot, found) = try run.reading(Scope(everyServer: true), from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      (snapshot, try Query.servers(withKeyword: Text(keyword), by: authority, in: snapshot))
    }
    let page = try run.page(of: found, list: run.listName(of: keyword)) {
      PageKey([snapshot[$0].attributes[.name] ?? "", snapshot[$0].id])
    }
    return try run.deliver(
      ServerRecords(run: run, snapshot: snapshot).list(page.rows, next: page.next),
      nothing: "no server fits '\(keyword)'")
  }
}
