import CircleKit
import CirclePlan
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// `circlectl apply`: brings the state to what the manifests ask for, in one transaction.
enum Apply {
  static let spec = CommandSpec<Action>(
    "apply", "Bring the state to what manifests ask for, or carry out a saved plan.",
    discussion: """
      All that has to be done happens in one transaction, or nothing does. Without --yes a person at the terminal is \
      shown the plan and asked; without a terminal nothing is done then. A plan that a rule or a guard refuses is never \
      carried out, not even in part; one without any change needs no answer.

      A plan that 'circlectl diff --save' wrote runs exactly as it was reviewed, or not at all: when a value that it \
      changes is no longer what it was made on, it is stale (4). Changes elsewhere don't matter. With a plan only \
      --allow, --reason, --digest and what asks or shows may be given.
      """,
    examples: [
      Example("circlectl apply manifests", "Shows a person what would be done, and asks."),
      Example("circlectl apply manifests --yes -o json", "Does it at once and writes the report as JSON."),
      Example("circlectl apply plan.json --yes --digest DIGEST", "Carries out the plan that was reviewed."),
    ],
    arguments: [.manifestsOrPlan],
    options: OptionSpec.planning + [
      .flag("yes", short: "y", "Do it without asking."),
      .flag("dry-run", "Show the plan and write nothing."), .planDetail,
      .value("digest", "DIGEST", "Carry out a saved plan only if this is its digest."),
    ],
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let application: Application
    if let saved = try run.savedPlanNamed() {
      application = Application(run, saved)
    } else {
      guard run.arguments.value("digest") == nil else {
        throw Failure(.usage, "--digest is of a saved plan, and what is named are manifests")
      }
      let applier = Applier(options: try run.planOptions(), now: run.now, idSeed: run.idSeed)
      application = Application(run, try run.readManifests(), applier)
    }
    if run.arguments.flag("dry-run") { return try application.show() }
    return try application.carryOut(asks: !run.arguments.flag("yes"))
  }
}

/// One apply, from the manifests or the saved plan that was read to the report.
private struct Application {
  let run: CommandRun
  let applier: Applier
  /// What the places of the plan mean.
  let files: SourceFiles
  /// Whether it is the same plan on whatever state, or else none.
  let isSaved: Bool
  /// What the report says beside the plan.
  let remarks: [ReportSection]
  /// Loads and plans.
  let plan: (StateStore) throws(Failure) -> (loaded: Loaded, plan: Plan)

  init(_ run: CommandRun, _ input: ManifestInput, _ applier: Applier) {
    self.run = run
    self.applier = applier
    files = input.files
    isSaved = false
    remarks = []
    plan = { (store) throws(Failure) in
      let loaded = try run.load(input, with: applier, from: store)
      return (loaded, try run.plan(input, with: applier, on: loaded))
    }
  }

  init(_ run: CommandRun, _ saved: SavedPlanInput) {
    self.run = run
    let applier = Applier(options: saved.options, now: run.now, idSeed: run.idSeed)
    self.applier = applier
    files = saved.files
    isSaved = true
    remarks = saved.remarks
    plan = { (store) throws(Failure) in try run.replay(saved, with: applier, from: store) }
  }

  /// `--dry-run`: the plan alone.
  func show() throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let (_, plan) = try plan(state.store)
    try refuse(plan)
    try run.deliver(
      Report(
        command: run.command, result: ReportResult(of: plan), sections: [run.section(plan, of: files)] + remarks))
    return .done
  }

  /// Plans without the lock, so that a run that has nothing to write, or may not, leaves the state untouched. If the
  /// state has moved when the lock is held, what nobody was asked about is planned anew; what a person agreed to is
  /// stale, unless it is a saved plan, which can only be the same.
  func carryOut(asks: Bool) throws(Failure) -> ExitStatus {
    let state = try run.existingState()
    let (loaded, first) = try plan(state.store)
    if !first.isBlocked, !first.isEmpty { run.checkTime(against: loaded.head) }
    guard try isWorthWriting(first, asks: asks) else { return .done }
    let store = try run.openForWriting()
    return try run.holdingLock(of: store) { () throws(Failure) in
      let head = try run.onState { () throws(StateError) in try store.head() }
      guard head.revision != loaded.head.revision, isSaved || !asks else {
        return try commit(first, on: loaded, to: store, wasAsked: asks)
      }
      run.detail("the state moved to revision \(head.revision) in the meantime; planning again")
      let (loaded, plan) = try plan(store)
      guard try isWorthWriting(plan, asks: false) else { return .done }
      return try commit(plan, on: loaded, to: store, wasAsked: false)
    }
  }

  // MARK: Between plan and commit

  /// Whether the plan is to be carried out; if not, what there is to say has been said.
  private func isWorthWriting(_ plan: Plan, asks: Bool) throws(Failure) -> Bool {
    try refuse(plan)
    if plan.isEmpty {
      try run.deliver(
        Report(command: run.command, result: .unchanged, sections: [run.section(plan, of: files)] + remarks))
      return false
    }
    if asks, !plan.isBookkeepingOnly { try ask(plan) }
    return true
  }

  private func refuse(_ plan: Plan) throws(Failure) {
    guard plan.isBlocked else { return }
    try run.deliver(Report(command: run.command, result: .refused, sections: [run.section(plan, of: files)] + remarks))
    throw run.refusal(plan.refusals, of: "the plan")
  }

  private func ask(_ plan: Plan) throws(Failure) {
    guard run.canAsk else {
      throw Failure(
        .usage, "there is no terminal to ask at, so nothing was done",
        next: ["--yes applies without asking; --dry-run shows the plan."])
    }
    let shown = Report(command: run.command, result: .different, sections: [run.section(plan, of: files)] + remarks)
    try run.show(shown)
    guard try run.agrees(to: "Apply these changes to '\(run.options.state.path)'?") else {
      throw Failure(.refused, "not applied: the answer was no", next: ["Nothing was written."])
    }
  }

  private func commit(
    _ plan: Plan, on loaded: Loaded, to store: StateStore, wasAsked: Bool
  ) throws(Failure) -> ExitStatus {
    // Who has just read the plan at this very terminal need not read it again.
    let wasShown = wasAsked && !plan.isBookkeepingOnly && run.context.isTerminal(run.context.output)
    let written = try run.phase(.writing) { () throws(Failure) in
      let written = try run.onState { () throws(StateError) in
        try applier.commit(
          plan, on: loaded, to: store, command: run.command, writer: run.writer, path: { files.path(of: $0) })
      }
      run.noteWritten(to: store)
      run.stopwatch.count(written.recordCount)
      return written
    }
    let section = run.section(plan, of: files, isApplied: true, detail: wasShown ? .summary : .changes)
    let report = Report(
      command: run.command, result: plan.isBookkeepingOnly ? .unchanged : .done,
      sections: [section] + remarks + [.run(written), .events(EventsSection(ofRun: written, in: store))])
    try run.deliver(report, after: written)
    return .done
  }
}

extension EventsSection {
  /// The events of one run.
  init(ofRun run: Run, in store: StateStore) {
    self.init(.consequence) { (receiver: Receiver) throws(StateError) in
      try store.reading { () throws(StateError) in
        try EventLog(store.rows).forEach(runs: run.number...run.number) { (event, names) throws(StateError) in
          try receiver(event, names, nil)
        }
      }
    }
  }
}
