import CircleReport
import CircleState
import CircleStateSQLite
import CommandTree

/// `circlectl state unlock`: removes the lock of a run that has ended on another host.
enum StateUnlock {
  static let spec = CommandSpec<Action>(
    "unlock", "Remove the lock of a run that has ended.",
    discussion: """
      For locks of other hosts: on this host the next run clears the lock of a process that has ended by itself, and the \
      lock of one that still runs is not removed.
      """,
    examples: [Example("circlectl state unlock", "Removes the lock and tells whose it was.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let state = try run.existingState()
    let holder = state.isMissing ? nil : try run.onState { () throws(StateError) in try state.store.rows.lock() }
    guard let holder else {
      try run.deliver(
        Report(command: run.command, result: .unchanged, sections: [.lock(nil)]))
      return .done
    }
    guard holder.host != StateLock.thisHost() || holder.hasEnded else {
      throw Failure(
        .refused, "process \(holder.process) on this host holds the lock and still runs",
        next: ["Wait for it, or end it; its lock goes with it."])
    }
    let store = try run.openForWriting()
    let removed = try run.onState { () throws(StateError) in try store.clearLock() }
    try run.deliver(
      Report(command: run.command, result: .done, sections: [.lock(removed), .message("the lock was removed")]))
    return .done
  }
}
