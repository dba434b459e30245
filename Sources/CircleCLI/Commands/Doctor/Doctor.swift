import CircleReport
import CommandTree

/// `circlectl doctor`: whether all that the program works with is as it should be, and what to do where it is not.
enum Doctor {
  static let spec = CommandSpec<Action>(
    "doctor", "Check the libraries, the configuration and the state, and tell what to do.",
    discussion: """
      Looks at the libraries that the program uses; at circlectl.yaml and the manifests that it names; at the state: whether \
      it opens, its format, its file's rights, the room on the disk, what an interrupted run has left, the lock and \
      whoever holds it; at all that 'state verify' checks; and at the clock. Each is told with what was found and, where \
      it is not as it should be, what to do. Nothing is written.

      Warnings leave the exit code at 0. A state that is damaged, or can't be read, ends with 1; a fault in circlectl.yaml \
      or the manifests alone with 65, one that is being written for too long with 5.
      """,
    examples: [
      Example("circlectl doctor", "Checks everything."),
      Example("circlectl doctor --state postgres:///circle -o json", "Checks a state on a server, for a program."),
    ],
    refuses: OptionSpec.acting, action: Action(needsProject: false, run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    var checkup = Checkup()
    try run.phase(.checking) { () throws(Failure) in
      checkup.libraries(for: run.options.state.place(in: run.context))
      checkup.configuration(of: run)
      try checkup.state(of: run)
    }
    let result: ReportResult = checkup.kind.map { ReportResult($0) } ?? .done
    try run.deliver(
      Report(
        command: run.command, result: result,
        sections: [.records(checkup.list), .message(verdict(on: checkup))]))
    guard let kind = checkup.kind else { return .done }
    let faults = checkup.count(.fault)
    throw Failure(kind, "\(grouped(faults, "check")) found something wrong", next: ["What to do stands below each."])
  }

  private static func verdict(on checkup: Checkup) -> String {
    let faults = checkup.count(.fault)
    let warnings = checkup.count(.warning)
    let sum = "\(grouped(checkup.checks.count, "check")): \(grouped(faults, "fault")), \(grouped(warnings, "warning"))."
    return faults + warnings == 0 ? "\(sum) All is well." : sum
  }
}
