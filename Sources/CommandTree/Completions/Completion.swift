/// What may stand where the cursor is in a command line.
package struct Completion: Sendable, Equatable {
  /// A word that fits, and what it means.
  package struct Candidate: Sendable, Equatable {
    package var value: String
    /// Empty where the value tells enough.
    package var summary: String

    package init(_ value: String, _ summary: String = "") {
      self.value = value
      self.summary = summary
    }
  }

  /// Whole words, which begin with what is typed.
  package var candidates: [Candidate] = []
  /// What the program or the shell has to look up.
  package var hint = CompletionHint.none
  /// What stands before the looked up part in its word, such as `--state=`.
  package var lead = ""
  /// What of the looked up part is typed.
  package var typed = ""
  /// The command, as canonical words.
  package var path: [String] = []
  /// Its arguments that stand before.
  package var operands: [String] = []
  /// Values of options that stand before, by long name, the last of each.
  package var values: [String: String] = [:]
}

extension CommandTree {
  /// What may stand in place of the last word, which is being typed and may be empty.
  ///
  /// - Parameter words: of the command line up to the cursor, without the program's name. What is wrong in them is
  ///   passed over: it is told when the command runs.
  package func completion(of words: [String]) -> Completion {
    var reader = CompletionReader(node: root)
    for word in words.dropLast() { reader.take(word) }
    return reader.completion(of: words.last ?? "")
  }
}

/// Reads what stands before the cursor as far as it bears on what may follow.
private struct CompletionReader<Action: Sendable> {
  private var node: CommandNode<Action>
  private var completion = Completion()
  /// The option whose value comes next.
  private var pending: OptionSpec?
  private var optionsEnded = false
  /// Whether a word names no command: then nothing is known of what follows.
  private var isLost = false

  init(node: CommandNode<Action>) {
    self.node = node
  }

  mutating func take(_ word: String) {
    if let option = pending {
      completion.values[option.name] = word
      pending = nil
    } else if optionsEnded || !word.hasPrefix("-") || word == "-" {
      if !node.isGroup { return completion.operands.append(word) }
      if let child = node.child(named: word) { node = child } else { isLost = true }
    } else if word == "--" {
      optionsEnded = true
    } else if let (option, value, _) = option(in: word) {
      if let value { completion.values[option.name] = value } else if option.kind.takesValue { pending = option }
    }
  }

  /// The option that a word names, its value and what stands before that, where there is one.
  private func option(in word: String) -> (option: OptionSpec, value: String?, lead: String)? {
    if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = node.option(named: String(parts[0])) else { return nil }
      return (option, parts.count > 1 ? String(parts[1]) : nil, "--\(parts[0])=")
    }
    let letters = word.dropFirst().unicodeScalars
    for (place, letter) in letters.enumerated() {
      guard let option = node.option(short: letter) else { return nil }
      guard option.kind.takesValue else { continue }
      let value = String(letters.dropFirst(place + 1))
      return (option, value.isEmpty ? nil : value, String(word.unicodeScalars.prefix(place + 2)))
    }
    return nil
  }

  mutating func completion(of word: String) -> Completion {
    completion.path = node.path
    if isLost { return completion }
    if let option = pending {
      offer(option.choices, option.completion, typed: word, lead: "")
    } else if !optionsEnded, word.hasPrefix("-"), case (let option, let value?, let lead)? = option(in: word) {
      offer(option.choices, option.completion, typed: value, lead: lead)
    } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
      offerOptions(word)
    } else if node.isGroup {
      offerCommands(of: node, word)
    } else {
      offerArgument(word)
    }
    return completion
  }

  private mutating func offer(_ choices: [Choice], _ hint: CompletionHint, typed: String, lead: String) {
    completion.lead = lead
    completion.typed = typed
    guard !choices.isEmpty else {
      completion.hint = hint
      return
    }
    completion.candidates = choices.filter { $0.value.hasPrefix(typed) }.map { .init(lead + $0.value, $0.summary) }
  }

  private mutating func offerOptions(_ word: String) {
    for option in node.options where option.visibility == .shown {
      let isUsed = completion.values[option.name] != nil && option.kind != .values
      for name in option.longNames.map({ "--\($0)" }) where name.hasPrefix(word) && !isUsed {
        completion.candidates.append(.init(name, option.summary))
      }
    }
  }

  private mutating func offerCommands(of node: CommandNode<Action>, _ word: String) {
    for child in node.shownChildren where child.spec.name.hasPrefix(word) {
      completion.candidates.append(.init(child.spec.name, child.spec.summary))
    }
  }

  private mutating func offerArgument(_ word: String) {
    let arguments = node.spec.arguments
    let position = completion.operands.count
    guard let argument = position < arguments.count ? arguments[position] : arguments.last,
      position < arguments.count || argument.cardinality.isVariadic
    else { return }
    offer(argument.choices, argument.completion, typed: word, lead: "")
  }
}
