import CircleReport
import CircleState
import CommandTree
import Digest
import Glibc

/// `circlectl state restore`: a whole state from the text that `state dump` wrote.
enum StateRestore {
  static let spec = CommandSpec<Action>(
    "restore", "Make a state from what 'state dump' wrote.",
    discussion: """
      Everything is written in one transaction, and only if the whole dump is there and what it holds verifies. A state \
      that has a history is never written over.
      """,
    examples: [
      Example("circlectl state restore circle.ndjson --state new.db", "Makes the state new.db from the dump.")
    ],
    arguments: [ArgumentSpec("file", shown: "FILE", completion: .files, "The dump; - for standard input.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let path = run.arguments.argument("file") ?? "-"
    try run.refuseReports(over: [path], "dump")
    let isInput = path.utf8.elementsEqual("-".utf8)
    let descriptor = isInput ? run.context.input : open(run.context.resolve(path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandRun.cannotRead("dump", path, String(cString: strerror(errno))) }
    defer { if !isInput { close(descriptor) } }
    try run.refuseUsed(run.options.state.path)
    let store = try run.openForWriting()
    let head = try run.holdingLock(of: store) { () throws(Failure) in
      let head = try run.phase(.writing) { () throws(Failure) in try restore(store, from: descriptor, path, run) }
      run.noteWritten(to: store)
      return head
    }
    let sentence = "restored \(grouped(Int(head.run), "run")), head \(head.hash.hex); the state verifies"
    try run.deliver(Report(command: run.command, result: .done, sections: [.message(sentence)]))
    return .done
  }

  private static func restore(
    _ store: StateStore, from descriptor: CInt, _ path: String, _ run: CommandRun
  ) throws(Failure) -> Head {
    try run.readingPieces(
      of: path, "dump", from: descriptor,
      wayBack: "Nothing was written. Another copy of the dump, or another dump, is the way back.",
      refusal: { error in
        if case .stale = error { return CommandRun.hasHistory(run.options.state.path) }
        return nil
      }
    ) { (next) throws(RestoreError) in
      try store.restore(next)
    }
  }
}

extension CommandRun {
  /// Refuses to write over a state that has a history.
  func refuseUsed(_ location: String) throws(Failure) {
    let state = try existingState(at: location)
    let head = try onState(at: location) { () throws(StateError) in try state.store.head() }
    guard head.revision == 0 else { throw Self.hasHistory(location) }
  }

  static func hasHistory(_ location: String) -> Failure {
    Failure(
      .refused, "there is a state at '\(location)' already",
      next: ["It was left as it is; only a place without a state, or an empty one, is written to."])
  }
}
