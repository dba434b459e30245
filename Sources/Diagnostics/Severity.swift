/// How grave a diagnostic is: a note only explains, a warning lets the run go on, an error stops it.
package enum Severity: UInt8, Sendable, CaseIterable, Comparable {
  case note
  case warning
  case error

  /// The word that people read, in the singular.
  package var word: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }

  package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
}
