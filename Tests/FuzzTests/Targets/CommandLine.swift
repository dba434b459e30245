@testable import CircleCLI
@testable import CommandTree

extension FuzzTarget {
  /// Command lines, a word a line: one that is taken means the same in its longest form; what is said of one that is not,
  /// and what a shell offers, steers no terminal.
  static let commandLine = FuzzTarget(name: "commandline") { bytes in
    let words = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let completion = commandTree.completion(of: words)
    for candidate in completion.candidates where words.last.map({ isShown($0) }) ?? true {
      try holdVisible(candidate.value)
    }
    let asked: Invocation<Action>
    do throws(UsageError) {
      asked = try commandTree.parse(words)
    } catch {
      return try holdVisible(error.message)
    }
    switch asked {
    case .version: break
    case .help(let path):
      try hold(commandTree.help(for: path, width: 80) != nil, "there is no help of \(path)")
    case .run(_, let arguments, let path):
      guard let node = commandTree.node(at: path) else { throw Broken(description: "there is no command \(path)") }
      let long = longForm(of: arguments, node)
      guard case .run(_, let again, path)? = try? commandTree.parse(long), again.switches == arguments.switches,
        again.optionValues == arguments.optionValues, again.argumentValues == arguments.argumentValues
      else { throw Broken(description: "it means something else in its longest form: \(long)") }
    }
  }

  private static func isShown(_ word: String) -> Bool { word.unicodeScalars.allSatisfy(isVisible) }

  private static func longForm(of arguments: ParsedArguments, _ node: CommandNode<Action>) -> [String] {
    var words = node.path
    for (name, isOn) in arguments.switches.sorted(by: { $0.key < $1.key }) {
      words.append(isOn ? "--\(name)" : "--no-\(name)")
    }
    for (name, values) in arguments.optionValues.sorted(by: { $0.key < $1.key }) {
      words += values.map { "--\(name)=\($0)" }
    }
    return words + ["--"] + node.spec.arguments.flatMap { arguments.arguments($0.name) }
  }
}
