import CircleKit
import CircleModel
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// What a command asks of the domain, and what it says afterwards.
struct OperationRequest {
  /// What of the state the operations need.
  var scope: Scope
  /// Ids of the users that they are about.
  var users: [String] = []
  /// Kept in the history.
  var stack: Text?
  var reason: String?
  /// What to say when nothing would change.
  var nothing: String
  /// What is to be told beside it then.
  var beside: (Session.Decision) -> [ReportSection] = { _ in [] }
  /// Whether only to show what would be done, as the question has it.
  var isDryRun = false
  /// What a person is asked before it is done; nil asks nobody.
  var question: ((Session.Decision) -> Question)?
  /// What was done: sections that come before the run and its events.
  var done: (Session.Decision) -> [ReportSection]
  /// The operations, from what was loaded: all or none.
  var operations: (Snapshot) throws(CircleModel.CircleError) -> [CircleModel.Operation]

  struct Question {
    /// What would be done, in full.
    var sections: [ReportSection]
    /// One sentence with a question mark.
    var sentence: String
  }
}

extension CommandRun {
  /// On whose behalf the command acts: the user of `--as`, or an administrator.
  func caller() throws(Failure) -> Session.Caller {
    let device = arguments.value("device")
    guard let user = arguments.value("as") else {
      guard device == nil else {
        throw Failure(.usage, "--device says on which device a user acts, and there is no --as")
      }
      return .administrator
    }
    return .user(user, device: device)
  }

  func session(on store: StateStore) throws(Failure) -> Session {
    Session(store, as: try caller(), now: now, idSeed: idSeed)
  }

  /// Runs operations on behalf of the caller: load, decide, ask where that is wanted, write, report.
  ///
  /// They are decided once without the lock, so that a run that has nothing to write, or may not, leaves the state
  /// untouched, and again under it.
  func perform(_ request: OperationRequest) throws(Failure) -> ExitStatus {
    let existing = try existingState()
    let first = try decide(request, on: existing.store)
    guard first.changesSomething else { return try unchanged(request, first) }
    if request.isDryRun {
      if existing.isMissing { note("there is no state at '\(options.state.path)' yet; it counts as empty") }
      let sections = request.question?(first).sections ?? []
      try deliver(Report(command: command, result: .different, sections: sections))
      return .done
    }
    checkTime(against: first.loaded.head)
    let wasAsked = try ask(request, first)
    let store = try openForWriting()
    return try holdingLock(of: store) { () throws(Failure) in
      let head = try onState { () throws(StateError) in try store.head() }
      if wasAsked, head.revision != first.loaded.head.revision {
        throw Failure(
          StateError.stale(expected: first.loaded.head.revision, found: head.revision), location: options.state.path)
      }
      let isSame = head.revision == first.loaded.head.revision && !existing.isMissing
      let decision = isSame ? first : try decide(request, on: store)
      guard decision.changesSomething else { return try unchanged(request, decision) }
      return try write(decision, of: request, to: store)
    }
  }

  private func decide(_ request: OperationRequest, on store: StateStore) throws(Failure) -> Session.Decision {
    let session = try session(on: store)
    return try phase(.loading) { () throws(Failure) in
      try inSession(store, writes: true) { () throws(SessionError) in
        try session.decide(in: request.scope, users: request.users, request.operations)
      }
    }
  }

  private func unchanged(_ request: OperationRequest, _ decision: Session.Decision) throws(Failure) -> ExitStatus {
    let sections = [.message(request.nothing)] + request.beside(decision)
    try deliver(Report(command: command, result: .unchanged, sections: sections))
    return .done
  }

  private func write(
    _ decision: Session.Decision, of request: OperationRequest, to store: StateStore
  ) throws(Failure) -> ExitStatus {
    let session = try session(on: store)
    let written = try phase(.writing) { () throws(Failure) in
      let written = try onState { () throws(StateError) in
        try session.commit(
          decision, command: command, stack: request.stack, reason: request.reason, writer: writer)
      }
      noteWritten(to: store)
      return written
    }
    let report = Report(
      command: command, result: .done,
      sections: request.done(decision) + [.run(written), .events(EventsSection(ofRun: written, in: store))])
    try deliver(report, after: written)
    return .done
  }

  /// Whether a person was asked and agreed; `--yes` asks nobody.
  private func ask(_ request: OperationRequest, _ decision: Session.Decision) throws(Failure) -> Bool {
    guard let question = request.question?(decision), !arguments.flag("yes") else { return false }
    guard canAsk else {
      throw Failure(
        .usage, "there is no terminal to ask at, so nothing was done",
        next: ["--yes goes on without asking."])
    }
    try show(Report(command: command, result: .different, sections: question.sections))
    guard try agrees(to: question.sentence) else {
      throw Failure(.refused, "not done: the answer was no", next: ["Nothing was written."])
    }
    return true
  }

  /// Reads on behalf of the caller.
  func reading<R>(
    _ scope: Scope, users: [String] = [], from store: StateStore,
    _ body: (Snapshot, Authority) throws(CircleModel.CircleError) -> R
  ) throws(Failure) -> R {
    let session = try session(on: store)
    return try phase(.loading) { () throws(Failure) in
      try inSession(store) { () throws(SessionError) in try session.read(scope, users: users, body) }
    }
  }

  /// Runs what speaks of sessions, with its errors in a person's words and the nearest name where there is none such.
  private func inSession<R>(
    _ store: StateStore, writes: Bool = false, _ body: () throws(SessionError) -> R
  ) throws(Failure) -> R {
    do throws(SessionError) {
      return try body()
    } catch {
      switch error {
      case .state(let error): throw Failure(error, location: options.state.path)
      case .refused(let error):
        let hint = try nearest(to: error, in: store).map { ["Did you mean '\($0)'?"] } ?? []
        throw Failure(error, next: hint + (writes ? ["Nothing was written."] : []))
      }
    }
  }

  /// A name like the one that was not found.
  private func nearest(to error: CircleModel.CircleError, in store: StateStore) throws(Failure) -> String? {
    if error.name == .notFound, let server = error.server {
      // Where the server is there, it is a tag that is not.
      let isThere = try onState { () throws(StateError) in
        try store.names(in: .handles).contains { Text($0) == server }
      }
      return isThere ? nil : nearestName(to: server.string, among: try knownHandles(in: store))
    }
    guard let user = error.unregistered else { return nil }
    return try nearestUser(to: user, in: store)
  }
}

extension RecordList {
  /// A refused operation, for programs: people have it on standard error.
  init(_ error: CircleModel.CircleError) {
    self.init(
      "refusal", "refusals",
      [
        .init("cause", nil), .init("number", nil), .init("server", nil), .init("actor", nil), .init("message", nil),
      ],
      rows: [
        [
          .text(error.name.rawValue), error.name.number.map { .number($0) } ?? .none, .init(error.server?.string),
          .init(error.actor?.string), .text(error.reason),
        ]
      ], form: .unshown)
  }
}

extension Failure {
  /// An operation or a read that the domain refuses.
  init(_ error: CircleModel.CircleError, next: [String]) {
    let number = error.name.number.map { " \($0)" } ?? ""
    let isUsage = error.name == .invalidParam
    self.init(
      isUsage ? .usage : .refused, "refused: \(error.concern)\(error.reason) (\(error.name.rawValue)\(number))",
      next: next)
    refusal = error
  }
}

extension CircleModel.CircleError {
  /// The server and the actor, before the reason: `swift-fans, as dave: `. A server that the reason quotes is not named
  /// twice.
  fileprivate var concern: String {
    var parts: [String] = []
    if let server, reason.firstRange(of: "'\(server)'") == nil { parts.append(server.string) }
    if let actor { parts.append("as \(actor)") }
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + ": "
  }
}
