package import CircleModel
import Diagnostics

/// Compares what manifests ask for with what is, and decides what an apply would do.
///
/// Pure: the same input gives the same plan, whatever the order in which the manifests are written. Linear in the
/// lists and members compared, but for sorting what differs.
/// - Parameters:
///   - actual: loaded by `scope(of:options:)` after it took the manifests' names, so that users have the same indices
///     in both; one without any users is taken for an empty state.
///   - context: of an apply.
package func plan(
  desired: DesiredState, actual: Snapshot, options: PlanOptions, context: RunContext
) -> Plan {
  var actual = actual
  if actual.users.isEmpty { actual.adopt(desired.names) }
  var planner = Planner(desired, actual, options, context)
  planner.run()
  return planner.plan
}

/// What became of one operation.
enum Verdict {
  /// Index of its record.
  case done(Int32)
  /// It would change nothing.
  case nothing
  /// Index of the refusal.
  case blocked(Int32)
}

/// One plan in the making: each operation is decided on the state that its predecessors left.
struct Planner {
  let desired: DesiredState
  let actual: Snapshot
  let options: PlanOptions
  var plan: Plan
  /// Those of the manifests, by the handle before the plan.
  var diffs = ContiguousArray<ServerDiff>()
  /// Users whom the plan would have registered, if that had been chosen.
  var unregistered: Set<UserIndex> = []
  /// Handles that would have become free.
  var heldHandles: Set<Text> = []

  init(_ desired: DesiredState, _ actual: Snapshot, _ options: PlanOptions, _ context: RunContext) {
    self.desired = desired
    self.actual = actual
    self.options = options
    plan = Plan(stack: options.stack, context: context, result: actual)
  }

  mutating func run() {
    let matching = ServerMatching(desired, actual, stack: options.stack)
    let unknown = UnknownUsers(desired, actual)
    plan.faults = matching.faults + (options.register ? [] : unknown.faults())
    guard plan.faults.isEmpty else {
      plan.faults.sort { $0.place < $1.place }
      return
    }
    let users = UserDiff(desired, actual, newcomers: options.register ? unknown.users : [])
    let unclaimed = actual.servers.indices.filter { matching.claimants[$0] < 0 && !actual.servers[$0].isDestroyed }
      .map { ServerIndex($0) }
    diffs.reserveCapacity(matching.matches.count)
    for match in matching.matches {
      diffs.append(ServerDiff(match, desired.servers[match.position], in: actual))
      if !options.selection.isEverything { diffs[diffs.count - 1].prepareSelection(in: actual) }
    }
    let steps = diffs.reduce(0) { $0 + $1.membership.stepCount }
    sortUsers(steps)
    reserve(users: users.steps.count, steps: steps)
    decideAll(users, unclaimed: unclaimed)
    noteUnmanaged(unclaimed)
    plan.guardSets(from: actual, options)
    if options.prune { noteLookalikes() }
  }

  /// Room for what will be decided, so that a million records are not moved about while they grow.
  private mutating func reserve(users: Int, steps: Int) {
    // A server is created, changed, marked and settled at the most; its tags and attributes are few.
    plan.outcome.records.reserveCapacity(users + steps + 4 * diffs.count)
    plan.changes.reserveCapacity(users + steps + 2 * diffs.count)
    plan.outcome.details.reserveCapacity(users + 4 * diffs.count)
  }

  private mutating func sortUsers(_ steps: Int) {
    guard steps > 0 else { return }
    let order = UserOrder(actual.names, for: steps)
    for position in diffs.indices where diffs[position].membership.stepCount > 0 {
      diffs[position].membership.sort(by: order)
    }
  }

  mutating func perform(_ operation: Operation, _ origin: Origin, for handle: Text?, on server: ServerIndex) -> Verdict
  {
    plan.perform(operation, origin, for: handle, on: server)
  }

  mutating func refuse(_ refusal: PlanRefusal) -> Int32 { plan.refuse(refusal) }

  /// Sees that so many changes and texts find room.
  mutating func reserve(_ changes: Int, texts: Int) {
    plan.changes.reserveCapacity(changes)
    plan.texts.reserveCapacity(texts)
  }

  mutating func add(_ change: Change, _ verdict: Verdict, text: ChangeText? = nil) {
    plan.add(change, verdict, text: text)
  }
}

extension Plan {
  /// Decides the operation and carries it out in the working snapshot, or notes why it is refused.
  mutating func perform(_ operation: Operation, _ origin: Origin, for handle: Text?, on server: ServerIndex) -> Verdict
  {
    let first = outcome.records.count
    do {
      try decide(operation, by: .administrator, from: origin, in: result, context: &context, into: &outcome)
    } catch {
      let message = error.reason
      let wayOut = error.wayOut(of: operation.kind)
      return .blocked(
        refuse(
          PlanRefusal(
            .operation(operation.kind, error), handle: handle, server: server, at: origin.place, message,
            wayOut: wayOut)))
    }
    guard outcome.records.count > first else { return .nothing }
    for position in first..<outcome.records.count {
      result.apply(outcome.records[position], of: outcome, in: context)
    }
    return .done(Int32(truncatingIfNeeded: first))
  }

  /// Adds the line of a diff that the operation stands for; one that changes nothing is none.
  mutating func add(_ change: Change, _ verdict: Verdict, text: ChangeText? = nil) {
    var change = change
    switch verdict {
    case .nothing: return
    case .done(let record): change.record = record
    case .blocked(let refusal): block(&change, by: refusal)
    }
    if let text {
      change.text = Int32(truncatingIfNeeded: texts.count)
      texts.append(text)
    }
    counts[change.kind] += 1
    changes.append(change)
  }
}

extension ChangeCounts {
  subscript(_ kind: Change.Kind) -> Int {
    get {
      switch kind {
      case .pending: pending
      case .drift: drift
      case .unmanaged: unmanaged
      case .blocked: blocked
      }
    }
    set {
      switch kind {
      case .pending: pending = newValue
      case .drift: drift = newValue
      case .unmanaged: unmanaged = newValue
      case .blocked: blocked = newValue
      }
    }
  }
}
