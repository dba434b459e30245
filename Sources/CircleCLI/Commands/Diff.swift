import CircleKit
import CircleModel
import CirclePlan
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// `circlectl diff`: what an apply would do, without doing it.
enum Diff {
  static let spec = CommandSpec<Action>(
    "diff", aliases: ["plan"], "Compare manifests with the state.",
    discussion: """
      Shows what an apply would do. Each difference is pending (the manifests ask for something new), drift (something \
      else than an apply changed it), unmanaged (no manifest names it) or blocked (a rule or a guard refuses it). Never \
      writes.
      """,
    examples: [
      Example("circlectl diff manifests", "Shows the differences."),
      Example("circlectl diff manifests --exit-code", "Ends with 2 when there is something to apply."),
      Example("circlectl diff --detail full", "Names all values, settings and unmanaged members too."),
      Example("circlectl diff manifests --save plan.json", "Keeps the plan for 'circlectl apply plan.json'."),
      Example("circlectl diff manifests --only swift-fans,kind=member", "Shows the members of one server alone."),
    ],
    arguments: [.manifests],
    options: OptionSpec.planning + [
      .flag("exit-code", "End with 2 when something is pending or has drifted."), .planDetail,
      .value(
        "save", "FILE", completion: .files,
        "Keep the plan, to be shown by 'circlectl show FILE' and carried out by 'circlectl apply FILE'."),
    ],
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let applier = Applier(options: try run.planOptions(), now: run.now, idSeed: run.idSeed)
    let input = try run.readManifests()
    let file = try run.planFileToSave(besides: input.files)
    let state = try run.openForReading()
    let loaded = try run.load(input, with: applier, from: state.store)
    let plan = try run.plan(input, with: applier, on: loaded)
    var sections =
      [run.section(plan, of: input.files, failsOnChange: run.arguments.flag("exit-code"))] + .guards(applier.options)
    if let file, !plan.isBlocked {
      let saved = SavedPlan(plan, options: applier.options, on: loaded.snapshot) { input.files.path(of: $0) }
      sections.append(try run.save(saved, to: file))
    }
    try run.deliver(Report(command: run.command, result: ReportResult(of: plan), sections: sections))
    if plan.isBlocked {
      var failure = run.refusal(plan.refusals, of: "the plan")
      if let file { failure.next.append("No plan was saved as '\(file.path)'.") }
      throw failure
    }
    let differs = plan.counts.pending + plan.counts.drift > 0
    return differs && run.arguments.flag("exit-code") ? .differs : .done
  }
}

extension OptionSpec {
  static let planDetail = value(
    "detail", "LEVEL", choices: PlanDetail.allCases.map { Choice($0.rawValue, $0.summary) }, default: "changes",
    "How much of the plan is told.")
}

extension PlanDetail {
  fileprivate var summary: String {
    switch self {
    case .summary: "Counts for each server."
    case .changes: "A line for each change, of long runs of the same kind the first ones."
    case .full: "A line for each change, with all values, settings and unmanaged members."
    }
  }
}

extension ReportResult {
  /// Of a plan that is only shown.
  init(of plan: Plan) {
    if plan.isBlocked {
      self = .refused
    } else {
      self = plan.counts.pending + plan.counts.drift > 0 ? .different : .unchanged
    }
  }
}

extension [ReportSection] {
  /// What a plan may do beyond the guards, where there is any of it.
  static func guards(_ options: PlanOptions) -> [ReportSection] {
    LiftedGuards(options).map { [.guards($0)] } ?? []
  }
}

extension CommandRun {
  func load(_ input: ManifestInput, with applier: Applier, from store: StateStore) throws(Failure) -> Loaded {
    try phase(.loading) { () throws(Failure) in
      let loaded = try onState { () throws(StateError) in try applier.load(for: input.desired, from: store) }
      stopwatch.count(loaded.head.totals.memberships)
      keepUntilExit(loaded)
      return loaded
    }
  }

  /// The plan, which the manifests' own faults keep from being made.
  func plan(_ input: ManifestInput, with applier: Applier, on loaded: Loaded) throws(Failure) -> Plan {
    let plan = try phase(.planning) { () throws(Failure) in
      let plan = applier.plan(input.desired, on: loaded)
      stopwatch.count(plan.outcome.records.count)
      keepUntilExit(plan)
      return plan
    }
    try report(faultsOf: plan, in: input)
    let selection = applier.options.selection
    try requireKnown(unknownHandles(selection, input.desired, loaded.snapshot), input, loaded)
    for selector in idleSelectors(selection, input.desired, loaded.snapshot) {
      warn("'\(selector)' of --only or --exclude fits no server: neither in the manifests nor in the state")
    }
    return plan
  }

  /// A selector that names a server which is nowhere would leave out, or take in, what nobody expects.
  private func requireKnown(_ unknown: [Text], _ input: ManifestInput, _ loaded: Loaded) throws(Failure) {
    guard let handle = unknown.first else { return }
    let known = input.desired.servers.lazy.map(\.handle.string) + loaded.snapshot.handles.keys.lazy.map(\.string)
    let near = nearestName(to: handle.string, among: Array(known).sorted()).map { "did you mean '\($0)'?" }
    throw Failure(
      .refused, "--only and --exclude know no server '\(handle)': neither the manifests nor the state have it",
      next: [near.map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }, "Nothing was done."].compactMap { $0 })
  }

  /// - Parameters:
  ///   - files: what the places of the plan mean.
  ///   - wanted: how much of it is told unless `--detail` says so.
  ///   - failsOnChange: whether there should be no change.
  func section(
    _ plan: Plan, of files: SourceFiles, isApplied: Bool = false, detail wanted: PlanDetail = .changes,
    failsOnChange: Bool = false
  ) -> ReportSection {
    let detail = arguments.value("detail").flatMap(PlanDetail.init) ?? wanted
    return .plan(
      PlanSection(plan, files: files, detail: detail, isApplied: isApplied, failsOnChange: failsOnChange))
  }
}
