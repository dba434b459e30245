import CircleReport
import CircleState

/// One thing that was looked at.
struct Check {
  enum Area: String {
    case libraries, configuration, state, lock, references, log, clock
  }

  enum Result: String {
    case ok
    /// Works, but somebody should look at it.
    case warning
    case fault
  }

  var result: Result
  var area: Area
  var what: String
  /// What was found, without a full stop.
  var found: String
  /// What to do, a sentence each.
  var next: [String] = []
  /// With which code a fault ends the command.
  var kind = Failure.Kind.failed
}

/// What is looked at, one after the other; nothing that is wrong ends it.
struct Checkup {
  private(set) var checks: [Check] = []

  mutating func ok(_ area: Check.Area, _ what: String, _ found: String) {
    checks.append(Check(result: .ok, area: area, what: what, found: found))
  }

  mutating func warn(_ area: Check.Area, _ what: String, _ found: String, _ next: String...) {
    checks.append(Check(result: .warning, area: area, what: what, found: found, next: next))
  }

  mutating func fail(
    _ area: Check.Area, _ what: String, _ found: String, next: [String], kind: Failure.Kind = .failed
  ) {
    checks.append(Check(result: .fault, area: area, what: what, found: found, next: next, kind: kind))
  }

  func count(_ result: Check.Result) -> Int { checks.count { $0.result == result } }

  /// With which code the faults end the command: what is damaged counts more than what is written wrong.
  var kind: Failure.Kind? {
    let kinds = checks.filter { $0.result == .fault }.map(\.kind)
    return kinds.contains(.failed) ? .failed : kinds.first
  }

  /// In the order in which they were made.
  var list: RecordList {
    RecordList(
      "check", "checks",
      [
        .init("result", "result"), .init("area", "area"), .init("what", "what"), .init("found", "found"),
        .init("next", "what to do"),
      ],
      rows: checks.map { check in
        [
          .text(check.result.rawValue), .text(check.area.rawValue), .text(check.what), .text(check.found),
          check.next.isEmpty ? .none : .texts(check.next),
        ]
      }, form: .findings)
  }
}
