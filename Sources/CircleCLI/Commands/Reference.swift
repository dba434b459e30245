import CommandTree

/// `circlectl reference`: all commands as one Markdown document. Hidden: who uses the program has `help`.
enum Reference {
  static let spec: CommandSpec<Action> = CommandSpec(
    "reference", "Write the reference of all commands, as Markdown.",
    examples: [Example("circlectl reference > docs/reference.md", "Writes the reference anew.")],
    refuses: OptionSpec.acting, visibility: .hidden,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      try run.deliver(commandTree.referenceMarkdown(), "the reference is Markdown")
    })
}
