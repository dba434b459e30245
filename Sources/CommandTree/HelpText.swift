import Diagnostics

extension CommandTree {
  /// The help of the command at a path, in lines of at most `width` columns (at least 40) but for examples and other
  /// lines shown as they are; nil when there is no such command.
  ///
  /// With `styled`, headings are bold by the terminal's escape sequences; else it is plain text.
  package func help(for path: [String], width: Int, styled: Bool = false) -> String? {
    node(at: path).map { node in
      var page = HelpPage(width: max(40, width), styled: styled)
      page.add(node, exitCodes: node.path.isEmpty ? exitCodes : [])
      return page.text
    }
  }
}

extension CommandTree {
  /// The commands of the group at a path, for who named none; nil when there is no such command.
  package func overview(of path: [String], width: Int) -> String? {
    node(at: path).map { node in
      var page = HelpPage(width: max(40, width), styled: false)
      page.addOverview(of: node)
      return page.text
    }
  }
}

/// Help being written.
private struct HelpPage {
  let width: Int
  let styled: Bool
  private(set) var text = ""

  init(width: Int, styled: Bool) {
    self.width = width
    self.styled = styled
  }

  mutating func add(_ node: CommandNode<some Sendable>, exitCodes: [ExitCode]) {
    addUsage(node.usageLines)
    add(lines: wrapped(node.spec.summary, to: width))
    for block in Prose(node.spec.discussion).blocks {
      switch block {
      case .paragraph(let paragraph): add(lines: wrapped(paragraph, to: width))
      case .verbatim(let lines): add(lines: lines.map { "  \($0)" })
      }
    }
    if !node.spec.aliases.isEmpty {
      addSection("Aliases", node.spec.aliases.map { HelpRow(label: $0, paragraphs: []) })
    }
    addSection("Commands", node.shownChildren.map(HelpRow.init(command:)))
    addSection("Arguments", node.spec.arguments.map(HelpRow.init(argument:)))
    for section in node.optionSections { addSection(section.title, section.options.map(HelpRow.init(option:))) }
    add(node.spec.examples)
    addSection("Exit codes", exitCodes.map { HelpRow(label: padded("\($0.code)", to: 3), paragraphs: [$0.meaning]) })
    if node.isGroup {
      let command = ([node.program, "help"] + node.path + ["COMMAND"]).joined(separator: " ")
      add(lines: wrapped("'\(command)' tells more about a command.", to: width))
    }
  }

  mutating func addOverview(of node: CommandNode<some Sendable>) {
    addUsage(node.usageLines)
    addSection("Commands", node.shownChildren.map(HelpRow.init(command:)))
  }

  private mutating func addUsage(_ usages: [String]) {
    let label = "Usage: "
    var lines: [String] = []
    for usage in usages {
      for line in wrapped(usage, to: width - label.count) {
        lines.append((lines.isEmpty ? heading(label) : blanks(label.count)) + line)
      }
    }
    add(lines: lines)
  }

  private mutating func add(_ examples: [Example]) {
    guard !examples.isEmpty else { return }
    var lines = [heading("Examples:")]
    for example in examples {
      lines.append("  \(example.commandLine)")
      lines += wrapped(example.summary, to: width - 6).map { "      \($0)" }
    }
    add(lines: lines)
  }

  private mutating func addSection(_ title: String, _ rows: [HelpRow]) {
    if !rows.isEmpty { add(lines: [heading("\(title):")] + HelpRow.lines(of: rows, width: width)) }
  }

  /// Adds a block, parted from what stands before by an empty line.
  private mutating func add(lines: [String]) {
    guard !lines.isEmpty else { return }
    if !text.isEmpty { text += "\n" }
    for line in lines { text += "\(line)\n" }
  }

  private func heading(_ title: String) -> String {
    styled ? "\u{1B}[1m\(title)\u{1B}[0m" : title
  }
}

extension HelpRow {
  fileprivate init(command node: CommandNode<some Sendable>) {
    self.init(label: node.spec.names.joined(separator: ", "), paragraphs: [node.spec.summary])
  }

  fileprivate init(argument: ArgumentSpec) {
    self.init(label: argument.usage, paragraphs: [argument.summary])
    add(argument.choices)
  }

  fileprivate init(option: OptionSpec) {
    // Long names stand below each other, whether or not a short one goes before.
    let lead = option.short == nil ? blanks(4) : ""
    self.init(label: lead + option.spellings.joined(separator: ", "), paragraphs: [option.summary])
    add(option.choices)
    if let remark = option.remark { paragraphs.append(remark) }
  }

  private mutating func add(_ choices: [Choice]) {
    if choices.allSatisfy(\.summary.isEmpty) {
      if !choices.isEmpty { paragraphs.append("One of: \(choices.map(\.value).joined(separator: ", ")).") }
    } else {
      details += choices.map { HelpRow(label: $0.value, paragraphs: [$0.summary]) }
    }
  }
}
