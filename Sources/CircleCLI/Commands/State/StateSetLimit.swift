import CircleModel
import CircleReport
import CommandTree

/// `circlectl state set-limit`: how many servers a user may own or join.
enum StateSetLimit {
  static let spec = CommandSpec<Action>(
    "set-limit", "Set how many servers a user may own or join.",
    discussion: "A lower limit removes nobody; it only refuses what would go further beyond it.",
    examples: [Example("circlectl state set-limit joined 200", "Lets each user join up to 200 servers.")],
    arguments: [
      ArgumentSpec(
        "limit",
        choices: [
          Choice("created", "Servers that one user owns."), Choice("joined", "Servers that one user is in otherwise."),
        ], "Which limit."),
      ArgumentSpec("number", shown: "N", "The new limit, from 0."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let word = run.arguments.argument("limit") ?? ""
    let text = run.arguments.argument("number") ?? ""
    guard let kind = LimitKind.allCases.first(where: { $0.word == word }) else {
      throw Failure(.usage, "'\(word)' is no limit")
    }
    guard let number = wholeNumber(text), number <= Int(Int32.max) else {
      throw Failure(.usage, "'\(text)' is no limit", next: ["A limit is a whole number from 0 to \(Int32.max)."])
    }
    return try run.perform(
      OperationRequest(
        scope: Scope(), nothing: "the limit '\(word)' is \(number) already; nothing changes",
        done: { _ in [.message("the limit '\(word)' is \(number) now")] },
        operations: { (_) throws(CircleModel.CircleError) in [.setLimit(kind, number)] }))
  }
}
