import CircleKit
import CirclePlan
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// One run of a plan, from its making to the report: an apply of manifests or of a saved plan, or an undo.
struct Application {
  /// What a person reads of it.
  struct Words {
    /// With a question mark.
    var question: String
    var declined = "not applied: the answer was no"
    var help = "--yes applies without asking; --dry-run shows the plan."
    /// As the history calls it.
    var command: String
  }

  /// A plan on what was loaded, with what the report says beside it.
  struct Planned {
    var loaded: Loaded
    var plan: Plan
    var remarks: [ReportSection] = []
  }

  let run: CommandRun
  let applier: Applier
  let words: Words
  /// What the places of the plan mean.
  let files: SourceFiles
  /// Whether it is the same plan on whatever state, or else none.
  let isSaved: Bool
  /// Loads and plans.
  let plan: (StateStore) throws(Failure) -> Planned

  init(_ run: CommandRun, _ input: ManifestInput, _ applier: Applier) {
    self.run = run
    self.applier = applier
    files = input.files
    isSaved = false
    words = Words(applyingTo: run)
    plan = { (store) throws(Failure) in
      let loaded = try run.load(input, with: applier, from: store)
      return Planned(loaded: loaded, plan: try run.plan(input, with: applier, on: loaded))
    }
  }

  init(_ run: CommandRun, _ saved: SavedPlanInput) {
    self.run = run
    let applier = Applier(options: saved.options, now: run.now, idSeed: run.idSeed)
    self.applier = applier
    files = saved.files
    isSaved = true
    words = Words(applyingTo: run)
    plan = { (store) throws(Failure) in
      let (loaded, plan) = try run.replay(saved, with: applier, from: store)
      return Planned(loaded: loaded, plan: plan)
    }
  }

  /// - Parameter plan: loads and plans.
  init(_ run: CommandRun, _ applier: Applier, _ words: Words, plan: @escaping (StateStore) throws(Failure) -> Planned) {
    self.run = run
    self.applier = applier
    self.words = words
    self.plan = plan
    files = SourceFiles()
    isSaved = false
  }

  /// What `--dry-run` and `--yes` say.
  func perform() throws(Failure) -> ExitStatus {
    if run.arguments.flag("dry-run") { return try show() }
    return try carryOut(asks: !run.arguments.flag("yes"))
  }

  /// `--dry-run`: the plan alone.
  private func show() throws(Failure) -> ExitStatus {
    let state = try run.openForReading()
    let planned = try plan(state.store)
    try refuse(planned)
    try run.deliver(
      Report(command: run.command, result: ReportResult(of: planned.plan), sections: sections(planned)))
    return .done
  }

  private func sections(_ planned: Planned) -> [ReportSection] {
    [run.section(planned.plan, of: files)] + .guards(applier.options) + planned.remarks
  }

  /// Plans without the lock, so that a run that has nothing to write, or may not, leaves the state untouched. If the
  /// state has moved when the lock is held, what nobody was asked about is planned anew; what a person agreed to is
  /// stale, unless it is a saved plan, which can only be the same.
  private func carryOut(asks: Bool) throws(Failure) -> ExitStatus {
    let state = try run.existingState()
    let first = try plan(state.store)
    let loaded = first.loaded
    if !first.plan.isBlocked, !first.plan.isEmpty { run.checkTime(against: loaded.head) }
    guard try isWorthWriting(first, asks: asks) else { return .done }
    let store = try run.openForWriting()
    return try run.holdingLock(of: store) { () throws(Failure) in
      let head = try run.onState { () throws(StateError) in try store.head() }
      guard head.revision != loaded.head.revision, isSaved || !asks else {
        return try commit(first, to: store, wasAsked: asks)
      }
      run.detail("the state moved to revision \(head.revision) in the meantime; planning again")
      let second = try plan(store)
      guard try isWorthWriting(second, asks: false) else { return .done }
      return try commit(second, to: store, wasAsked: false)
    }
  }

  // MARK: Between plan and commit

  /// Whether the plan is to be carried out; if not, what there is to say has been said.
  private func isWorthWriting(_ planned: Planned, asks: Bool) throws(Failure) -> Bool {
    try refuse(planned)
    if planned.plan.isEmpty {
      try run.deliver(Report(command: run.command, result: .unchanged, sections: sections(planned)))
      return false
    }
    if asks, !planned.plan.isBookkeepingOnly { try ask(planned) }
    return true
  }

  private func refuse(_ planned: Planned) throws(Failure) {
    guard planned.plan.isBlocked else { return }
    try run.deliver(Report(command: run.command, result: .refused, sections: sections(planned)))
    throw run.refusal(planned.plan.refusals, of: "the plan")
  }

  private func ask(_ planned: Planned) throws(Failure) {
    guard run.canAsk else {
      throw Failure(.usage, "there is no terminal to ask at, so nothing was done", next: [words.help])
    }
    try run.show(Report(command: run.command, result: .different, sections: sections(planned)))
    guard try run.agrees(to: words.question) else {
      throw Failure(.refused, words.declined, next: ["Nothing was written."])
    }
  }

  private func commit(_ planned: Planned, to store: StateStore, wasAsked: Bool) throws(Failure) -> ExitStatus {
    let plan = planned.plan
    let written = try run.phase(.writing) { () throws(Failure) in
      let written = try run.onState { () throws(StateError) in
        try applier.commit(
          plan, on: planned.loaded, to: store, command: words.command, writer: run.writer,
          path: { files.path(of: $0) })
      }
      run.noteWritten(to: store)
      run.stopwatch.count(written.recordCount)
      return written
    }
    func report(_ detail: PlanDetail) -> Report {
      Report(
        command: run.command, result: plan.isBookkeepingOnly ? .unchanged : .done,
        sections: [run.section(plan, of: files, isApplied: true, detail: detail)] + planned.remarks
          + [.run(written), .events(EventsSection(ofRun: written, in: store))])
    }
    // Who has just read the plan at this very terminal need not read it again.
    let wasShown = wasAsked && !plan.isBookkeepingOnly && run.context.isTerminal(run.context.output)
    try run.deliver(report(.changes), shown: wasShown ? report(.summary) : nil, after: written)
    return .done
  }
}

extension Application.Words {
  init(applyingTo run: CommandRun) {
    question = "Apply these changes to '\(run.options.state.path)'?"
    command = run.command
  }
}
