import CircleKit
import CircleModel
import CirclePlan
import CircleReport
import CircleState
import CommandTree

/// `circlectl state undo`: takes a run back.
enum StateUndo {
  static let spec = CommandSpec<Action>(
    "undo", "Take a run back.",
    discussion: """
      What the run changed, and nothing else, becomes what it was before it, by operations in one transaction that have \
      events of their own; the log keeps both. The last run is meant where none is named. Guards, limits and 'protect' \
      hold as in an apply.

      What has been changed again since the run is never overwritten: it is named, and nothing is done (4). What is as \
      it was before already needs nothing.

      Some things can't come back as they were, and the plan says so: a server that was destroyed gets a new id, whoever \
      was removed joins anew, only the owner's invitations can be sent again, and users who were registered stay.
      """,
    examples: [
      Example("circlectl state undo --dry-run", "Shows what would take the last run back."),
      Example("circlectl state undo 12 --yes --reason 'wrong list'", "Takes run 12 back without asking."),
    ],
    arguments: [
      ArgumentSpec("run", cardinality: .optional, "The number of a run, as 'state history' has it.")
    ],
    options: [.yes, .dryRun, .planDetail] + OptionSpec.guards, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    var options = PlanOptions()
    try run.takeGuards(into: &options)
    let number = try runNumber(run)
    let applier = Applier(options: options, kind: .undo, now: run.now, idSeed: run.idSeed)
    let words = Application.Words(
      question: "Take back run \(number) of '\(run.options.state.path)'?",
      declined: "not taken back: the answer was no",
      help: "--yes takes it back without asking; --dry-run shows the plan.", command: "\(run.command) \(number)")
    return try Application(run, applier, words) { (store) throws(Failure) in
      try plan(number, with: applier, from: store, run)
    }.perform()
  }

  /// The run that is named, else the last.
  private static func runNumber(_ run: CommandRun) throws(Failure) -> UInt32 {
    let state = try run.openForReading()
    let last = try run.onState { () throws(StateError) in try state.store.head() }.run
    guard let text = run.arguments.argument("run") else {
      guard last > 0 else { throw Failure(.refused, "there is no run to take back") }
      return last
    }
    guard let number = wholeNumber(text), number > 0 else {
      throw Failure(
        .usage, "'\(text)' is no number of a run", next: ["'circlectl state history' lists the runs by their numbers."])
    }
    guard number <= last else {
      throw Failure(
        .refused, "there is no run \(number): \(last == 0 ? "nothing has run yet" : "the last is \(last)")",
        next: ["'circlectl state history' lists the runs."])
    }
    return UInt32(number)
  }

  private static func plan(
    _ number: UInt32, with applier: Applier, from store: StateStore, _ run: CommandRun
  ) throws(Failure) -> Application.Planned {
    let (effect, loaded) = try run.phase(.loading) { () throws(Failure) in
      try run.onState { () throws(StateError) in
        // What is taken back is what the log tells, so it has to be as it was written.
        if let fault = try store.verifyLog().faults.first { throw .damaged(fault) }
        let effect = try store.effect(ofRun: number)
        return (effect, try effect.map { (effect) throws(StateError) in try applier.load(for: effect, from: store) })
      }
    }
    guard let effect, let loaded else {
      throw Failure(
        .refused, "run \(number) can't be taken back: the log that tells what it did has gone into an archive",
        next: [
          "'circlectl events list --archive FILE' tells what it did; that can be changed by hand, or by manifests."
        ])
    }
    guard effect.kind != .archive else {
      throw Failure(
        .refused, "run \(number) can't be taken back: it moved the beginning of the log into an archive",
        next: ["It changed nothing else; 'circlectl state history' lists the runs before it."])
    }
    let undo = try run.phase(.planning) { () throws(Failure) in
      let undo = applier.undo(effect, on: loaded)
      run.stopwatch.count(undo.plan.outcome.records.count)
      return undo
    }
    if let first = undo.stale.first { throw stale(first, undo.stale.dropFirst(), number) }
    return Application.Planned(
      loaded: loaded, plan: undo.plan, remarks: undo.remarks.isEmpty ? [] : [.records(RecordList(undo.remarks))])
  }

  private static func stale(_ first: StaleValue, _ others: ArraySlice<StaleValue>, _ number: UInt32) -> Failure {
    let shown = 9
    var next = others.prefix(shown).map { "Also: \($0.message)." }
    if others.count > shown { next.append("And \(grouped(others.count - shown)) more.") }
    return Failure(
      .stale, "run \(number) can't be taken back: \(first.message)",
      next: next + ["Nothing was written; taking back the later runs first, latest first, leads there."])
  }
}

extension RecordList {
  /// What of a run can't be taken back exactly.
  fileprivate init(_ remarks: [UndoRemark]) {
    self.init(
      "notRestored", "notRestored",
      [.init("server", "server"), .init("user", "user"), .init("message", "what can't be as it was")],
      rows: remarks.map { [.init($0.server?.string), .init($0.user?.string), .text($0.message)] })
  }
}
