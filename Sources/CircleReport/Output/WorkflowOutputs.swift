import CirclePlan

/// What a GitHub workflow gets of a report beside its annotations: outputs for later steps, and the step's summary.
package struct WorkflowOutputs {
  /// In the form of `GITHUB_OUTPUT`, to be appended to it.
  package let outputs: String
  private let report: Report

  /// The most that GitHub takes of a step's summary, in bytes.
  package static let largestSummary = 1 << 20

  /// - Parameter mark: what ends each value: nobody may be able to guess it.
  package init(of report: Report, mark: String) throws(RenderError) {
    self.report = report
    let summary = try ReportSummary(report)
    let (tally, counts) = (summary.tally, summary.counts)
    let values: [(key: String, value: String)] = [
      ("result", report.result.rawValue), ("has_changes", summary.hasChanges ? "true" : "false"),
      ("create", "\(tally.create)"), ("update", "\(tally.update)"), ("delete", "\(tally.delete)"),
      ("pending", "\(counts.pending)"), ("drift", "\(counts.drift)"), ("unmanaged", "\(counts.unmanaged)"),
      ("blocked", "\(counts.blocked)"), ("errors", "\(summary.errors)"), ("warnings", "\(summary.warnings)"),
      ("events", "\(summary.events)"),
    ]
    outputs = values.map { "\($0.key)<<\(mark)\n\($0.value)\n\(mark)\n" }.joined()
  }

  /// The report as Markdown, to be appended to the step's summary.
  ///
  /// - Parameter size: how many bytes the summary has already; empty where hardly any are left.
  package func summary(after size: Int) throws(RenderError) -> String {
    let room = Self.largestSummary - size
    guard room > 1 << 15 else { return "" }
    return try MarkdownRenderer(limit: .bytes(room)).page(of: report).text + "\n"
  }
}
