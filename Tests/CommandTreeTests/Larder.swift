import CommandTree

/// A small program that does not exist, with one of everything a command line can have.
let larder = CommandTree<String>(
  CommandSpec(
    "larder", "Keeps track of what is in the kitchen.",
    options: [
      .value(
        "store", "LOCATION", completion: .files, environment: "LARDER_STORE", default: "larder.db",
        "Where the stock is kept."),
      .value("as", "COOK", completion: .kind("cook"), "Act as this cook."),
      .value(
        "output", "FORMAT", short: "o",
        choices: [Choice("text", "For people."), Choice("json", "One document, versioned, for programs to read.")],
        "How results are written."),
      .flag("quiet", short: "q", "Say nothing but errors."),
      .flag("verbose", short: "v", "Say more."),
      .flag("wake-the-cat", visibility: .hidden, "Not for people."),
    ],
    subcommands: [
      CommandSpec(
        "diff", aliases: ["plan"], "Compare the shopping list with the stock.",
        examples: [Example("larder diff week.yaml --exit-code | less", "Shows what is missing.")],
        arguments: [
          ArgumentSpec("lists", shown: "LIST", cardinality: .many, completion: .files, "Shopping lists or folders.")
        ],
        options: [
          .flag("exit-code", "End with 2 when something is missing."),
          .value("only", "WHAT", otherNames: ["just"], repeatable: true, "Look at these things alone."),
          .flag("color", invertible: true, "Write in colour."),
        ],
        refuses: ["as"], action: "diff"),
      CommandSpec(
        "shelf", "Look after the shelves.",
        options: [.value("room", "ROOM", "The room the shelf is in.")],
        subcommands: [
          CommandSpec(
            "move", "Move a shelf.", examples: [Example("larder shelf move a b --by 'the window'", "Moves shelf a.")],
            arguments: [
              ArgumentSpec("from", "The shelf."),
              ArgumentSpec("to", cardinality: .optional, "Its new place; 储藏室 when left out."),
            ],
            options: [.value("by", "WHERE", required: true, "What it shall stand by.")], action: "shelf move"),
          CommandSpec(
            "list", "List the shelves.", examples: [Example("larder shelf list", "Lists all.")], action: "shelf list"),
        ]),
      CommandSpec(
        "copy", "Copy things.", examples: [Example("larder copy a b c", "Copies a and b to c.")],
        arguments: [
          ArgumentSpec("things", shown: "THING", cardinality: .zeroOrMore, "What."),
          ArgumentSpec("target", "Where to."),
        ],
        action: "copy"),
      CommandSpec(
        "completion", "Write a completion script.",
        discussion: """
          The script goes where the shell looks for it; the shell reads it at the next start, and offers commands, options
          and values from then on.

          For bash:
            larder completion bash >~/.local/share/bash-completion/completions/larder

          那么长的中文段落没有空格，所以必须在字与字之间断行，否则窄终端上就会超出右边的边界，看起来很乱。
          """,
        examples: [Example("larder completion bash", "Writes bash's.")],
        arguments: [
          ArgumentSpec("shell", choices: [Choice("bash"), Choice("zsh"), Choice("fish")], "The shell to write for.")
        ], action: "completion"),
      CommandSpec(
        "purr", "Not for people.", examples: [Example("larder purr", "Purrs.")], visibility: .hidden, action: "purr"),
    ]),
  exitCodes: [ExitCode(0, "Done, or nothing to do."), ExitCode(64, "Wrong usage.")])

/// What a command line, written with blanks between the words, comes to, in one line of text.
func outcome(_ line: String) -> String {
  outcome(line.split(separator: " ").map(String.init))
}

func outcome(_ words: [String]) -> String {
  do throws(UsageError) {
    switch try larder.parse(words) {
    case .run(let action, let arguments, let path): return describe(action, arguments, path)
    case .help(let path): return "help of [\(path.joined(separator: " "))]"
    case .version: return "version"
    }
  } catch {
    return "error [\(error.path.joined(separator: " "))] \(error.text)"
  }
}

private func describe(_ action: String, _ arguments: ParsedArguments, _ path: [String]) -> String {
  guard action == path.joined(separator: " "), let node = larder.node(at: path) else { return "wrong path" }
  var words = [action]
  for option in node.options where arguments.isGiven(option.name) {
    if option.kind.takesValue {
      words.append("\(option.name)=\(arguments.values(option.name).joined(separator: ","))")
    } else {
      words.append(arguments.flag(option.name) ? option.name : "!\(option.name)")
    }
  }
  for argument in node.spec.arguments where !arguments.arguments(argument.name).isEmpty {
    words.append("\(argument.name):\(arguments.arguments(argument.name).joined(separator: ","))")
  }
  return words.joined(separator: " ")
}
