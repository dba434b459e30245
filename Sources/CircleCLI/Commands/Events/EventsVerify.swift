import CircleReport
import CircleState
import CommandTree

/// `circlectl events verify`: whether the log is what was written.
enum EventsVerify {
  static let spec = CommandSpec<Action>(
    "verify", "Check that nobody has changed the log.",
    discussion: """
      Each run's hash covers its own entry and log and the hash of the run before it; all are computed anew. That finds \
      any edit which leaves a hash as it was. Who can write the state can also compute new hashes, or cut the last runs \
      off: keep the head that reports and 'state info' print elsewhere, and --head tells whether the log still contains \
      it. Ends with 1 when anything is wrong.

      Where the beginning of the log has gone into archives, the checkpoint that was left is checked, and the hashes of \
      the runs before it are those that were kept; --archive computes them anew from the archives.
      """,
    examples: [
      Example("circlectl events verify", "Checks the whole log."),
      Example("circlectl events verify --head HASH", "Also checks that an earlier head is still part of it."),
      Example("circlectl events verify --archive 2024.ndjson", "Also checks an archive."),
    ],
    options: [
      .value("head", "HASH", "A head that the log had earlier, 64 hexadecimal digits or the first 12 of them or more."),
      .archive("Also check this archive, and that its runs are those of the history; repeatable."),
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let earlier = try run.arguments.value("head").map { (text) throws(Failure) in
      guard text.isHexadecimal, 12...64 ~= text.utf8.count else {
        throw Failure(
          .usage, "'\(text)' is no head of a log",
          next: ["A head is a hash of 64 hexadecimal digits; the first 12 are enough."])
      }
      return text.lowercased()
    }
    let state = try run.openForReading()
    let archive = try run.archive()
    let check = try run.phase(.checking) { () throws(Failure) in
      try run.onState { () throws(StateError) in try state.store.verifyLog(earlier: earlier) }
    }
    var faults = check.faults
    if let earlier, check.run == nil {
      faults.append(
        "the head \(earlier) is no part of the log: the runs up to it were changed, or the last ones were cut off")
    }
    if let archive, faults.isEmpty {
      try run.requireOwn(archive, in: state.store)
    }
    var sections: [ReportSection] = [
      .verification(
        Verification(faults: faults, head: check.head, subject: .log, checkpoint: check.checkpoint))
    ]
    if faults.isEmpty {
      if let archive { sections += sentences(on: archive, check).map { .message($0) } }
      if let number = check.run, earlier != nil { sections.append(.message(sentence(on: number, check, archive))) }
    }
    try run.deliver(Report(command: run.command, result: faults.isEmpty ? .done : .failed, sections: sections))
    guard faults.isEmpty else {
      throw Failure(
        .failed, "the log of '\(run.options.state.path)' is not what was written: \(grouped(faults.count, "fault"))",
        next: ["A copy made before is the way back; its head shows which one."])
    }
    return .done
  }

  /// Where in the history a head is.
  private static func sentence(on number: UInt32, _ check: LogCheck, _ archive: LogArchive?) -> String {
    let after = grouped(Int(check.head.run - number), "run")
    let sentence = "the head given is that of run \(number); \(after) came after it"
    guard let cut = check.checkpoint, number > 0, number < cut.run, archive?.contains(number) != true else {
      return sentence
    }
    return
      "\(sentence). It lies before the checkpoint: its hash was kept, and --archive FILE with the archive that holds "
      + "the run computes it anew"
  }

  /// What each archive holds, and whether the log still has that.
  private static func sentences(on archive: LogArchive, _ check: LogCheck) -> [String] {
    let cut = check.checkpoint?.run ?? 0
    return archive.extents.map { extent in
      let runs = span("run", Int(extent.runs.lowerBound), Int(extent.runs.upperBound))
      let events = extent.events.map { span("event", Int($0.lowerBound), Int($0.upperBound)) } ?? "no event"
      let place =
        extent.runs.upperBound <= cut
        ? "they were cut off the log"
        : "the log still has \(extent.runs.lowerBound > cut ? "them all" : "some of them"): it was not cut there"
      return "the archive holds \(runs), with \(events), as they were written; \(place)"
    }
  }

  private static func span(_ noun: String, _ first: Int, _ last: Int) -> String {
    first == last ? "\(noun) \(first)" : "\(noun)s \(first) to \(last)"
  }
}
