import CircleModel
import CircleReport
import CircleState
import CommandTree
import Digest

/// `circlectl events archive`: moves the beginning of the log into a file.
enum EventsArchive {
  static let spec = CommandSpec<Action>(
    "archive", "Move the beginning of the log into a file.",
    discussion: """
      All runs before the time, from the first that the log still has, go into FILE: their entries, changes and events, \
      with the hashes that prove them. In their place the state keeps a checkpoint: what the state was there, which \
      'state verify' goes on from, the entries of these runs with their hashes, and what 'why' needs of them.

      FILE is written as a whole, for its owner alone, before the log is cut; then the cut is one transaction, and a run \
      of its own. A file that is there is never written over. 'events list' and 'events verify' read it again with \
      --archive.

      What the cut takes away: 'state undo' of these runs, and --recipient and --expand-audience before the cut.
      """,
    examples: [
      Example("circlectl events archive --before 2025-01-01 2024.ndjson", "Archives all that happened before 2025."),
      Example("circlectl events archive --before 365d log.ndjson --dry-run", "Tells what is older than a year."),
    ],
    arguments: [ArgumentSpec("file", shown: "FILE", completion: .files, "The archive, a file that is not there yet.")],
    options: [
      .value(
        "before", "DATE", required: true,
        "Runs before this: 2025-01-02 (its beginning in UTC), 2025-01-02T03:04:05Z, or so long ago, such as 90d or 12w."
      ), .flag("dry-run", "Tell what would be archived and write nothing."), .reason,
    ],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let before = try time(run)
    let path = try run.required("file")
    let file = NewFile(path, what: "archive", in: run.context)
    guard !file.exists else { throw taken(path) }
    try run.check(ReplacedFile(path: path, what: file.what, mode: 0o600))
    let state = try run.openForReading()
    let found = try run.phase(.loading) { () throws(Failure) in
      try run.onState { () throws(StateError) in try state.store.extent(before: before) }
    }
    guard let found else {
      try run.deliver(Report(command: run.command, result: .done, sections: [.message(nothing(before))]))
      return .done
    }
    guard !run.arguments.flag("dry-run") else {
      try run.deliver(
        Report(
          command: run.command, result: .done,
          sections: [
            .records(RecordList(found)), .message("Nothing was written: this is what would go into '\(path)'."),
          ]))
      return .done
    }
    let store = try run.openForWriting()
    var cutAway = found
    let written = try run.holdingLock(of: store) { () throws(Failure) -> Run in
      run.checkTime(against: try run.onState { () throws(StateError) in try store.head() })
      let cut = try write(file, before: before, from: store, run)
      cutAway = cut.extent
      let written = try make(cut, in: store, file, run)
      run.noteWritten(to: store)
      return written
    }
    try run.deliver(
      Report(command: run.command, result: .done, sections: [.records(RecordList(cutAway)), .run(written)]),
      after: written)
    return .done
  }

  // MARK: The two steps

  /// Works out the cut and writes the archive.
  private static func write(
    _ file: NewFile, before time: Int64, from store: StateStore, _ run: CommandRun
  ) throws(Failure) -> LogCut {
    var cut: LogCut?
    try run.phase(.writing) { () throws(Failure) in
      try file.write(taken: { taken(file.path) }) { (descriptor) throws(Failure) in
        try run.writingPieces(to: { (bytes) throws(Failure) in try file.write(bytes, to: descriptor) }) {
          (drain) throws(StateError) in
          cut = try store.prepareCut(before: time) { (source) throws(StateError) in try source.write(drain) }
        }
      }
    }
    guard let cut else {
      file.remove()
      throw Failure(.stale, "another run has archived these runs meanwhile", next: ["Nothing was written."])
    }
    return cut
  }

  /// Cuts the log. The archive is taken back where it is certain that the log was not cut.
  private static func make(
    _ cut: LogCut, in store: StateStore, _ file: NewFile, _ run: CommandRun
  ) throws(Failure) -> Run {
    var isOpen = false
    do throws(Failure) {
      return try run.phase(.writing) { () throws(Failure) in
        let request = RunRequest(
          kind: .archive, command: run.command, reason: run.arguments.value("reason"), writer: run.writer)
        return try run.onState { () throws(StateError) in
          try store.cut(cut, time: run.now, request: request) { isOpen = true }
        }
      }
    } catch {
      var failure = error
      switch failure.kind {
      // Then it is certain, however late it came.
      case .interrupted, .locked, .stale: isOpen = false
      default: break
      }
      if !isOpen {
        file.remove()
      } else {
        failure.next += [
          "The archive '\(file.path)' was left where it is.",
          "'circlectl events verify --archive \(file.path)' tells whether the log was cut; if not, remove the file.",
        ]
      }
      throw failure
    }
  }

  // MARK: Words

  /// The time of `--before`, Unix milliseconds.
  private static func time(_ run: CommandRun) throws(Failure) -> Int64 {
    let text = run.arguments.value("before") ?? ""
    if let time = UTCTime.milliseconds(parsing: text) ?? UTCTime.milliseconds(parsing: "\(text)T00:00:00Z") {
      return time
    }
    if let age = TimeSpan(text, atMostDays: 36_500) { return run.now - Int64(age.milliseconds) }
    throw Failure(
      .usage, "'\(text)' is no time",
      next: ["--before takes 2025-01-02, 2025-01-02T03:04:05Z, or so long ago: 90d, 12w, 12h."])
  }

  private static func nothing(_ time: Int64) -> String {
    "The log has no run before \(UTCTime.text(time)); nothing was archived."
  }

  private static func taken(_ path: String) -> Failure {
    Failure(
      .refused, "'\(path)' is there already, and an archive is never written over",
      next: [
        "If an archive that failed has left it, 'circlectl events verify --archive \(path)' tells whether the log "
          + "still has its runs; then it may be removed."
      ])
  }
}

extension RecordList {
  /// What goes into an archive.
  init(_ extent: CutExtent) {
    self.init(
      "archive", "archive",
      [
        .init("firstRun", "first run"), .init("lastRun", "last run"), .init("from", "from"),
        .init("through", "through"), .init("firstSeq", "first event"), .init("lastSeq", "last event"),
        .init("runs", "runs"), .init("events", "events"), .init("head", "head"),
      ],
      rows: [
        [
          .number(Int(extent.runs.lowerBound)), .number(Int(extent.runs.upperBound)),
          .time(extent.times.lowerBound), .time(extent.times.upperBound),
          extent.events.map { .number(Int($0.lowerBound)) } ?? .none,
          extent.events.map { .number(Int($0.upperBound)) } ?? .none, .number(extent.runCount),
          .number(extent.eventCount), .text(extent.hash.hex),
        ]
      ], form: .details)
  }
}
