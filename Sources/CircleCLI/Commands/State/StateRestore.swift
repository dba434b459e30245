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
    let isInput = path.utf8.elementsEqual("-".utf8)
    let descriptor = isInput ? run.context.input : open(run.context.resolve(path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannotRead(path, errno) }
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
    var failure: Failure?
    do throws(RestoreError) {
      return try store.restore { () throws(StateError) in
        let signal = run.interruption.arrived()
        guard signal == 0 else { throw .interrupted(signal: signal) }
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        var count = read(descriptor, &piece, piece.count)
        while count < 0, errno == EINTR, run.interruption.arrived() == 0 {
          count = read(descriptor, &piece, piece.count)
        }
        guard count >= 0 else {
          failure = cannotRead(path, errno)
          throw .io("")
        }
        return Array(piece[..<count])
      }
    } catch {
      if let failure { throw failure }
      switch error {
      case .state(.stale): throw CommandRun.hasHistory(run.options.state.path)
      case .state(let error): throw Failure(error, location: run.options.state.path)
      case .dump(let fault):
        throw Failure(
          .badInput, "\(path):\(fault.line): \(fault.sentence)",
          next: ["Nothing was written. Another copy of the dump, or another dump, is the way back."])
      }
    }
  }

  private static func cannotRead(_ path: String, _ number: Int32) -> Failure {
    Failure(.badInput, "can't read the dump '\(path)': \(String(cString: strerror(number)))")
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
