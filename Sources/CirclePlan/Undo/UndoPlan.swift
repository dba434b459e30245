package import CircleModel

/// Something of a run that can't be taken back exactly, or not at all.
package struct UndoRemark: Equatable, Sendable {
  /// The handle that the server has after the undo; nil for what concerns users only.
  package var server: Text?
  /// Nil where it is about no single user.
  package var user: Text?
  /// One sentence without a full stop.
  package var message: String
}

/// What takes a run back, decided to the end.
package struct UndoPlan: Sendable {
  /// The inverse operations and no others.
  package internal(set) var plan: Plan
  /// What has changed since the run, so that taking it back would overwrite a later change; empty where nothing has.
  package internal(set) var stale: [StaleValue] = []
  package internal(set) var remarks: [UndoRemark] = []

  /// Plans the way back from what a run left to what it found, for all that the run changed and nothing else.
  ///
  /// What is already as it was before the run needs nothing. What is neither as before nor as the run left it is stale.
  /// - Parameters:
  ///   - actual: loaded by `scope(of:)` after it took the names of `effect.after`, so that users have the same indices.
  ///   - options: guards and reason.
  ///   - context: of an undo.
  package init(_ effect: RunEffect, on actual: Snapshot, options: PlanOptions, context: RunContext) {
    let touched = effect.servers.first { effect.after[$0].stack != nil }
    let stack = effect.stack ?? touched.flatMap { effect.after[$0].stack } ?? options.stack
    var planner = UndoPlanner(effect, actual, Plan(stack: stack, context: context, result: actual))
    planner.run(options)
    plan = planner.plan
    stale = planner.stale
    remarks = planner.remarks
  }
}

/// What of a state an undo reads: the rows of all servers, and all of those that the run touched.
package func scope(of effect: RunEffect) -> Scope {
  Scope(
    servers: effect.servers.map { effect.after[$0].id }, everyServer: true, members: .all, userDetails: true)
}
