import CircleReport
import CircleState
import CommandTree

/// `circlectl state verify`: whether a state is sound.
enum StateVerify {
  static let spec = CommandSpec<Action>(
    "verify", "Check that a state is sound.",
    discussion: """
      Checks the store itself, the rules that every state keeps, the chain of hashes, and that the log, played from \
      nothing, gives the state. Ends with 1 when anything is wrong.
      """,
    examples: [Example("circlectl state verify --state circle.db", "Checks the state circle.db.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let (head, faults) = try run.phase(.checking) { () throws(Failure) in
      try run.onState { () throws(StateError) in (try state.store.head(), try state.store.verify()) }
    }
    try run.deliver(
      Report(
        command: run.command, result: faults.isEmpty ? .done : .failed,
        sections: [.verification(Verification(faults: faults, head: head))]))
    guard faults.isEmpty else {
      throw Failure(
        .failed, "the state '\(run.options.state.path)' is damaged: \(faults.count) faults",
        next: ["A copy made before the damage is the way back."])
    }
    return .done
  }
}
