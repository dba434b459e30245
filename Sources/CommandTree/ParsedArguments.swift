/// What a command line gave to a command: its options and arguments by their declared names.
///
/// Only what was typed is here; environment variables, configuration and defaults are the program's to add.
package struct ParsedArguments: Sendable {
  var declaredFlags: Set<String> = []
  var declaredValues: Set<String> = []
  var declaredArguments: Set<String> = []
  var switches: [String: Bool] = [:]
  var optionValues: [String: [String]] = [:]
  var argumentValues: [String: [String]] = [:]
  var path: [String] = []

  /// Called with each name asked for that the command does not declare, or not as a flag, option with a value or
  /// argument as it is asked for: such a name reads as not given. Tests set it.
  package var onUndeclaredName: (@Sendable (String) -> Void)?

  /// Whether the command takes an argument of this name.
  package func declares(argument name: String) -> Bool { declaredArguments.contains(name) }

  /// Whether the flag was given, and not inverted.
  package func flag(_ name: String) -> Bool {
    toggle(name) ?? false
  }

  /// What an invertible flag was set to, or nil when it was not given.
  package func toggle(_ name: String) -> Bool? {
    check(declaredFlags.contains(name), name)
    return switches[name]
  }

  /// The value of an option, or nil when it was not given.
  package func value(_ name: String) -> String? {
    values(name).last
  }

  /// The values of a repeatable option, in the order given.
  package func values(_ name: String) -> [String] {
    check(declaredValues.contains(name), name)
    return optionValues[name] ?? []
  }

  /// Whether the command takes an option of that name with a value.
  package func declares(_ name: String) -> Bool { declaredValues.contains(name) }

  /// Whether the option stood on the command line itself, before or after the command.
  package func isGiven(_ name: String) -> Bool {
    check(declaredFlags.contains(name) || declaredValues.contains(name), name)
    return switches[name] != nil || optionValues[name] != nil
  }

  /// An argument that stands once, or nil when an optional one was left out.
  package func argument(_ name: String) -> String? {
    arguments(name).first
  }

  /// All values of an argument, in the order given.
  package func arguments(_ name: String) -> [String] {
    check(declaredArguments.contains(name), name)
    return argumentValues[name] ?? []
  }

  /// An argument the command can't do without; parsing has already refused a command line without it.
  package func requiredArgument(_ name: String) throws(UsageError) -> String {
    guard let value = argument(name) else { throw UsageError("missing argument \(quoted(name))", path: path) }
    return value
  }

  /// The value of an option the command can't do without; parsing has already refused a command line without it.
  package func requiredValue(_ name: String) throws(UsageError) -> String {
    guard let value = value(name) else { throw UsageError("missing option \(quoted("--\(name)"))", path: path) }
    return value
  }

  private func check(_ isDeclared: Bool, _ name: String) {
    if !isDeclared { onUndeclaredName?(name) }
  }
}
