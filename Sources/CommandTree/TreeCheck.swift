import Diagnostics

extension CommandTree {
  /// What is wrong with the tree itself, a sentence each, for tests to find empty: names that clash or are misspelt,
  /// summaries and examples that are missing, examples that the tree would refuse, arguments that can't be told apart.
  package func validate() -> [String] {
    var problems: [String] = []
    func visit(_ node: CommandNode<Action>) {
      problems += TreeCheck(node: node).problems().map { "\(node.title): \($0)" }
      problems += exampleProblems(of: node).map { "\(node.title): \($0)" }
      for child in node.children { visit(child) }
    }
    visit(root)
    return problems
  }

  private func exampleProblems(of node: CommandNode<Action>) -> [String] {
    if node.spec.action != nil, node.spec.examples.isEmpty { return ["has no example"] }
    return node.spec.examples.compactMap { example in
      // Indented by two blanks it has to fit 80 columns, since examples are never wrapped.
      if displayWidth(example.commandLine) > 78 { return "the example \(example.commandLine) is too long" }
      if example.summary.isEmpty { return "the example \(example.commandLine) is not explained" }
      guard let words = shellWords(example.commandLine), words.first == root.spec.name else {
        return "the example \(example.commandLine) does not call \(root.spec.name)"
      }
      do throws(UsageError) {
        switch try parse(Array(words.dropFirst())) {
        case .run(_, _, let path):
          return path.starts(with: node.path) ? nil : "the example \(example.commandLine) shows another command"
        case .help, .version: return nil
        }
      } catch {
        return "the example \(example.commandLine) is refused: \(error.text)"
      }
    }
  }
}

/// What can be said of one command and those right below it.
private struct TreeCheck<Action: Sendable> {
  let node: CommandNode<Action>

  func problems() -> [String] {
    commandProblems() + optionProblems() + argumentProblems()
  }

  private func commandProblems() -> [String] {
    var problems = summaryProblems(of: "the command", node.spec.summary)
    problems += node.spec.names.filter { !isName($0) }.map { "the name '\($0)' is not lower-case ASCII" }
    problems += repeated(node.spec.subcommands.flatMap(\.names)).map { "the command '\($0)' is there twice" }
    return problems
  }

  private func optionProblems() -> [String] {
    let own = node.spec.options
    let inherited = node.ancestors.flatMap(\.options)
    var problems = own.flatMap { summaryProblems(of: "--\($0.name)", $0.summary) }
    problems += own.flatMap(\.longNames).filter { !isName($0) }.map { "the name '--\($0)' is not lower-case ASCII" }
    problems += repeated(own.flatMap(\.longNames)).map { "the option '--\($0)' is there twice" }
    problems += clashes(own.flatMap(\.longNames), inherited.flatMap(\.longNames)).map {
      "the option '--\($0)' is already one of a command above"
    }
    let letters = own.compactMap(\.short).map(String.init)
    problems += letters.filter { !isLetter($0) }.map { "the short option '-\($0)' is not an ASCII letter" }
    problems += repeated(letters).map { "the short option '-\($0)' is there twice" }
    problems += clashes(letters, inherited.compactMap(\.short).map(String.init)).map {
      "the short option '-\($0)' is already one of a command above"
    }
    for option in own where option.kind.takesValue {
      if option.valueName.isEmpty { problems.append("--\(option.name) has no name for its value") }
      problems += repeated(option.choices.map(\.value)).map { "--\(option.name) has the value '\($0)' twice" }
    }
    problems += Set(node.spec.refuses).subtracting(inherited.map(\.name)).sorted().map {
      "refuses '--\($0)', which no command above has"
    }
    return problems
  }

  private func argumentProblems() -> [String] {
    let arguments = node.spec.arguments
    var problems = arguments.flatMap { summaryProblems(of: "the argument \($0.valueName)", $0.summary) }
    problems += repeated(arguments.map(\.name)).map { "the argument '\($0)' is there twice" }
    for argument in arguments {
      problems += repeated(argument.choices.map(\.value)).map { "\(argument.valueName) has the value '\($0)' twice" }
    }
    let variadic = arguments.count { $0.cardinality.isVariadic }
    if variadic > 1 || (variadic == 1 && arguments.contains { $0.cardinality == .optional }) {
      problems.append("its arguments can't be told apart")
    }
    return problems
  }

  private func summaryProblems(of what: String, _ summary: String) -> [String] {
    if summary.isEmpty { return ["\(what) has no summary"] }
    return summary.contains("\n") ? ["the summary of \(what) has several lines"] : []
  }

  private func repeated(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }
  }

  private func clashes(_ own: [String], _ inherited: [String]) -> [String] {
    own.filter(Set(inherited).contains)
  }

  private func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLowercase(first) else { return false }
    return name.utf8.allSatisfy { isLowercase($0) || $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
  }

  private func isLetter(_ text: String) -> Bool {
    text.utf8.count == 1 && text.utf8.allSatisfy { isLowercase($0 | 0x20) }
  }

  private func isLowercase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
