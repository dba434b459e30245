/// A command where it stands in the tree: the command with those above it, from which it inherits options.
package struct CommandNode<Action: Sendable>: Sendable {
  /// The command itself.
  package let spec: CommandSpec<Action>
  /// The commands above it, the root first; empty for the root.
  package let ancestors: [CommandSpec<Action>]

  private var trail: [CommandSpec<Action>] { ancestors + [spec] }

  /// The canonical words that lead to it, without the program's name.
  package var path: [String] { trail.dropFirst().map(\.name) }

  /// The program's name and the path: `circlectl member list`.
  package var title: String { trail.map(\.name).joined(separator: " ") }

  /// The program's name.
  package var program: String { trail[0].name }

  /// Whether it only holds further commands.
  package var isGroup: Bool { !spec.subcommands.isEmpty }

  /// The options it takes: its own and those inherited, without what it refuses.
  package var options: [OptionSpec] {
    let refused = refusedNames
    return trail.flatMap(\.options).filter { !refused.contains($0.name) }
  }

  /// The options shown with it, by heading: its own first, the global ones last.
  package var optionSections: [(title: String, options: [OptionSpec])] {
    let refused = refusedNames
    var sections: [(title: String, options: [OptionSpec])] = []
    func add(_ option: OptionSpec, under title: String) {
      guard option.visibility == .shown, !refused.contains(option.name) else { return }
      if let index = sections.firstIndex(where: { $0.title == title }) {
        sections[index].options.append(option)
      } else {
        sections.append((title, [option]))
      }
    }
    for option in trail.dropFirst().flatMap(\.options) { add(option, under: option.group ?? "Options") }
    for option in trail.prefix(1).flatMap(\.options) { add(option, under: option.group ?? globalOptionsTitle) }
    return sections
  }

  /// The heading of the root's options that name no group of their own.
  package var globalOptionsTitle: String { "Global options" }

  /// The shown options of commands above it that it does not take.
  package var refusedOptions: [OptionSpec] {
    let refused = refusedNames
    return ancestors.flatMap(\.options).filter { refused.contains($0.name) && $0.visibility == .shown }
  }

  /// The commands right below it that are shown.
  package var shownChildren: [CommandNode] {
    spec.subcommands.filter { $0.visibility == .shown }.map(child)
  }

  /// The usage lines, one for each way to write the command, each with the program's name.
  package var usageLines: [String] {
    if !spec.usage.isEmpty { return spec.usage.map { "\(title) \($0)" } }
    var words = [title, "[options]"]
    words += options.filter { $0.isRequired && $0.visibility == .shown }.map(\.usage)
    words += isGroup ? ["COMMAND …"] : spec.arguments.map(\.usage)
    return [words.joined(separator: " ")]
  }

  // Declared names are lower-case ASCII (`CommandTree.validate()` sees to it), to which nothing else is canonically
  // equivalent: `==` on strings is exact here.

  func child(named word: String) -> CommandNode? {
    spec.subcommands.first { $0.names.contains(word) }.map(child)
  }

  /// The option of that long name among its own and those above it, refused ones included.
  func option(named name: String) -> OptionSpec? {
    declaredOption { $0.longNames.contains(name) }
  }

  func option(short letter: Unicode.Scalar) -> OptionSpec? {
    declaredOption { $0.short == letter }
  }

  func refuses(_ option: OptionSpec) -> Bool {
    refusedNames.contains(option.name)
  }

  func withShownDescendants() -> [CommandNode] {
    [self] + shownChildren.flatMap { $0.withShownDescendants() }
  }

  /// All children, the hidden ones too.
  var children: [CommandNode] { spec.subcommands.map(child) }

  private var refusedNames: [String] { trail.flatMap(\.refuses) }

  private func child(_ child: CommandSpec<Action>) -> CommandNode {
    CommandNode(spec: child, ancestors: trail)
  }

  private func declaredOption(where matches: (OptionSpec) -> Bool) -> OptionSpec? {
    for command in trail.reversed() {
      if let found = command.options.first(where: matches) { return found }
    }
    return nil
  }
}
