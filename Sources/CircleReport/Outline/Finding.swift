import CircleModel
import CirclePlan
import Diagnostics

/// Something wrong or refused, with the place to mend it: what CI systems show beside a line.
struct Finding {
  var severity: Severity
  /// Stable, such as `manifest.unknown-key` or `plan.guard`.
  var code: String
  /// One line, with what anyone gave as it is.
  var message: String
  /// What to do next, a line each.
  var next: [String]
  var place: Place
  /// The column after the last one meant, in code points.
  var end: Int?
  /// Nil where the line can be read again.
  var quote: Quote?
  var notes: [Diagnostic.Note] = []
  /// How many changes it blocks.
  var blocks = 0
  /// Its index among the plan's refusals.
  var refusal: Int?

  init(_ fault: Diagnostic) {
    severity = fault.severity
    code = fault.code
    message = fault.message
    next = fault.help.map { [$0] } ?? []
    place = fault.place
    end = fault.end
    quote = fault.quote
    notes = fault.notes
  }

  init(_ refusal: PlanRefusal, index: Int) {
    severity = .error
    self.refusal = index
    code = "plan.\(refusal.cause.word)"
    message = (refusal.handle.map { "\($0.string): " } ?? "") + refusal.message
    next = refusal.wayOut
    place = refusal.place
    blocks = refusal.changes
  }
}

/// All that a report has found wrong, the most severe first, else in the order in which people read it.
struct Findings {
  var items: [Finding] = []
  /// All there are, also those not kept.
  var errors = 0
  var warnings = 0
  /// What the places mean.
  var files = SourceFiles()
  /// What went wrong at no place of the input.
  var failures: [String] = []

  init(_ report: borrowing Report) {
    for section in report.sections {
      switch section {
      case .faults(let list):
        files = list.files
        items += list.diagnostics.map { Finding($0) }
        errors += list.errors
        warnings += list.warnings
      case .plan(let section):
        files = section.files
        items += section.plan.refusals.enumerated().map { Finding($0.element, index: $0.offset) }
        errors += section.plan.refusals.count
      case .verification(let verification): failures += verification.faults
      case .message(let text):
        if report.result.isFailure { failures.append(text) }
      default: break
      }
    }
    let ranked = items.enumerated().sorted {
      $0.element.severity != $1.element.severity
        ? $0.element.severity > $1.element.severity : $0.offset < $1.offset
    }
    items = ranked.map(\.element)
    errors += failures.count
  }

  /// `path:line:column`, as much of it as is known.
  func position(of place: Place) -> String? {
    guard place.isKnown else { return nil }
    var text = files.path(of: place.file)
    if place.line > 0 { text += ":\(place.line)" }
    if place.line > 0, place.column > 0 { text += ":\(place.column)" }
    return text
  }
}
