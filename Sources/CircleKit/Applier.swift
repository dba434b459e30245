package import CircleModel
package import CirclePlan
package import CircleState
package import Diagnostics

/// Brings a state to what manifests ask for, or back to what it was: load, plan, commit. All that it reads or writes
/// goes through the store.
package struct Applier: Sendable {
  package var options: PlanOptions
  /// Of the runs that it writes: applies or undos.
  package var kind: RunKind
  /// The run's clock, Unix milliseconds; a run is never earlier than the log's last.
  package var now: Int64
  /// From which the ids of new servers and tags are made.
  package var idSeed: [UInt8]

  package init(options: PlanOptions, kind: RunKind = .apply, now: Int64, idSeed: [UInt8]) {
    self.options = options
    self.kind = kind
    self.now = now
    self.idSeed = idSeed
  }

  /// The part of the state that bears on the manifests.
  package func load(for desired: DesiredState, from store: StateStore) throws(StateError) -> Loaded {
    try store.load(scope(of: desired, options: options), names: desired.names)
  }

  /// The part of the state that bears on a saved plan.
  package func load(for saved: SavedPlan, from store: StateStore) throws(StateError) -> Loaded {
    try store.load(saved.scope, names: saved.plan.result.names)
  }

  /// What an apply would do, decided to the end.
  package func plan(_ desired: DesiredState, on loaded: Loaded) -> Plan {
    CirclePlan.plan(desired: desired, actual: loaded.snapshot, options: options, context: context(on: loaded))
  }

  /// What a saved plan would do now, and what it was made on and is no longer so.
  package func replay(_ saved: SavedPlan, on loaded: Loaded) -> PlanReplay {
    PlanReplay(saved, on: loaded.snapshot, options: options, context: context(on: loaded))
  }

  /// The part of the state that bears on a run that is to be taken back.
  package func load(for effect: RunEffect, from store: StateStore) throws(StateError) -> Loaded {
    try store.load(scope(of: effect), names: effect.after.names)
  }

  /// What takes a run back, and what has changed since.
  package func undo(_ effect: RunEffect, on loaded: Loaded) -> UndoPlan {
    UndoPlan(effect, on: loaded.snapshot, options: options, context: context(on: loaded))
  }

  private func context(on loaded: Loaded) -> RunContext {
    RunContext(
      kind: kind, time: max(now, loaded.head.time), ids: IDSource(seed: idSeed, nextSeq: loaded.head.nextSeq))
  }

  /// Writes the plan in one transaction, and gives up the lock with it. The caller has seen that nothing blocks it.
  ///
  /// - Parameters:
  ///   - command: as the history calls it.
  ///   - path: shows an input file, for the places in the log.
  /// - Throws: `.stale` when the state is no longer as it was loaded; nothing is written then.
  package func commit(
    _ plan: Plan, on loaded: Loaded, to store: StateStore, command: String, writer: RunRequest.Writer,
    path: @escaping (FileIndex) -> String
  ) throws(StateError) -> Run {
    let request = RunRequest(
      kind: kind, command: command, stack: plan.stack, reason: options.reason?.string,
      maxRemovals: options.maxRemovals.text, allowances: options.allow.map(\.text), writer: writer)
    return try store.commit(
      plan.outcome, result: plan.result, on: loaded, time: plan.context.time, request: request, path: path)
  }
}
