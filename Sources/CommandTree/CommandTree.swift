/// The command line of a program as a value: parsing, help, the reference and all else that describes it are folds
/// over it.
///
/// `help`, `-h/--help` and `--version` are part of every tree and not declared by the program.
package struct CommandTree<Action: Sendable>: Sendable {
  /// The program itself, with `help`, `--help` and `--version`.
  package let root: CommandNode<Action>
  /// What the program's exit codes mean, for the root's help and the reference.
  package let exitCodes: [ExitCode]

  /// The tree below a root, whose name is the program's and whose options are the global ones.
  package init(_ root: CommandSpec<Action>, exitCodes: [ExitCode] = []) {
    self.root = CommandNode(spec: root.completedAsRoot(), ancestors: [])
    self.exitCodes = exitCodes
  }

  /// The command at a path of names or aliases, or nil; the empty path is the root.
  package func node(at path: [String]) -> CommandNode<Action>? {
    var node = root
    for word in path {
      guard let child = node.child(named: word) else { return nil }
      node = child
    }
    return node
  }

  /// All commands that are shown, each before those below it, in the order of declaration; the root first.
  package func shownNodes() -> [CommandNode<Action>] {
    root.withShownDescendants()
  }
}

/// An exit code of the program and what it means.
package struct ExitCode: Sendable, Equatable {
  package let code: Int32
  package let meaning: String

  package init(_ code: Int32, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
