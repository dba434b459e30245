import CircleKit
import CircleModel
import CommandTree

/// `circlectl tag remove`: takes tags from a server.
enum TagRemove {
  static let spec = CommandSpec<Action>(
    "remove", "Remove tags from a server.",
    discussion: """
      For its owner and moderators. A tag goes by its name, or else by its id; one that the server has not refuses the \
      whole call. The report has the tags that were removed.
      """,
    examples: [Example("circlectl tag remove swift-fans ios", "Removes the tag 'ios'.")],
    arguments: [
      .server,
      ArgumentSpec(
        "tags", shown: "TAG", cardinality: .many, completion: .kind("tag"), "Names or ids of tags, at most 10."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let tags = run.arguments.arguments("tags").map { Text($0) }
    return try run.performOnServer(done: run.tags(of:)) { server, snapshot in
      let present = snapshot[server].tags
      return [.removeTags(server, tags.map { tag in present.first { $0.name == tag }?.id ?? tag })]
    }
  }
}
