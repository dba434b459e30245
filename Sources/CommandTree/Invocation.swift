/// What a command line asks for.
package enum Invocation<Action: Sendable>: Sendable {
  /// Run a command; its arguments carry its canonical path.
  case run(Action, ParsedArguments, path: [String])
  /// Show the help of the command at this canonical path; the root's when empty.
  case help(path: [String])
  case version
}

extension CommandTree {
  /// Reads a command line, without the program's name.
  ///
  /// - Options of the root and of groups may stand before or after the words below them.
  /// - `--name=value`, `--name value`, `-n value`, `-nvalue`, `-n=value`; short flags may be combined; long names are
  ///   never abbreviated. An option that is not repeatable stands at most once.
  /// - A value of its own word may not begin with `-`, so that a forgotten value does not swallow the next option;
  ///   `-` alone and what begins with `-` and a digit are values or arguments, never options. Any value may stand
  ///   after `=`, any argument after `--`.
  /// - `-h` and `--help` win over whatever else is wrong.
  package func parse(_ words: [String]) throws(UsageError) -> Invocation<Action> {
    var parser = CommandLineParser(root: root, words: words)
    return try parser.parse()
  }
}
