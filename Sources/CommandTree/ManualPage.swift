extension CommandTree {
  /// The manual page of the command at a path, in the man macros of roff; nil when there is no such command.
  ///
  /// - Parameter version: of the program, for the foot of the page. No date stands there: same program, same page.
  package func manualPage(for path: [String], version: String) -> String? {
    node(at: path).map { node in
      var page = RoffPage()
      page.add(node, in: self, version: version)
      return page.text
    }
  }

  /// The commands that have a page of their own: the program and all that do something.
  package func manualNodes() -> [CommandNode<Action>] {
    shownNodes().filter { $0.path.isEmpty || !$0.isGroup }
  }
}

extension CommandNode {
  /// The name of its manual page: `circlectl-member-list`.
  package var manualName: String { ([program] + path).joined(separator: "-") }
}

/// A manual page being written.
private struct RoffPage {
  private(set) var text = ""

  private mutating func line(_ line: String) { text += "\(line)\n" }

  mutating func add<Action>(_ node: CommandNode<Action>, in tree: CommandTree<Action>, version: String) {
    line(".TH \(quoted(node.manualName.uppercased())) 1 \"\" \(quoted("\(node.program) \(version)")) \"\"")
    line(".SH NAME")
    line("\(roff(node.manualName)) \\- \(roff(sentenceCase(node.spec.summary)))")
    line(".SH SYNOPSIS")
    for (position, usage) in node.usageLines.enumerated() {
      if position > 0 { line(".br") }
      line(roff(usage))
    }
    line(".SH DESCRIPTION")
    line(roff(node.spec.summary))
    addProse(node.spec.discussion)
    if !node.spec.aliases.isEmpty { addParagraph("Also written \(node.spec.aliases.joined(separator: ", ")).") }
    if node.isGroup { addCommands(of: node) }
    addItems("ARGUMENTS", node.spec.arguments.map { ($0.usage, $0.summary, $0.choices, nil) })
    for section in node.optionSections where node.path.isEmpty || section.title != node.globalOptionsTitle {
      let items = section.options.map { ($0.spellings.joined(separator: ", "), $0.summary, $0.choices, $0.remark) }
      addItems(section.title.uppercased(), items)
    }
    addExamples(node.spec.examples)
    if node.path.isEmpty {
      addItems("EXIT STATUS", tree.exitCodes.map { ("\($0.code)", $0.meaning, [], nil) })
      addEnvironment(node)
    }
    addSeeAlso(node, in: tree)
  }

  private mutating func addProse(_ prose: String) {
    for block in Prose(prose).blocks {
      switch block {
      case .paragraph(let paragraph): addParagraph(paragraph)
      case .verbatim(let lines):
        line(".PP")
        line(".RS 4")
        line(".nf")
        for verbatim in lines { line(roff(verbatim)) }
        line(".fi")
        line(".RE")
      }
    }
  }

  private mutating func addParagraph(_ paragraph: String) {
    line(".PP")
    line(roff(paragraph))
  }

  private mutating func addCommands<Action>(of node: CommandNode<Action>) {
    line(".SH COMMANDS")
    for child in node.withShownDescendants().dropFirst() where !child.isGroup {
      line(".TP")
      line(".B \(roff(child.path.joined(separator: " ")))")
      line(roff(child.spec.summary))
    }
  }

  private mutating func addItems(_ heading: String, _ items: [(String, String, [Choice], String?)]) {
    guard !items.isEmpty else { return }
    line(".SH \(quoted(heading))")
    for (label, summary, choices, remark) in items {
      line(".TP")
      line(".B \(roff(label))")
      line(roff(summary))
      if !choices.isEmpty {
        let values = choices.map { $0.summary.isEmpty ? $0.value : "\($0.value) (\(uncapitalised($0.summary)))" }
        line(roff("One of: \(values.joined(separator: ", "))."))
      }
      if let remark { line(roff(remark)) }
    }
  }

  private mutating func addExamples(_ examples: [Example]) {
    guard !examples.isEmpty else { return }
    line(".SH EXAMPLES")
    for example in examples {
      line(".TP")
      line(".B \(roff(example.commandLine))")
      line(roff(example.summary))
    }
  }

  private mutating func addEnvironment<Action>(_ node: CommandNode<Action>) {
    let named = node.options.compactMap { option in option.environment.map { ($0, "Like --\(option.name).") } }
    addItems("ENVIRONMENT", named.map { ($0.0, $0.1, [], nil) })
  }

  private mutating func addSeeAlso<Action>(_ node: CommandNode<Action>, in tree: CommandTree<Action>) {
    let others = tree.manualNodes().filter { other in
      if node.path.isEmpty { return !other.path.isEmpty }
      return other.path.isEmpty || (other.path != node.path && other.path.first == node.path.first)
    }
    guard !others.isEmpty else { return }
    line(".SH \"SEE ALSO\"")
    line(others.map { "\\fB\(roff($0.manualName))\\fR(1)" }.joined(separator: ",\n"))
  }

  private func sentenceCase(_ summary: String) -> String {
    uncapitalised(summary)
  }

  /// As part of a sentence: without capital and full stop.
  private func uncapitalised(_ summary: String) -> String {
    let body = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    let second = body.dropFirst().first
    guard let first = body.first, second.map({ !$0.isUppercase }) ?? true else { return body }
    return first.lowercased() + body.dropFirst()
  }

  private func quoted(_ text: String) -> String {
    "\"\(roff(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq"))\""
  }
}

/// Text that roff prints as it is: no escape, no dash that may become a hyphen, no control line.
private func roff(_ text: String) -> String {
  var result = ""
  for character in text {
    switch character {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case "'": result += "\\(aq"
    case "`": result += "\\(ga"
    case "^": result += "\\(ha"
    case "~": result += "\\(ti"
    case "\n": result += " "
    default: result.append(character)
    }
  }
  return result.hasPrefix(".") ? "\\&\(result)" : result
}
