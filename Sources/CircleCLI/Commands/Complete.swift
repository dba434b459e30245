import CircleKit
import CircleModel
import CirclePlan
import CircleState
import CommandTree
import Diagnostics

/// `circlectl complete`: what the completion scripts ask. It never says what is wrong: a person is still typing.
enum Complete {
  static let spec: CommandSpec<Action> = CommandSpec(
    "complete", "Tell a shell's completion script what may stand at the end of a command line.",
    examples: [Example("circlectl complete -- server release s", "Lists the handles that begin with s.")],
    arguments: [
      ArgumentSpec("words", shown: "WORD", cardinality: .zeroOrMore, "The command line up to the cursor.")
    ],
    refuses: OptionSpec.acting, visibility: .hidden, action: Action(run))

  /// A shell shows no more, and a person reads fewer.
  private static let most = 200

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    var completion = commandTree.completion(of: run.arguments.arguments("words"))
    if case .kind(let kind) = completion.hint {
      do throws(Failure) {
        completion.candidates = try candidates(of: kind, for: completion, run)
      } catch {
        completion.candidates = []
      }
    }
    var lines = [completion.hint == .files ? ":files" : ":words"]
    for candidate in completion.candidates.prefix(most) {
      lines.append("\(terminalSafe(candidate.value))\t\(terminalSafe(candidate.summary))")
    }
    return try run.deliver(lines.joined(separator: "\n") + "\n", "completions are lines of text")
  }

  private static func candidates(
    of kind: String, for completion: Completion, _ run: CommandRun
  ) throws(Failure) -> [Completion.Candidate] {
    if kind == "command" {
      let node = commandTree.node(at: completion.operands)
      return (node?.shownChildren ?? []).filter { $0.spec.name.hasPrefix(completion.typed) }
        .map { .init($0.spec.name, $0.spec.summary) }
    }
    let store = try run.stateBeingTyped(completion)
    return try run.onState { () throws(StateError) in
      switch kind {
      case "server": try names(in: .handles, completion, store)
      case "user": try users(completion, store)
      case "tag": try tags(of: completion.operands.first, completion, store)
      case "subject": try subjects(completion, store)
      case "selector": try selectors(completion, store)
      default: []
      }
    }
  }

  private static func names(
    in table: NameTable, _ completion: Completion, _ store: StateStore
  ) throws(StateError) -> [Completion.Candidate] {
    var found: [Completion.Candidate] = []
    let typed = table == .users ? Text(completion.typed).folded : Text(completion.typed)
    try store.reading { () throws(StateError) in
      try store.rows.scanNames(table, prefix: Array(typed.string.utf8)) { (name, _) throws(StateError) in
        found.append(.init(completion.lead + String(decoding: name, as: UTF8.self)))
        return found.count < most
      }
    }
    return found
  }

  /// In the registered spelling; those whom the command line has already are left out.
  private static func users(
    _ completion: Completion, _ store: StateStore
  ) throws(StateError) -> [Completion.Candidate] {
    let given = Set(completion.operands.map { Text($0).folded })
    let folded = try names(in: .users, completion, store).map(\.value)
    var names = UserNames()
    for id in folded { _ = names.intern(String(id.dropFirst(completion.lead.count))) }
    let snapshot = try store.load(Scope(userDetails: true), names: names).snapshot
    return (0..<names.count).map { UserIndex($0) }.compactMap { user in
      let id = snapshot.names[user]
      guard !given.contains(Text(id).folded) else { return nil }
      return .init(completion.lead + id, snapshot.details[user]?.profile[.nickName]?.string ?? "")
    }
  }

  /// Of a server, or of all; those that the command line has already are left out.
  private static func tags(
    of server: String?, _ completion: Completion, _ store: StateStore
  ) throws(StateError) -> [Completion.Candidate] {
    let scope = server.map { Scope(servers: [Text($0)]) } ?? Scope(everyServer: true)
    let given = Set(completion.operands.dropFirst().map { Text($0) })
    let names = Set(try store.load(scope).snapshot.servers.flatMap { $0.tags.map(\.name) })
    return names.filter { $0.begins(with: Text(completion.typed)) && !given.contains($0) }.sorted()
      .map { .init(completion.lead + $0.string) }
  }

  /// `HANDLE`, `HANDLE/tag:NAME` or `HANDLE/USER`.
  private static func subjects(
    _ completion: Completion, _ store: StateStore
  ) throws(StateError) -> [Completion.Candidate] {
    guard let (handle, rest) = completion.parted(at: "/", first: true) else {
      return try names(in: .handles, completion, store)
    }
    if let (_, tag) = rest.parted(at: "tag:", first: true) { return try tags(of: handle, tag, store) }
    return rest.fitting([("tag:", "One of its tags.")]) + (try users(rest, store))
  }

  /// The last term of a selector.
  private static func selectors(
    _ completion: Completion, _ store: StateStore
  ) throws(StateError) -> [Completion.Candidate] {
    let term = completion.parted(at: ",", first: false)?.rest ?? completion
    guard let (key, value) = term.parted(at: "=", first: true) else {
      let forms = [
        ("tag=", "Servers with a tag."), ("kind=", "Changes of a kind."),
        ("action=", "Creations, updates or deletions."),
      ]
      return try names(in: .handles, term, store) + term.fitting(forms)
    }
    switch key {
    case "tag": return try tags(of: nil, value, store)
    case "kind": return value.fitting(Selector.Kind.allCases.map { ($0.rawValue, "") })
    case "action": return value.fitting(Change.Action.allCases.map { ($0.word, "") })
    default: return []
    }
  }
}

extension Completion {
  /// What is typed before a mark, and the completion of what stands behind it.
  fileprivate func parted(at mark: String, first: Bool) -> (before: String, rest: Completion)? {
    let ranges = typed.ranges(of: mark)
    guard let range = first ? ranges.first : ranges.last else { return nil }
    var rest = self
    rest.lead += typed[..<range.upperBound]
    rest.typed = String(typed[range.upperBound...])
    return (String(typed[..<range.lowerBound]), rest)
  }

  fileprivate func fitting(_ words: [(word: String, summary: String)]) -> [Candidate] {
    words.filter { $0.word.hasPrefix(typed) }.map { .init(lead + $0.word, $0.summary) }
  }
}

extension CommandRun {
  /// The state that the command line being typed is about.
  fileprivate func stateBeingTyped(_ completion: Completion) throws(Failure) -> StateStore {
    guard let path = completion.values["state"] else { return try existingState().store }
    return try existingState(at: path).store
  }
}
