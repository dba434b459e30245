import CircleReport
import CircleState
import CommandTree
import Digest
import Glibc
import JSONText

/// `circlectl state dump`: a whole state as text.
enum StateDump {
  static let spec = CommandSpec<Action>(
    "dump", "Write a whole state, log and all, as text.",
    discussion: """
      One JSON value a line, in a versioned form that 'state restore' reads, with a check on every line. Without FILE it \
      goes to standard output. A dump holds all that the state holds: keep it as carefully.
      """,
    examples: [
      Example("circlectl state dump circle.ndjson", "Writes the state into a file that only its owner can read.")
    ],
    arguments: [
      ArgumentSpec("file", shown: "FILE", cardinality: .optional, completion: .files, "The file to write.")
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let path = run.arguments.argument("file")
    if path == nil, run.arguments.isGiven("output"), run.options.output != .text {
      throw Failure(
        .usage, "a dump has a form of its own, not \(run.options.output.rawValue)", next: ["Leave --output out."])
    }
    let state = try run.openForReading()
    try check(state.store, run)
    guard let path else {
      let head = try write(state.store, run) { (bytes) throws(Failure) in try run.console.write(bytes) }
      try run.deliverToFiles(report(head, of: run, to: "standard output"))
      return .done
    }
    let file = ReplacedFile(path: path, what: "dump", mode: 0o600)
    try run.check(file)
    var head = Head()
    try file.write(in: run.context) { (descriptor) throws(Failure) in
      head = try write(state.store, run) { (bytes) throws(Failure) in try file.write(bytes, to: descriptor) }
    }
    try run.deliver(report(head, of: run, to: "'\(path)'"))
    return .done
  }

  /// What was damaged could not be restored: that is to be known now, not when the dump is needed.
  private static func check(_ store: StateStore, _ run: CommandRun) throws(Failure) {
    let faults = try run.phase(.checking) { () throws(Failure) in
      try run.onState { () throws(StateError) in try store.verify() }
    }
    guard let first = faults.first else { return }
    throw Failure(
      .failed, "the state '\(run.options.state.path)' is damaged, and no dump of it could be restored: \(first)",
      next: [Failure.verifyTellsMore])
  }

  private static func write(
    _ store: StateStore, _ run: CommandRun, _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Head {
    try run.phase(.reporting) { () throws(Failure) in
      try run.writingPieces(to: write) { (drain) throws(StateError) in try store.dump(drain) }
    }
  }

  private static func report(_ head: Head, of run: CommandRun, to place: String) -> Report {
    let runs = grouped(Int(head.run), "run")
    return Report(
      command: run.command, result: .done,
      sections: [.message("dumped \(runs), head \(head.hash.hex), to \(place)")])
  }
}
