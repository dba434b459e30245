import CircleModel
import CircleReport
import CircleState

extension CommandRun {
  /// Runs one operation in the name of an administrator: load, decide, write, report.
  ///
  /// - Parameters:
  ///   - scope: what of the state the operation needs.
  ///   - stack: kept in the history.
  ///   - done: what to say when it is written.
  ///   - nothing: what to say when the operation would change nothing.
  ///   - make: finds in the snapshot what the operation is about.
  func perform(
    in scope: Scope, stack: Text? = nil, done: String, nothing: String,
    _ make: (Snapshot) throws(Failure) -> CircleModel.Operation
  ) throws(Failure) -> ExitStatus {
    let store = try openForWriting()
    return try holdingLock(of: store) { () throws(Failure) in
      let loaded = try phase(.loading) { () throws(Failure) in
        try onState { () throws(StateError) in try store.load(scope) }
      }
      var snapshot = loaded.snapshot
      var context = RunContext(
        kind: .command, time: max(now, loaded.head.time), ids: IDSource(seed: idSeed, nextSeq: loaded.head.nextSeq))
      var outcome = Outcome()
      let operation = try make(snapshot)
      do throws(CircleError) {
        try decide(
          operation, by: .administrator, from: .command, in: snapshot, context: &context, into: &outcome)
      } catch {
        throw Failure(error)
      }
      guard !outcome.records.isEmpty else {
        try deliver(Report(command: command, result: .unchanged, sections: [.message(nothing)]))
        return .done
      }
      for record in outcome.records { snapshot.apply(record, of: outcome, in: context) }
      let request = RunRequest(kind: .command, command: command, stack: stack, writer: writer)
      let written = try phase(.writing) { () throws(Failure) in
        let written = try onState { () throws(StateError) in
          try store.commit(outcome, result: snapshot, on: loaded, time: context.time, request: request)
        }
        hasWritten = true
        return written
      }
      let report = Report(
        command: command, result: .done,
        sections: [.message(done), .run(written), .events(EventsSection(ofRun: written, in: store))])
      try deliver(report, after: written)
      return .done
    }
  }
}

extension Failure {
  /// An operation that the domain refuses.
  init(_ error: CircleError) {
    let number = error.name.number.map { " \($0)" } ?? ""
    let isUsage = error.name == .invalidParam
    self.init(
      isUsage ? .usage : .refused, "refused: \(error.reason) (\(error.name.rawValue)\(number))",
      next: ["Nothing was written."])
  }
}
