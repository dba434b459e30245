import Diagnostics

/// The kinds of fault in what providers give and in the file that lists them, each with the code that programs match on.
enum ProviderFault: String, CaseIterable {
  case unreadableFile = "provider.unreadable-file"
  case syntax = "provider.syntax"
  case wrongType = "provider.wrong-type"
  case missingUserID = "provider.missing-user-id"
  case invalidValue = "provider.invalid-value"
  case unknownColumn = "provider.unknown-column"
  case repeatedUser = "provider.repeated-user"
  case configuration = "provider.configuration"

  /// What the code means, for the reference.
  var sentence: String {
    switch self {
    case .unreadableFile: "The file of a provider cannot be read."
    case .syntax: "A file or an answer is no CSV or JSON, or is too long; nothing of it is used."
    case .wrongType: "A value is of another kind than the one expected, a list for a text for instance."
    case .missingUserID: "A record has no `userId`, or one that breaks the rule; it is passed over."
    case .invalidValue: "A value breaks its rule; it is dropped, and the rest of the user is used."
    case .unknownColumn: "The name of a column is no field of a user; the column is passed over."
    case .repeatedUser: "A file has a user twice; the first record counts."
    case .configuration: "The file that lists the providers is damaged."
    }
  }

  func error(_ message: String, at place: Place, help: String? = nil) -> Diagnostic {
    .error(rawValue, message, at: place, help: help)
  }

  func warning(_ message: String, at place: Place, help: String? = nil) -> Diagnostic {
    .warning(rawValue, message, at: place, help: help)
  }
}

/// A code and what it means, for the reference of all diagnostics.
package struct ProviderDiagnostic: Sendable {
  package let code: String
  package let sentence: String

  /// All that reading from providers can report.
  package static let all: [ProviderDiagnostic] = ProviderFault.allCases.map {
    ProviderDiagnostic(code: $0.rawValue, sentence: $0.sentence)
  }
}
