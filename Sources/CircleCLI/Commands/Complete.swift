import CircleKit
import CircleModel
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
      case "tag": try tags(completion, store)
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

  /// Of the server that stands before.
  private static func tags(
    _ completion: Completion, _ store: StateStore
  ) throws(StateError) -> [Completion.Candidate] {
    guard let name = completion.operands.first else { return [] }
    let snapshot = try store.load(Scope(servers: [Text(name)])).snapshot
    return snapshot.servers.flatMap(\.tags).filter { $0.name.string.hasPrefix(completion.typed) }
      .map { .init(completion.lead + $0.name.string) }
  }
}

extension CommandRun {
  /// The state that the command line being typed is about.
  fileprivate func stateBeingTyped(_ completion: Completion) throws(Failure) -> StateStore {
    guard let path = completion.values["state"] else { return try existingState().store }
    return try existingState(at: path).store
  }
}
