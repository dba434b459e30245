import CircleReport
import CircleState
import CommandTree

/// `circlectl state verify`: whether a state is sound.
enum StateVerify {
  static let spec = CommandSpec<Action>(
    "verify", "Check that a state is sound.",
    discussion: """
      Checks the store itself, the rules that every state keeps, the chain of hashes, and that the log, played from \
      nothing or from its checkpoint, gives the state. Ends with 1 when anything is wrong.
      """,
    examples: [Example("circlectl state verify --state circle.db", "Checks the state circle.db.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let (head, faults, checkpoint) = try check(run)
    try run.deliver(
      Report(
        command: run.command, result: faults.isEmpty ? .done : .failed,
        sections: [.verification(Verification(faults: faults, head: head, checkpoint: checkpoint))]))
    guard faults.isEmpty else {
      throw Failure(
        .failed, "the state '\(run.options.state.path)' is damaged: \(grouped(faults.count, "fault"))",
        next: [wayBack])
    }
    return .done
  }

  private static let wayBack = "A copy made before the damage is the way back."

  /// What is wrong, also where the damage is such that the head of the log can't be read.
  private static func check(_ run: CommandRun) throws(Failure) -> (Head, [String], Checkpoint?) {
    do throws(Failure) {
      let store = try run.openForReading().store
      return try run.phase(.checking) { () throws(Failure) in
        try run.onState { () throws(StateError) in
          let faults = try store.verify()
          do throws(StateError) {
            return (try store.head(), faults, try store.checkpoint())
          } catch .damaged(let sentence) {
            return (Head(), faults.isEmpty ? [sentence] : faults, nil)
          }
        }
      }
    } catch {
      var failure = error
      // That is this command, and it can't tell more.
      failure.next = failure.next.map { $0 == Failure.verifyTellsMore ? wayBack : $0 }
      throw failure
    }
  }
}
