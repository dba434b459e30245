import CircleKit
import CircleModel
import CircleProviders
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// Shows users by the order of providers, cache and state.
struct UserReading {
  private let run: CommandRun
  private let mode: CachedProvider.Mode
  private let fetches: Bool

  /// - Parameter fetches: whether commands may be run.
  init(_ run: CommandRun, fetches: Bool) {
    self.run = run
    mode = fetches && run.arguments.flag("refresh") ? .refreshing : .asked
    self.fetches = fetches
  }

  func perform() throws(Failure) -> ExitStatus {
    let ids = try userIDs()
    let providers = try run.providers(for: ids, mode)
    let state = try run.openForReading()
    let (hosted, provided) = try run.phase(.loading) { () throws(Failure) in
      (try run.hostedUsers(ids, in: state.store), lookUp(ids, providers))
    }
    try run.checkInterrupted()
    run.tellWarnings(of: providers)
    let rows = ids.map { row(of: $0, hosted[$0], provided[$0]) }
    let unknown = zip(ids, rows).compactMap { $1 == nil ? $0 : nil }
    if let failure = providers.failures.first {
      for failure in providers.failures { run.tell(failure.faults, failure.files) }
      for other in providers.failures.dropFirst() { run.console.say("circlectl: \(terminalSafe(other.message))\n") }
      let faults = providers.failures.first { !$0.faults.isEmpty }.map { FaultList($0.faults, files: $0.files) }
      let shown = Report(
        command: run.command, result: .failed,
        sections: [.users(rows.compactMap { $0 })] + (faults.map { [.faults($0)] } ?? []))
      var whole = shown
      whole.sections += providers.failures.map { .message($0.message) }
      // People have the sentences on standard error.
      try run.deliver(whole, shown: shown)
      throw Failure(.failed, failure.message, next: failure.next)
    }
    var sections: [ReportSection] = [.users(rows.compactMap { $0 })]
    if let first = unknown.first {
      let (sentence, next) = try tellUnknown(first, of: unknown.count, providers, state.store)
      // A fetch answers for those who are known, as the SDK's does.
      guard fetches, unknown.count < ids.count else {
        throw Failure(.refused, "refused: \(sentence) (notRegistered)", next: next)
      }
      run.warn(([sentence] + next).joined(separator: ". "))
      sections.append(.records(Self.list(unknown)))
    }
    try run.deliver(Report(command: run.command, result: .done, sections: sections))
    return .done
  }

  /// The users named, each once.
  private func userIDs() throws(Failure) -> [String] {
    var seen: Set<UserKey> = []
    var ids: [String] = []
    for id in try run.concernedUsers() {
      if let violation = TextRule.check(Text(id), as: .userID) {
        throw Failure(.usage, "'\(id)' is no user id: \(violation.reason) (\(violation.name.rawValue) 110)")
      }
      if seen.insert(UserKey(id)).inserted { ids.append(id) }
    }
    return ids
  }

  private struct Provided: Sendable {
    var user: CircleKit.User
    var provider: String
    var origin: ProviderSet.Origin
  }

  private func lookUp(_ ids: [String], _ providers: ProviderSet) -> [String: Provided] {
    if providers.isEmpty { return [:] }
    let fetches = self.fetches
    let found = waitFor { () -> [String: Provided] in
      let directory = UserDirectory()
      for delegate in providers.delegates { await directory.addDelegate(delegate) }
      let shown = fetches ? await directory.lookUp(ids) : await directory.lookUpLocally(ids)
      var found: [String: Provided] = [:]
      for (id, answer) in zip(ids, shown) {
        guard let delegate = answer.delegate, let origin = providers.origin(of: id, in: delegate) else { continue }
        found[id] = Provided(user: answer.user, provider: origin.provider, origin: origin.origin)
      }
      providers.finish()
      return found
    }
    return found ?? [:]
  }

  /// nil where nobody knows him.
  private func row(of id: String, _ hosted: CircleKit.User?, _ provided: Provided?) -> UserRow? {
    guard let user = provided?.user ?? hosted else { return nil }
    let fields = UserField.allCases.compactMap { field in user[field].map { UserRow.Field(field.word, $0) } }
    let source: UserRow.Source =
      switch provided?.origin {
      case nil: .state
      case .file: .file
      case .cache: .cache
      case .fetch: .fetch
      }
    return UserRow(
      userID: hosted?.userId ?? user.userId, fields: fields, isRegistered: hosted != nil, source: source,
      provider: provided?.provider)
  }

  /// Whom nobody knows, for programs: people are warned.
  private static func list(_ unknown: [String]) -> RecordList {
    RecordList(
      "unknown", "unknown", [.init("userId", nil), .init("cause", nil)],
      rows: unknown.map { [.text($0), .text(CircleErrorName.notRegistered.rawValue)] }, form: .unshown)
  }

  /// That nobody knows the user, and what to do next.
  private func tellUnknown(
    _ id: String, of count: Int, _ providers: ProviderSet, _ store: StateStore
  ) throws(Failure) -> (sentence: String, next: [String]) {
    let meant = try run.nearestUser(to: Text(id), in: store) ?? nearestName(to: id, among: providers.userIDs)
    let more = count > 1 ? " (and \(grouped(count - 1)) more)" : ""
    let who = providers.isEmpty ? "is not registered" : "is not registered, and no provider knows him"
    var next = meant.map { ["Did you mean '\($0)'?"] } ?? []
    if !fetches, !providers.isEmpty { next.append("'circlectl user fetch' asks the providers' commands.") }
    return ("the user '\(id)'\(more) \(who)", next)
  }
}
