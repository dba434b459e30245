import CircleKit
import CircleManifest
import CircleModel
import CirclePlan
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// `circlectl validate`: checks manifests alone, or against a state that the command line names.
enum Validate {
  static let spec = CommandSpec<Action>(
    "validate", "Check manifests.",
    discussion: """
      Checks all that the manifests alone show. With --state on the command line itself (not from the environment or \
      circlectl.yaml) also against that state: whether users are registered, and whether limits hold.
      """,
    examples: [
      Example("circlectl validate manifests", "Checks all manifests in the folder."),
      Example("circlectl validate manifests --state circle.db", "Checks users and limits of a state too."),
    ],
    arguments: [.manifests],
    options: [
      .stack, .allowOutside,
    ],
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let checksState = run.options.state.source == .commandLine
    let stack = try run.stackName()
    let input = try run.readManifests { (input) throws(Failure) in
      if checksState { return }
      StandaloneCheck.check(input.desired, into: &input.diagnostics)
    }
    var report = Report(command: run.command, result: .done)
    report.sections.append(.validation(ValidationSummary(input)))
    if !input.diagnostics.isEmpty { report.sections.append(.faults(FaultList(input.diagnostics, files: input.files))) }
    if checksState {
      let applier = Applier(options: PlanOptions(stack: stack), now: run.now, idSeed: run.idSeed)
      let state = try run.openForReading()
      let plan = try run.plan(input, with: applier, on: run.load(input, with: applier, from: state.store))
      let refusals = plan.refusals.filter { !$0.isOfGuard }
      if !refusals.isEmpty {
        var faults = DiagnosticCollector()
        faults.append(contentsOf: refusals.map { Diagnostic($0) })
        run.tell(faults, of: input.files)
        var all = input.diagnostics
        all.append(contentsOf: refusals.map { Diagnostic($0) })
        throw Failure(
          .refused, "\(grouped(refusals.count, "fault")) in the manifests, as the state is",
          faults: FaultList(all, files: input.files))
      }
    }
    try run.deliver(report)
    return .done
  }
}

extension ValidationSummary {
  fileprivate init(_ input: ManifestInput) {
    let desired = input.desired
    let memberships = desired.servers.reduce(0) {
      $0 + ($1.members?.value.count ?? 0) + ($1.moderators?.value.count ?? 0)
    }
    self.init(
      files: input.files.count, servers: desired.servers.count, users: desired.users.count,
      groups: desired.groupCount, memberships: memberships, warnings: input.diagnostics.warningCount)
  }
}
