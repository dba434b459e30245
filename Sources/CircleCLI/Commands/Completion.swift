import CommandTree

/// `circlectl completion`: the script that makes a shell complete command lines.
enum CompletionCommand {
  static let spec: CommandSpec<Action> = CommandSpec(
    "completion", "Write the completion script of a shell.",
    discussion: """
      Commands and options are completed, and from the state also the handles of servers, the ids of users and tags. The \
      script asks the program itself, so it stays right when the program is replaced by a later version.

      bash, for this shell, and for all later ones:

        source <(circlectl completion bash)
        circlectl completion bash > ~/.local/share/bash-completion/completions/circlectl

      zsh, in a folder of $fpath:

        circlectl completion zsh > ~/.zsh/completions/_circlectl

      fish:

        circlectl completion fish > ~/.config/fish/completions/circlectl.fish
      """,
    examples: [Example("circlectl completion bash", "Writes the script for bash.")],
    arguments: [
      ArgumentSpec("shell", choices: CompletionShell.allCases.map { Choice($0.rawValue) }, "The shell.")
    ],
    refuses: OptionSpec.acting,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      guard let shell = CompletionShell(rawValue: try run.required("shell")) else { return .usage }
      return try run.deliver(shell.script(for: commandTree.root.program), "a completion script is a shell's")
    })
}
