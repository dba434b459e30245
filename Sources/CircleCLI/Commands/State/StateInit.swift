import CircleModel
import CircleReport
import CircleState
import CommandTree

/// `circlectl state init`: makes an empty state.
enum StateInit {
  static let spec = CommandSpec<Action>(
    "init", "Create an empty state.",
    discussion: "The first command that writes does the same; this one refuses a state that is there already.",
    examples: [Example("circlectl state init --state circle.db", "Creates the file circle.db.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let path = run.options.state.path
    guard try run.existingState().isMissing else {
      throw Failure(.refused, "there is a state at '\(path)' already", next: ["It was left as it is."])
    }
    _ = try run.openForWriting()
    try run.deliver(Report(command: run.command, result: .done, sections: [.message("created '\(path)'")]))
    return .done
  }
}
