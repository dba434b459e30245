import CircleReport
import CircleState
import CommandTree

/// `circlectl state history`: the runs that wrote.
enum StateHistory {
  static let spec = CommandSpec<Action>(
    "history", "List the runs that wrote.",
    discussion:
      "One entry a run, the newest last, with its reason, the guards that it was allowed to pass, and its hash.",
    examples: [Example("circlectl state history --limit 5", "Shows the last five runs.")],
    options: [.value("limit", "N", "Only the last N runs.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let limit = try run.count("limit")
    let state = try run.openForReading()
    let runs = try run.phase(.loading) { () throws(Failure) in
      try run.onState { () throws(StateError) in
        let last = try state.store.head().run
        let first = limit.map { last - min(last, UInt32(clamping: $0)) + 1 } ?? 1
        var entries: [HistoryEntry] = []
        try state.store.history(from: first) { (entry) throws(StateError) in
          entries.append(entry)
          return true
        }
        return entries
      }
    }
    try run.deliver(Report(command: run.command, result: .done, sections: [.history(runs)]))
    return .done
  }
}

extension CommandRun {
  /// The value of an option that counts something; nil when it was not given.
  ///
  /// - Parameter least: the least that it may count.
  func count(_ option: String, from least: Int = 0) throws(Failure) -> Int? {
    guard let text = arguments.value(option) else { return nil }
    guard let number = wholeNumber(text), number >= least else {
      throw Failure(.usage, "--\(option) takes a whole number from \(least), not '\(text)'")
    }
    return number
  }
}

/// A number of at most 18 digits, without sign.
func wholeNumber(_ text: String) -> Int? {
  guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
  return Int(text)
}
