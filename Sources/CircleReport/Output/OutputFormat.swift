/// In which form a report is written.
package enum OutputFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// One versioned document.
  case json
  /// One record a line, streamed.
  case ndjson

  /// Whether a program reads it, so that nothing else may stand on the same stream.
  package var isForMachines: Bool { self != .text }

  /// A sentence for help, without a full stop.
  package var summary: String {
    switch self {
    case .text: "for people, aligned, in colour on a terminal"
    case .json: "one JSON document"
    case .ndjson: "one JSON record a line"
    }
  }
}
