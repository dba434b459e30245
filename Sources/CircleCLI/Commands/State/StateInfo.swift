import CircleReport
import CircleState
import CommandTree

/// `circlectl state info`: how far a state has come, what it holds, who has its lock.
enum StateInfo {
  static let spec = CommandSpec<Action>(
    "info", "Tell what a state holds.",
    examples: [Example("circlectl state info", "Shows counts, limits, revision, the last hash and the lock.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let (head, checkpoint, lock) = try run.onState { () throws(StateError) in
      (try state.store.head(), try state.store.checkpoint(), try state.store.rows.lock())
    }
    try run.deliver(
      Report(
        command: run.command, result: .done,
        sections: [
          .info(CircleReport.StateInfo(format: state.store.rows.format, head: head, checkpoint: checkpoint)),
          .lock(lock),
        ]))
    return .done
  }
}
