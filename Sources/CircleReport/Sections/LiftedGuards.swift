import CircleModel
package import CirclePlan
import CircleState

/// What a plan or a run may do beyond the guards' own ceilings, and why.
package struct LiftedGuards: Sendable {
  /// As `--allow` takes them.
  var allowances: [String]
  /// What `--max-removals` says, where that is not the default.
  var ceiling: String?
  var reason: String?

  /// - Returns: nil where all guards stand as they are by default and no reason is given.
  package init?(_ options: PlanOptions) {
    self.init(options.allow.map(\.text), options.maxRemovals.text, options.reason?.string)
  }

  init?(_ run: Run) {
    self.init(run.request.allowances, run.request.maxRemovals, run.request.reason)
  }

  private init?(_ allowances: [String], _ ceiling: String?, _ reason: String?) {
    self.allowances = allowances
    self.ceiling = ceiling == PlanOptions().maxRemovals.text ? nil : ceiling
    self.reason = reason
    if allowances.isEmpty, self.ceiling == nil, reason == nil { return nil }
  }

  /// One line, with what anyone gave as it is.
  var sentence: String {
    var lifted: [String] = []
    if !allowances.isEmpty { lifted.append("allowed \(enumerated(allowances))") }
    if let ceiling { lifted.append("removals up to \(ceiling)") }
    let guards = lifted.joined(separator: ", ")
    guard let reason else { return "Guards: \(guards)" }
    return guards.isEmpty ? "Reason: \(reason)" : "Reason: \(reason) (\(guards))"
  }
}

extension Report {
  /// What the plan or the run that it tells of may do beyond the guards.
  var liftedGuards: LiftedGuards? {
    for section in sections {
      switch section {
      case .guards(let guards): return guards
      case .run(let run): return LiftedGuards(run)
      default: break
      }
    }
    return nil
  }
}
