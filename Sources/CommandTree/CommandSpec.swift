/// A command line that shows a command at work, and what it does.
package struct Example: Sendable, Equatable {
  /// As typed into a shell, the program's name first; 78 columns at most.
  package let commandLine: String
  /// One sentence: what the command line does.
  package let summary: String

  package init(_ commandLine: String, _ summary: String) {
    self.commandLine = commandLine
    self.summary = summary
  }
}

/// A command as a value: either one with an action, or a group of further commands.
///
/// `Action` is what the program runs for it, of which this module knows nothing.
package struct CommandSpec<Action: Sendable>: Sendable {
  /// The word that calls it; for the root, the program's name.
  package let name: String
  /// Other words that call it too.
  package let aliases: [String]
  /// One sentence.
  package let summary: String
  /// More about it: paragraphs parted by empty lines, and lines indented by two blanks that are shown as they are.
  package let discussion: String
  /// What follows the command's name in the usage lines, one line each; made from arguments and options when empty.
  package let usage: [String]
  /// Command lines that show it at work; each command with an action has one at least.
  package let examples: [Example]
  /// In the order of the command line; at most one is variadic.
  package let arguments: [ArgumentSpec]
  /// Its own options; those of a group hold for all commands below it.
  package let options: [OptionSpec]
  /// Names of options of the commands above it that this one, and those below it, do not take.
  package let refuses: [String]
  /// The commands below it; empty for one with an action.
  package let subcommands: [CommandSpec]
  /// What the program runs; nil for a group.
  package let action: Action?
  /// Whether help and suggestions show it.
  package let visibility: Visibility

  /// A command that does something.
  package init(
    _ name: String, aliases: [String] = [], _ summary: String, discussion: String = "", usage: [String] = [],
    examples: [Example] = [], arguments: [ArgumentSpec] = [], options: [OptionSpec] = [], refuses: [String] = [],
    visibility: Visibility = .shown, action: Action
  ) {
    self.init(
      name: name, aliases: aliases, summary: summary, discussion: discussion, usage: usage, examples: examples,
      arguments: arguments, options: options, refuses: refuses, subcommands: [], action: action,
      visibility: visibility)
  }

  /// A group of commands.
  package init(
    _ name: String, aliases: [String] = [], _ summary: String, discussion: String = "", examples: [Example] = [],
    options: [OptionSpec] = [], refuses: [String] = [], visibility: Visibility = .shown, subcommands: [CommandSpec]
  ) {
    self.init(
      name: name, aliases: aliases, summary: summary, discussion: discussion, usage: [], examples: examples,
      arguments: [], options: options, refuses: refuses, subcommands: subcommands, action: nil,
      visibility: visibility)
  }

  private init(
    name: String, aliases: [String], summary: String, discussion: String, usage: [String], examples: [Example],
    arguments: [ArgumentSpec], options: [OptionSpec], refuses: [String], subcommands: [CommandSpec], action: Action?,
    visibility: Visibility
  ) {
    self.name = name
    self.aliases = aliases
    self.summary = summary
    self.discussion = discussion
    self.usage = usage
    self.examples = examples
    self.arguments = arguments
    self.options = options
    self.refuses = refuses
    self.subcommands = subcommands
    self.action = action
    self.visibility = visibility
  }

  /// The command `help`, which the parser answers itself.
  private static func help(program: String) -> CommandSpec {
    CommandSpec(
      name: "help", aliases: [], summary: "Tell what a command does and what it takes.", discussion: "", usage: [],
      examples: [Example("\(program) help", "Lists the commands.")],
      arguments: [
        ArgumentSpec(
          "command", cardinality: .zeroOrMore, completion: .kind("command"), "The command; all of them when left out.")
      ],
      options: [], refuses: [], subcommands: [], action: nil, visibility: .shown)
  }

  /// The root with what every tree has: `help`, `--help` and `--version`.
  func completedAsRoot() -> CommandSpec {
    CommandSpec(
      name: name, aliases: aliases, summary: summary, discussion: discussion, usage: usage, examples: examples,
      arguments: arguments, options: options + [.help, .version], refuses: refuses,
      subcommands: subcommands + [.help(program: name)], action: action, visibility: visibility)
  }

  /// Its names as lists show them: `diff, plan`.
  package var names: [String] { [name] + aliases }
}

extension OptionSpec {
  static let help = flag("help", short: "h", "Show this help.")
  static let version = flag("version", "Show the version.")
}
