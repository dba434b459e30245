/// One of the values that an option or argument with a closed set of values takes.
package struct Choice: Sendable, Equatable {
  /// As typed.
  package let value: String
  /// A sentence for help and the reference; empty when the value speaks for itself.
  package let summary: String

  package init(_ value: String, _ summary: String = "") {
    self.value = value
    self.summary = summary
  }
}

/// What a shell may offer where a value is expected; values with choices are completed from those instead.
package enum CompletionHint: Sendable, Equatable {
  case none
  case files
  case folders
  /// A kind the program itself looks up, such as "server" or "user".
  case kind(String)
}

/// Whether folds over the tree and suggestions show a command or an option; parsing takes the hidden ones too.
package enum Visibility: Sendable, Equatable {
  case shown
  case hidden
}
