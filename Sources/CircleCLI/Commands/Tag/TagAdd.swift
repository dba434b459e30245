import CircleKit
import CircleModel
import CommandTree
import Diagnostics

/// `circlectl tag add`: gives a server tags by which it is found.
enum TagAdd {
  static let spec = CommandSpec<Action>(
    "add", "Add tags to a server.",
    discussion: """
      For its owner and moderators. A server has at most 10 tags; those that it has already are skipped. The report has \
      the tags that were added, with their ids. The SDK has no event for it.
      """,
    examples: [Example("circlectl tag add swift-fans swift ios --as alice", "Adds two tags.")],
    arguments: [.server, ArgumentSpec("tags", shown: "TAG", cardinality: .many, "Tags, 1 to 20 characters each.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let tags = run.arguments.arguments("tags").map { Given(Text($0), at: .none) }
    return try run.performOnServer(
      nothing: "the server has these tags already; nothing changes", done: run.tags(of:)
    ) { server, _ in
      [.addTags(server, tags)]
    }
  }
}
