/// An option of a command and, where the command is a group, of all commands below it; the root's are the global ones.
package struct OptionSpec: Sendable {
  /// Whether it takes a value, and how often.
  package enum Kind: Sendable, Equatable {
    case flag
    /// A flag that `--no-NAME` turns off.
    case invertibleFlag
    case value
    /// A value that may be given several times.
    case values

    /// Whether a value follows its name.
    package var takesValue: Bool { self == .value || self == .values }
  }

  /// The long name, without dashes, by which `ParsedArguments` gives it.
  package let name: String
  /// Further long names that mean the same.
  package let otherNames: [String]
  /// The short name, an ASCII letter.
  package let short: Unicode.Scalar?
  /// Whether it takes a value, and how often.
  package let kind: Kind
  /// The value's name as people see it, such as `FILE`; empty for flags.
  package let valueName: String
  /// When not empty, the only values taken.
  package let choices: [Choice]
  /// What shells offer where there are no choices.
  package let completion: CompletionHint
  /// One sentence.
  package let summary: String
  /// The heading under which help shows it, when not with all others.
  package let group: String?
  /// The environment variable that also gives it: told in help, not read here.
  package let environment: String?
  /// What holds when it is not given: told in help, not applied here.
  package let defaultValue: String?
  /// Whether the command can't do without it.
  package let isRequired: Bool
  /// Whether help and suggestions show it.
  package let visibility: Visibility

  private init(
    name: String, otherNames: [String], short: Unicode.Scalar?, kind: Kind, valueName: String = "",
    choices: [Choice] = [], completion: CompletionHint = .none, summary: String, group: String?, environment: String?,
    defaultValue: String? = nil, isRequired: Bool = false, visibility: Visibility
  ) {
    self.name = name
    self.otherNames = otherNames
    self.short = short
    self.kind = kind
    self.valueName = valueName
    self.choices = choices
    self.completion = completion
    self.summary = summary
    self.group = group
    self.environment = environment
    self.defaultValue = defaultValue
    self.isRequired = isRequired
    self.visibility = visibility
  }

  /// A flag: given or not; with `invertible`, `--no-NAME` says no.
  package static func flag(
    _ name: String, otherNames: [String] = [], short: Unicode.Scalar? = nil, invertible: Bool = false,
    group: String? = nil, environment: String? = nil, visibility: Visibility = .shown, _ summary: String
  ) -> OptionSpec {
    OptionSpec(
      name: name, otherNames: otherNames, short: short, kind: invertible ? .invertibleFlag : .flag, summary: summary,
      group: group, environment: environment, visibility: visibility)
  }

  /// An option with a value, which may be given several times when `repeatable`.
  package static func value(
    _ name: String, _ valueName: String, otherNames: [String] = [], short: Unicode.Scalar? = nil,
    repeatable: Bool = false, choices: [Choice] = [], completion: CompletionHint = .none, group: String? = nil,
    environment: String? = nil, default defaultValue: String? = nil, required: Bool = false,
    visibility: Visibility = .shown, _ summary: String
  ) -> OptionSpec {
    OptionSpec(
      name: name, otherNames: otherNames, short: short, kind: repeatable ? .values : .value, valueName: valueName,
      choices: choices, completion: completion, summary: summary, group: group, environment: environment,
      defaultValue: defaultValue, isRequired: required, visibility: visibility)
  }

  /// All long names it is known by, the inverted ones included.
  package var longNames: [String] {
    let names = [name] + otherNames
    return kind == .invertibleFlag ? names + names.map { "no-\($0)" } : names
  }

  /// The option as usage lines write it: `--yes` or `--stack NAME`.
  package var usage: String {
    kind.takesValue ? "--\(name) \(valueName)" : "--\(name)"
  }

  /// The spellings people see, short one first: `-o, --output FORMAT`.
  package var spellings: [String] {
    var result = short.map { ["-\($0)"] } ?? []
    result += ([name] + otherNames).map { kind == .invertibleFlag ? "--[no-]\($0)" : "--\($0)" }
    if kind.takesValue { result[result.count - 1] += " \(valueName)" }
    return result
  }

  /// What help adds about where its value comes from: `Default: circle.db. Environment: CIRCLECTL_STATE.`
  package var remark: String? {
    let parts = [defaultValue.map { "Default: \($0)." }, environment.map { "Environment: \($0)." }].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
