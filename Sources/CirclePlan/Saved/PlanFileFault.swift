package import Diagnostics

/// What is wrong with a plan file alone, each with the code that programs match on.
enum PlanFileFault: String, CaseIterable {
  case syntax = "plan-file.syntax"
  case version = "plan-file.version"
  case content = "plan-file.content"
  case digest = "plan-file.digest"
  case stale = "plan-file.stale"

  /// What the code means, for the reference.
  var sentence: String {
    switch self {
    case .syntax: "A plan file is no JSON."
    case .version: "A plan file has a version that this program does not read."
    case .content: "A plan file says something that no plan has."
    case .digest: "A plan file was changed after it was saved, or is another one than `--digest` names."
    case .stale: "A plan no longer fits the state: what it was made for has changed."
    }
  }

  func error(_ message: String, at place: Place, help: String? = nil) -> PlanFileError {
    PlanFileError(diagnostic: .error(rawValue, message, at: place, help: help))
  }
}

/// Why a plan file is not taken: bad input, whatever the state.
package struct PlanFileError: Error, Equatable, Sendable {
  package var diagnostic: Diagnostic

  /// That a plan is not the one whose digest is asked for.
  package static func another(_ message: String, at place: Place) -> PlanFileError {
    PlanFileFault.digest.error(message, at: place)
  }
}
