/// In which form a report is written.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// One versioned document.
  case json
  /// One record a line, streamed.
  case ndjson
  /// For a pull request or a job's summary.
  case markdown
  /// One page that needs nothing else.
  case html
  /// Test cases, as CI systems show them.
  case junit
  /// Faults and refusals, as code scanning shows them.
  case sarif
  /// Annotations of a GitHub workflow.
  case github
  /// Counts for GitLab's widget of plans.
  case gitlab
  /// Events as CloudEvents, one a line.
  case cloudevents

  /// Whether standard output holds the report alone, so that it stands there also when the command fails.
  package var isForMachines: Bool { self != .text }

  /// Whether it may go on without end.
  package var isStreamed: Bool {
    switch self {
    case .text, .ndjson, .cloudevents: true
    case .json, .markdown, .html, .junit, .sarif, .github, .gitlab: false
    }
  }

  /// A sentence for help, without a full stop.
  package var summary: String {
    switch self {
    case .text: "for people, aligned, in colour on a terminal"
    case .json: "one JSON document"
    case .ndjson: "one JSON record a line"
    case .markdown: "Markdown for a pull request or a job's summary"
    case .html: "one HTML page that needs nothing else"
    case .junit: "JUnit XML, what is wrong or refused as failed test cases"
    case .sarif: "SARIF 2.1.0, what is wrong or refused as results"
    case .github: "annotations of a GitHub workflow, with its outputs and its step summary"
    case .gitlab: "the counts for GitLab's widget of plans"
    case .cloudevents: "events as CloudEvents 1.0, one a line"
    }
  }
}
