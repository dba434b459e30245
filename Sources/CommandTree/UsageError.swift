import Diagnostics

/// A command line that can't be run as written; programs end with their exit code for wrong usage.
package struct UsageError: Error, Equatable, Sendable {
  /// What is wrong, without a full stop. Never holds an option's value, which may be a secret, unless its values are
  /// a closed set; other words of the command line are quoted with control characters escaped.
  package let message: String
  /// The word or words that were probably meant, as they would be typed.
  package let suggestion: String?
  /// The command whose help says more; empty for the root.
  package let path: [String]
  /// Whether the help of that command is the best answer, as for a group without subcommand.
  package let showsHelp: Bool

  package init(_ message: String, suggestion: String? = nil, path: [String], showsHelp: Bool = false) {
    self.message = message
    self.suggestion = suggestion
    self.path = path
    self.showsHelp = showsHelp
  }

  /// The message with the suggestion: `unknown command 'aply'; did you mean 'apply'?`.
  package var text: String {
    suggestion.map { "\(message); did you mean '\($0)'?" } ?? message
  }

  /// The command to type to read more: `circlectl help apply`.
  package func helpCommand(program: String) -> String {
    ([program, "help"] + path).joined(separator: " ")
  }
}

/// A word of the command line in quotes, fit for a terminal: controls escaped, what is very long cut.
func quoted(_ word: some StringProtocol) -> String {
  let limit = 80
  let scalars = word.unicodeScalars
  let isLong = scalars.dropFirst(limit).first != nil
  return "'" + terminalSafe(String(String.UnicodeScalarView(scalars.prefix(limit)))) + (isLong ? "…'" : "'")
}
