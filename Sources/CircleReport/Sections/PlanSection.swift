package import CirclePlan
package import Diagnostics

/// How much of a plan is told.
package enum PlanDetail: String, CaseIterable, Sendable {
  /// Counts a server.
  case summary
  /// A line a change; of long runs of the same kind in one server the first ones.
  case changes
  /// A line a change, all of them, with values in full.
  case full
}

/// A plan, before or after it ran.
package struct PlanSection: Sendable {
  package var plan: Plan
  /// What the places of the plan mean.
  package var files: SourceFiles
  package var detail: PlanDetail
  /// Whether it was applied: "3 created" instead of "3 to create".
  package var isApplied: Bool
  /// Whether there should be no change, as `--exit-code` asks.
  package var failsOnChange: Bool

  package init(
    _ plan: Plan, files: SourceFiles, detail: PlanDetail = .changes, isApplied: Bool = false,
    failsOnChange: Bool = false
  ) {
    self.plan = plan
    self.files = files
    self.detail = detail
    self.isApplied = isApplied
    self.failsOnChange = failsOnChange
  }
}
