import Diagnostics

// What a mistyped word was probably meant to be.
extension CommandLineParser {
  func unknownCommand(_ word: String, under node: CommandNode<Action>) -> UsageError {
    let names = node.shownChildren.flatMap(\.spec.names)
    let below = node.path.isEmpty ? "" : " under '\(node.title)'"
    return UsageError(
      "unknown command \(quoted(word))\(below)", suggestion: nearestName(to: word, among: names), path: node.path)
  }

  func unknownOption(_ name: String) -> UsageError {
    let known = node.options.filter { $0.visibility == .shown }.flatMap(\.longNames)
    let extended = known.filter { !name.isEmpty && $0.utf8.starts(with: name.utf8) }
    let nearest = extended.count == 1 ? extended.first : nearestName(to: name, among: known)
    let spelling = quoted("--\(name)")
    if nearest == nil, node.isGroup, node.anyDescendantTakes(option: name) {
      return UsageError("option \(spelling) stands after the command it belongs to", path: node.path)
    }
    return UsageError("unknown option \(spelling)", suggestion: nearest.map { "--\($0)" }, path: node.path)
  }
}

extension CommandNode {
  fileprivate func anyDescendantTakes(option name: String) -> Bool {
    children.contains { child in
      child.spec.options.contains { $0.longNames.contains(name) } || child.anyDescendantTakes(option: name)
    }
  }
}
