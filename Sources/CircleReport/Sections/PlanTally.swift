import CircleModel
import CirclePlan

/// How many changes of each action a plan would run, or how many of one server's.
struct PlanTally: Equatable {
  var create = 0
  var update = 0
  var delete = 0
  /// Of these.
  var drift = 0
  /// Refused, in none of the above.
  var blocked = 0

  var isEmpty: Bool { create + update + delete + blocked == 0 }

  /// Unmanaged things are no change, so they are left out.
  mutating func add(_ change: Change) {
    switch change.kind {
    case .unmanaged: return
    case .blocked:
      blocked += 1
      return
    case .drift: drift += 1
    case .pending: break
    }
    switch change.action {
    case .create: create += 1
    case .update: update += 1
    case .delete: delete += 1
    }
  }

  init() {}

  init(_ plan: Plan) {
    for change in plan.changes { add(change) }
  }

  /// Of the users, not of the rows that are about them.
  init(_ summary: ImportSummary) {
    create = summary.new
    update = summary.changed
  }

  /// Of all that a report tells.
  init(_ report: borrowing Report) {
    for section in report.sections {
      switch section {
      case .plan(let section): self = PlanTally(section.plan)
      case .imported(let summary) where summary.isOfUsers: self = PlanTally(summary)
      default: break
      }
    }
  }
}
