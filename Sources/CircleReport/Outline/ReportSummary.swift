import CirclePlan
import CircleState

/// What a report says, in numbers.
struct ReportSummary {
  var tally = PlanTally()
  var counts = ChangeCounts()
  var errors = 0
  var warnings = 0
  var events = 0
  var hasPlan = false

  init(_ report: borrowing Report) throws(RenderError) {
    tally = PlanTally(report)
    for section in report.sections {
      switch section {
      case .plan(let section):
        hasPlan = true
        counts = section.plan.counts
      case .imported(let summary) where summary.isOfUsers: counts.pending = tally.create + tally.update
      case .faults(let list):
        errors += list.errors
        warnings += list.warnings
      case .events(let section): events += try EventTally(section).total
      default: break
      }
    }
  }

  /// Whether something was changed, or would be.
  var hasChanges: Bool { tally.create + tally.update + tally.delete > 0 }
}

extension ReportResult {
  /// Whether the run did not do what it was asked for.
  var isFailure: Bool {
    switch self {
    case .done, .unchanged, .different: false
    case .partial, .refused, .stale, .locked, .badInput, .wrongUsage, .failed, .interrupted: true
    }
  }

  /// Two or three words for people.
  var title: String {
    switch self {
    case .done: "done"
    case .partial: "done in part"
    case .unchanged: "nothing changes"
    case .different: "differences found"
    case .refused: "refused"
    case .stale: "stale"
    case .locked: "locked"
    case .badInput: "faults in the input"
    case .wrongUsage: "wrong usage"
    case .failed: "failed"
    case .interrupted: "interrupted"
    }
  }
}
