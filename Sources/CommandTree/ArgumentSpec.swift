/// An argument of a command: what stands on the command line without a name of its own.
package struct ArgumentSpec: Sendable {
  package enum Cardinality: Sendable, Equatable {
    case one
    case optional
    case many
    case zeroOrMore

    package var isRequired: Bool { self == .one || self == .many }
    package var isVariadic: Bool { self == .many || self == .zeroOrMore }
  }

  /// The name by which `ParsedArguments` gives it.
  package let name: String
  /// The name as people see it, such as `SERVER`.
  package let valueName: String
  package let cardinality: Cardinality
  /// When not empty, the only values taken.
  package let choices: [Choice]
  package let completion: CompletionHint
  package let summary: String

  /// An argument, shown as its name in capitals unless `shown` says otherwise.
  package init(
    _ name: String, shown: String? = nil, cardinality: Cardinality = .one, choices: [Choice] = [],
    completion: CompletionHint = .none, _ summary: String
  ) {
    self.name = name
    valueName = shown ?? name.uppercased()
    self.cardinality = cardinality
    self.choices = choices
    self.completion = completion
    self.summary = summary
  }

  /// The argument as usage lines write it: `PATH`, `[PATH]`, `PATH…` or `[PATH…]`.
  package var usage: String {
    switch cardinality {
    case .one: valueName
    case .optional: "[\(valueName)]"
    case .many: "\(valueName)…"
    case .zeroOrMore: "[\(valueName)…]"
    }
  }
}
