import CircleReport
import CircleState
import CommandTree
import Digest

/// `circlectl state copy`: a whole state to another place.
enum StateCopy {
  static let spec = CommandSpec<Action>(
    "copy", "Copy a whole state, log and all, to another place.",
    discussion: """
      From file to server, server to file, or any other way. Everything is written in one transaction, and only if the copy \
      verifies: the same rows, the same hash at the head of the log. A state that has a history is never written over.
      """,
    examples: [Example("circlectl state copy circle.db postgres://db.example.org/circle", "Moves to a server.")],
    arguments: [
      ArgumentSpec("from", shown: "FROM", completion: .files, "The state that is copied."),
      ArgumentSpec("to", shown: "TO", completion: .files, "Where the copy shall be."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let from = run.arguments.argument("from") ?? ""
    let to = run.arguments.argument("to") ?? ""
    guard !run.arguments.isGiven("state") else {
      throw Failure(.usage, "a copy has two places, and --state names one", next: ["Leave --state out."])
    }
    try run.refuseReports(over: [from, to], "state")
    // Both are looked at before anything is done, for a location may hold a password.
    try run.refuseUsed(to)
    let source = try run.existingState(at: from)
    guard !source.isMissing else {
      throw Failure(.refused, "there is no state at '\(from)'", next: ["Nothing was copied."])
    }
    let target = try run.openForWriting(at: to)
    let head = try run.holdingLock(of: target) { () throws(Failure) in
      try run.phase(.writing) { () throws(Failure) in
        let head = try copy(source.store, from: from, target, to: to)
        run.hasWritten = true
        return head
      }
    }
    let sentence =
      "copied \(grouped(Int(head.run), "run")), head \(head.hash.hex), from '\(from)' to '\(to)'; the copy verifies"
    try run.deliver(Report(command: run.command, result: .done, sections: [.message(sentence)]))
    return .done
  }

  private static func copy(
    _ source: StateStore, from: String, _ target: StateStore, to: String
  ) throws(Failure) -> Head {
    do throws(StateError) {
      return try source.copy(to: target)
    } catch {
      switch error {
      case .stale: throw CommandRun.hasHistory(to)
      case .damaged: throw Failure(error, location: from)
      default: throw Failure(error, location: to)
      }
    }
  }
}
