/// An argument of a command: what stands on the command line without a name of its own.
package struct ArgumentSpec: Sendable {
  /// How many values it takes.
  package enum Cardinality: Sendable, Equatable {
    case one
    case optional
    case many
    case zeroOrMore

    /// Whether at least one value must be there.
    package var isRequired: Bool { self == .one || self == .many }
    /// Whether it takes any number of values.
    package var isVariadic: Bool { self == .many || self == .zeroOrMore }
  }

  /// The name by which `ParsedArguments` gives it.
  package let name: String
  /// The name as people see it, such as `SERVER`.
  package let valueName: String
  package let cardinality: Cardinality
  /// When not empty, the only values taken.
  package let choices: [Choice]
  /// What shells offer where there are no choices.
  package let completion: CompletionHint
  /// One sentence.
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
