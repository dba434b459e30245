import CircleKit
import CircleModel
import CircleReport
import CircleState
import CommandTree
import Glibc

/// `circlectl events list --follow`: what is there, then what comes.
extension EventsList {
  /// How often a state is looked at for news.
  private static let pause: UInt32 = 200_000

  static func follow(_ run: CommandRun) throws(Failure) -> ExitStatus {
    guard run.options.output.isStreamed, run.options.reports.isEmpty else {
      throw Failure(
        .usage, "--follow has no end, which a document and a report have",
        next: ["-o ndjson writes an event a line, as it comes."])
    }
    guard run.arguments.values("archive").isEmpty else {
      throw Failure(.usage, "--follow waits for what comes, and nothing more comes into an archive")
    }
    let recipient = try run.recipient()
    var rest = try run.count("limit") ?? Int.max
    var state = try run.openForReading()
    if let recipient, !state.isMissing { try run.requireKnown(recipient, in: state.store, log: state.store) }
    while state.isMissing {
      guard try goesOn(run) else { return .done }
      state = try run.existingState()
    }
    let store = state.store
    let file = FollowedFile(run)
    try run.checkBegin(of: store)
    let following = Following(try EventSelection(run, recipient: recipient, in: store, log: store))
    while rest > 0 {
      // Asked before the log is read, so that what was written before the state was replaced is told.
      let end = file.end(run)
      do throws(Failure) {
        try run.tell(following.batch(from: store, atMost: rest, run) { rest -= $0 })
      } catch  where error.kind == .locked {
        // Who writes now is done soon.
      }
      if let end { throw end }
      guard rest > 0, try goesOn(run) else { break }
    }
    return .done
  }

  /// Waits a little; false when nobody reads any more.
  private static func goesOn(_ run: CommandRun) throws(Failure) -> Bool {
    var reader = pollfd(fd: run.context.output, events: 0, revents: 0)
    if run.console.isOutputClosed || (poll(&reader, 1, 0) > 0 && reader.revents & Int16(POLLERR) != 0) { return false }
    usleep(pause)
    try run.checkInterrupted()
    return true
  }
}

/// The file of the state that is followed: SQLite goes on with the one that it has open, in which nothing happens any
/// more once the path leads elsewhere.
private struct FollowedFile {
  /// nil for a state on a server.
  private let path: String?
  private let identity: FilePlace.Identity?

  init(_ run: CommandRun) {
    if case .file(let path) = run.options.state.place(in: run.context) {
      self.path = path
      identity = FilePlace.identity(of: path)
    } else {
      path = nil
      identity = nil
    }
  }

  /// Why following ends, where the path leads elsewhere by now.
  func end(_ run: CommandRun) -> Failure? {
    guard let path, let identity else { return nil }
    let now = FilePlace.identity(of: path)
    guard now != identity else { return nil }
    let isGone = now == nil
    return Failure(
      .failed,
      "the state '\(run.options.state.path)' was \(isGone ? "removed" : "replaced by another") while it was followed",
      next: [isGone ? "The same command waits for a new one." : "The same command follows the new one."])
  }
}

/// What of the log is wanted, and how far it was read.
private final class Following {
  private let selection: EventSelection
  private var follower = EventFollower()
  /// The number of the last event that was read; nil before the first reading.
  private var seen: Int64?
  /// How far the state had come when it was last read.
  private var head = Head()

  init(_ selection: EventSelection) {
    self.selection = selection
    seen = selection.since
  }

  /// The events that are new, at most so many; `told` gets their number.
  func batch(
    from store: StateStore, atMost limit: Int, _ run: CommandRun, told: @escaping (Int) -> Void
  ) -> Report {
    let section = EventsSection(.listing) { [self] (receiver: EventsSection.Receiver) throws(StateError) in
      var rest = limit
      defer { told(limit - rest) }
      let head = try store.head()
      guard head.revision != self.head.revision else { return }
      guard head.run >= self.head.run, head.nextSeq >= self.head.nextSeq else {
        throw .io("the state was replaced by an earlier one while it was followed")
      }
      defer { self.head = head }
      try store.reading { () throws(StateError) in
        let log = EventLog(store.rows)
        if selection.needsAudience {
          try follower.forEachNew(in: log, since: selection.since) { (event, audience) throws(StateError) in
            try selection.take(event, audience.names, audience, &rest, run, receiver)
          }
        } else {
          let runs = max(self.head.run, 1)...RowKey.last.a
          try log.forEach(since: seen, runs: runs) { (event, names) throws(StateError) in
            seen = event.seq
            return try selection.take(event, names, nil, &rest, run, receiver)
          }
          seen = max(seen ?? 0, head.nextSeq - 1)
        }
      }
    }
    return Report(command: run.command, result: .done, sections: [.events(section)])
  }
}
