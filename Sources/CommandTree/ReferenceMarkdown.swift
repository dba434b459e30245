extension CommandTree {
  /// The reference of all commands that are shown, as one Markdown document: a section for each, whose anchor is its
  /// path joined by dashes (`member-list`), as Markdown renderers make it from the heading.
  package func referenceMarkdown() -> String {
    let nodes = shownNodes()
    var page = ReferencePage()
    page.add("# \(root.title)")
    page.addDescription(of: root)
    page.add(
      nodes.dropFirst().map { "- [`\($0.title)`](#\($0.anchor)): \(markdown($0.spec.summary))" }
        .joined(separator: "\n"))
    page.addTables(of: root)
    if !exitCodes.isEmpty {
      page.add("## Exit codes")
      page.add(exitCodes.map { "- `\($0.code)`: \(markdown($0.meaning))" }.joined(separator: "\n"))
    }
    for node in nodes.dropFirst() {
      page.add("## \(node.path.joined(separator: " "))")
      page.addDescription(of: node)
      page.addTables(of: node)
    }
    return page.text
  }
}

extension CommandNode {
  /// The name of its section in the reference and of its manual page: `member-list`.
  package var anchor: String { path.joined(separator: "-") }
}

/// The reference being written: blocks parted by empty lines.
private struct ReferencePage {
  private(set) var text = ""

  mutating func add(_ block: String) {
    guard !block.isEmpty else { return }
    text += text.isEmpty ? "\(block)\n" : "\n\(block)\n"
  }

  mutating func addDescription(of node: CommandNode<some Sendable>) {
    add(markdown(node.spec.summary))
    add((["```text"] + node.usageLines + ["```"]).joined(separator: "\n"))
    if !node.spec.aliases.isEmpty {
      add("Also written " + node.spec.aliases.map { "`\($0)`" }.joined(separator: ", ") + ".")
    }
    for block in Prose(node.spec.discussion).blocks {
      switch block {
      case .paragraph(let paragraph): add(markdown(paragraph))
      case .verbatim(let lines): add((["```text"] + lines + ["```"]).joined(separator: "\n"))
      }
    }
  }

  /// Arguments, options and examples; the global options are told once, at the root.
  mutating func addTables(of node: CommandNode<some Sendable>) {
    let level = node.path.isEmpty ? "##" : "###"
    if !node.isGroup {
      addList("\(level) Arguments", node.spec.arguments.map { item([$0.usage], $0.summary, $0.choices) })
    }
    for section in node.optionSections where node.path.isEmpty || section.title != node.globalOptionsTitle {
      addList(
        "\(level) \(section.title)", section.options.map { item($0.spellings, $0.summary, $0.choices, $0.remark) })
    }
    let refused = node.refusedOptions.map { "`--\($0.name)`" }
    if !refused.isEmpty { add("Does not take \(refused.joined(separator: ", ")).") }
    guard !node.spec.examples.isEmpty else { return }
    add("\(level) Examples")
    for example in node.spec.examples {
      add(markdown(example.summary))
      add("```sh\n\(example.commandLine)\n```")
    }
  }

  private mutating func addList(_ heading: String, _ items: [String]) {
    guard !items.isEmpty else { return }
    add(heading)
    add(items.joined(separator: "\n"))
  }

  private func item(_ names: [String], _ summary: String, _ choices: [Choice], _ remark: String? = nil) -> String {
    let label = names.map { "`\($0)`" }.joined(separator: ", ")
    let end = remark.map { " \(markdown($0))" } ?? ""
    let values = choices.map { "\n  - `\($0.value)`" + ($0.summary.isEmpty ? "" : ": \(markdown($0.summary))") }
    return "- \(label): \(markdown(summary))\(end)\(values.joined())"
  }
}

/// Plain text for Markdown: what would be markup is escaped, but for code between backticks.
private func markdown(_ text: String) -> String {
  var result = ""
  var isCode = false
  for character in text {
    if character == "`" { isCode.toggle() }
    if !isCode, "\\*_<>[]|".contains(character) { result += "\\" }
    result.append(character)
  }
  return result
}
