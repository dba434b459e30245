import CommandTree

/// `circlectl man`: a command's manual page.
enum Man {
  static let spec: CommandSpec<Action> = CommandSpec(
    "man", "Write the manual page of a command.",
    discussion: """
      The page is written as roff, which 'man -l -' shows. 'make install' installs all pages, so that 'man circlectl' and \
      'man circlectl-apply' find them.
      """,
    examples: [
      Example("circlectl man apply | man -l -", "Shows the page of apply."),
      Example("circlectl man > circlectl.1", "Writes the program's own page."),
    ],
    arguments: [
      ArgumentSpec(
        "command", cardinality: .zeroOrMore, completion: .kind("command"), "The command; the program when left out.")
    ],
    refuses: OptionSpec.acting,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      let path = run.arguments.arguments("command")
      guard let page = commandTree.manualPage(for: path, version: ProgramVersion.number) else {
        throw Failure(
          .usage, "there is no command '\(path.joined(separator: " "))'", next: ["'circlectl help' lists them all."])
      }
      return try run.deliver(page, "a manual page is roff")
    })
}
