import Diagnostics

/// One reading of a command line: goes on after the first fault, since a later `--help` outranks it.
struct CommandLineParser<Action: Sendable> {
  private let root: CommandNode<Action>
  private(set) var node: CommandNode<Action>
  private var words: ArraySlice<String>
  private var operands: [String] = []
  private var given: [OptionSpec] = []
  private var parsed = ParsedArguments()
  private var optionsEnded = false

  init(root: CommandNode<Action>, words: [String]) {
    self.root = root
    self.words = words[...]
    node = root
  }

  mutating func parse() throws(UsageError) -> Invocation<Action> {
    var firstFault: UsageError?
    while let word = words.popFirst() {
      do throws(UsageError) { try take(word) } catch { firstFault = firstFault ?? error }
    }
    if parsed.switches[OptionSpec.help.name] != nil { return .help(path: node.path) }
    if let firstFault { throw firstFault }
    if parsed.switches[OptionSpec.version.name] != nil { return .version }
    return try finish()
  }

  private mutating func take(_ word: String) throws(UsageError) {
    if optionsEnded || !isOption(word) {
      try takeOperand(word)
    } else if word == "--" {
      optionsEnded = true
    } else if word.utf8.starts(with: "--".utf8) {
      try takeLong(word.dropUTF8(2))
    } else {
      try takeShorts(word.dropUTF8(1))
    }
  }

  private func isOption(_ word: String) -> Bool {
    let bytes = word.utf8
    guard bytes.first == UInt8(ascii: "-"), let second = bytes.dropFirst().first else { return false }
    return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
  }

  private mutating func takeOperand(_ word: String) throws(UsageError) {
    guard node.isGroup else { return operands.append(word) }
    guard let child = node.child(named: word) else { throw unknownCommand(word, under: node) }
    node = child
  }

  // MARK: Options

  private mutating func takeLong(_ text: Substring) throws(UsageError) {
    let equals = text.utf8.firstIndex(of: UInt8(ascii: "="))
    let name = String(text[..<(equals ?? text.endIndex)])
    let value = equals.map { String(text[text.utf8.index(after: $0)...]) }
    guard let option = node.option(named: name) else { throw unknownOption(name) }
    if option.kind.takesValue {
      if let value { try set(option, to: value) } else { try set(option, to: nextValue(for: "--\(name)", option)) }
    } else if value != nil {
      throw UsageError("option '--\(name)' takes no value", path: node.path)
    } else {
      // `no-` stands before a declared name only in its inverted form.
      try set(option, on: option.name == name || option.otherNames.contains(name))
    }
  }

  /// Takes a word such as `-qv`, `-o`, `-ojson`, `-qo=json`, without its dash.
  private mutating func takeShorts(_ text: Substring) throws(UsageError) {
    if text.utf8.count > 1, let long = node.option(named: String(text)), long.name != OptionSpec.help.name {
      throw UsageError("unknown option \(quoted("-\(text)"))", suggestion: "--\(text)", path: node.path)
    }
    var rest = text.unicodeScalars
    while let letter = rest.popFirst() {
      guard let option = node.option(short: letter) else {
        throw UsageError("unknown option \(quoted("-\(letter)"))", path: node.path)
      }
      if option.kind.takesValue {
        let hasEquals = rest.first == "="
        let attached = hasEquals ? rest.dropFirst() : rest
        let value = attached.isEmpty && !hasEquals ? try nextValue(for: "-\(letter)", option) : String(attached)
        return try set(option, to: value)
      }
      if rest.first == "=" { throw UsageError("option '-\(letter)' takes no value", path: node.path) }
      try set(option, on: true)
    }
  }

  private mutating func nextValue(for spelling: String, _ option: OptionSpec) throws(UsageError) -> String {
    guard let next = words.first, !isOption(next) else {
      let dashed = words.first.map { $0 != "--" } ?? false
      let hint = dashed ? "; one that begins with '-' is given as '--\(option.name)=…'" : ""
      throw UsageError("option '\(spelling)' needs a value \(option.valueName)\(hint)", path: node.path)
    }
    _ = words.popFirst()
    return next
  }

  private mutating func set(_ option: OptionSpec, to value: String) throws(UsageError) {
    try note(option)
    try check(value, among: option.choices, of: "option '--\(option.name)'")
    parsed.optionValues[option.name, default: []].append(value)
  }

  private mutating func set(_ option: OptionSpec, on: Bool) throws(UsageError) {
    // Asking for help twice, or together with what repeats itself, is still asking for help.
    if option.name != OptionSpec.help.name { try note(option) }
    parsed.switches[option.name] = on
  }

  private mutating func note(_ option: OptionSpec) throws(UsageError) {
    let isRepeated = parsed.optionValues[option.name] != nil || parsed.switches[option.name] != nil
    if isRepeated {
      guard option.kind == .values else {
        throw UsageError("option '--\(option.name)' is given more than once", path: node.path)
      }
    } else {
      given.append(option)
    }
  }

  private func check(_ value: String, among choices: [Choice], of what: String) throws(UsageError) {
    if choices.isEmpty || choices.contains(where: { $0.value.utf8.elementsEqual(value.utf8) }) { return }
    let values = choices.map(\.value)
    throw UsageError(
      "\(what) does not take \(quoted(value)), only \(values.joined(separator: ", "))",
      suggestion: nearestName(to: value, among: values), path: node.path)
  }

  // MARK: The command as a whole

  private mutating func finish() throws(UsageError) -> Invocation<Action> {
    if let refused = given.first(where: node.refuses) {
      throw UsageError("'\(node.title)' does not take option '--\(refused.name)'", path: node.path)
    }
    if node.isGroup {
      let names = node.shownChildren.map(\.spec.name).joined(separator: ", ")
      throw UsageError("'\(node.title)' needs a command: \(names)", path: node.path, showsHelp: true)
    }
    guard let action = node.spec.action else { return .help(path: try helpTopic()) }
    let options = node.options
    let missing = options.first { option in option.isRequired && !given.contains { $0.name == option.name } }
    if let missing {
      throw UsageError("'\(node.title)' needs option '\(missing.usage)'", path: node.path)
    }
    try assignOperands()
    parsed.path = node.path
    parsed.declaredValues = Set(options.filter(\.kind.takesValue).map(\.name))
    parsed.declaredFlags = Set(options.filter { !$0.kind.takesValue }.map(\.name))
    parsed.declaredArguments = Set(node.spec.arguments.map(\.name))
    return .run(action, parsed, path: node.path)
  }

  /// Deals the operands out to the declared arguments; an optional or variadic one leaves what later ones require.
  private mutating func assignOperands() throws(UsageError) {
    let required = node.spec.arguments.filter(\.cardinality.isRequired)
    if operands.count < required.count {
      throw UsageError(
        "'\(node.title)' needs argument \(required[operands.count].valueName)", path: node.path)
    }
    var rest = operands[...]
    var requiredLater = required.count
    for argument in node.spec.arguments {
      if argument.cardinality.isRequired { requiredLater -= 1 }
      let free = max(0, rest.count - requiredLater)
      let taken = rest.prefix(argument.cardinality.isVariadic ? free : min(free, 1))
      for value in taken {
        try check(value, among: argument.choices, of: "argument \(argument.valueName)")
      }
      if !taken.isEmpty { parsed.argumentValues[argument.name] = Array(taken) }
      rest = rest.dropFirst(taken.count)
    }
    if let surplus = rest.first {
      let takes = node.spec.arguments.isEmpty ? "takes no arguments" : "takes no further argument"
      throw UsageError("'\(node.title)' \(takes): \(quoted(surplus))", path: node.path)
    }
  }

  private func helpTopic() throws(UsageError) -> [String] {
    var topic = root
    for word in operands {
      guard let child = topic.child(named: word) else { throw unknownCommand(word, under: topic) }
      topic = child
    }
    return topic.path
  }
}

extension String {
  /// The string without its first bytes, which are ASCII. By bytes, since a combining mark makes one character of
  /// itself and a dash.
  fileprivate func dropUTF8(_ count: Int) -> Substring {
    self[utf8.index(startIndex, offsetBy: count)...]
  }
}
