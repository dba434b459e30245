/// How a run ended, in one word: what a program reads first in a report.
package enum ReportResult: String, CaseIterable, Sendable {
  /// Something was done, or all that was asked for is told.
  case done
  /// Rows of an import were refused and skipped; the others were taken.
  case partial
  /// There was nothing to do.
  case unchanged
  /// A comparison found differences.
  case different
  /// A permission, a limit, a rule or a guard said no.
  case refused
  /// The state moved since the plan was made.
  case stale
  /// Another run holds the lock.
  case locked
  /// The input is wrong.
  case badInput = "bad-input"
  /// The command line is wrong.
  case wrongUsage = "wrong-usage"
  /// The system or the state is at fault.
  case failed
  /// A signal came.
  case interrupted
}

/// What one run has to say, in any format: the same value may be rendered several times.
package struct Report {
  /// The command as its user knows it, such as `apply` or `state info`.
  package var command: String
  package var result: ReportResult
  /// In the order in which a person reads them. At most one of each kind, but for messages, and records under
  /// different keys.
  package var sections: [ReportSection]

  package init(command: String, result: ReportResult, sections: [ReportSection] = []) {
    self.command = command
    self.result = result
    self.sections = sections
  }
}
