import CircleKit
import CircleReport
import CircleState
import CommandTree

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
      .yes, .dryRun, .planDetail,
      .value("digest", "DIGEST", "Carry out a saved plan only if this is its digest."),
    ],
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    if let saved = try run.savedPlanNamed() { return try Application(run, saved).perform() }
    guard run.arguments.value("digest") == nil else {
      throw Failure(.usage, "--digest is of a saved plan, and what is named are manifests")
    }
    let applier = Applier(options: try run.planOptions(), now: run.now, idSeed: run.idSeed)
    return try Application(run, try run.readManifests(), applier).perform()
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
