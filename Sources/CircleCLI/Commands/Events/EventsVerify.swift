import CircleReport
import CircleState
import CommandTree
import Digest

/// `circlectl events verify`: whether the log is what was written.
enum EventsVerify {
  static let spec = CommandSpec<Action>(
    "verify", "Check that nobody has changed the log.",
    discussion: """
      Each run's hash covers its own entry and log and the hash of the run before it; all are computed anew. That finds \
      any edit which leaves a hash as it was. Who can write the state can also compute new hashes, or cut the last runs \
      off: keep the head that reports and 'state info' print elsewhere, and --head tells whether the log still contains \
      it. Ends with 1 when anything is wrong.
      """,
    examples: [
      Example("circlectl events verify", "Checks the whole log."),
      Example("circlectl events verify --head HASH", "Also checks that an earlier head is still part of it."),
    ],
    options: [.value("head", "HASH", "A head that the log had earlier, 64 hexadecimal digits.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let earlier = try run.arguments.value("head").map { (text) throws(Failure) in
      guard let digest = SHA256.Digest(hex: text) else {
        throw Failure(.usage, "'\(text)' is no head of a log", next: ["A head is a hash of 64 hexadecimal digits."])
      }
      return digest
    }
    let state = try run.openForReading()
    let check = try run.phase(.checking) { () throws(Failure) in
      try run.onState { () throws(StateError) in try state.store.verifyLog(earlier: earlier) }
    }
    var faults = check.faults
    if let earlier, check.run == nil {
      faults.append(
        "the head \(earlier.hex) is no part of the log: the runs up to it were changed, or the last ones were cut off")
    }
    var sections: [ReportSection] = [.verification(Verification(faults: faults, head: check.head, subject: .log))]
    if let number = check.run, faults.isEmpty, earlier != nil {
      let after = grouped(Int(check.head.run - number), "run")
      sections.append(.message("the head given is that of run \(number); \(after) came after it"))
    }
    try run.deliver(Report(command: run.command, result: faults.isEmpty ? .done : .failed, sections: sections))
    guard faults.isEmpty else {
      throw Failure(
        .failed, "the log of '\(run.options.state.path)' is not what was written: \(grouped(faults.count, "fault"))",
        next: ["A copy made before is the way back; its head shows which one."])
    }
    return .done
  }
}
