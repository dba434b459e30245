import CircleModel
import CircleReport
import CircleState
import CommandTree
import Diagnostics

/// `circlectl why`: which rule, manifest line and run made something what it is.
enum Why {
  static let spec = CommandSpec<Action>(
    "why", "Tell which rule, manifest line and run made something what it is.",
    discussion: """
      The answer is read from the log, the latest run first: of a server what last wrote each attribute, its handle, \
      stack and settings; of a tag what added or removed it; of a user what brought him in or took him out, gave him \
      his role, or became of an invitation. What has gone into an archive is answered too; what neither is there nor ever \
      was is refused (3).
      """,
    examples: [
      Example("circlectl why swift-fans", "Asks about the server."),
      Example("circlectl why swift-fans/tag:ios", "Asks about a tag, also one that is gone."),
      Example("circlectl why swift-fans/bob", "Asks about a member, also one who is gone."),
    ],
    arguments: [
      ArgumentSpec(
        "subject", completion: .kind("subject"), "HANDLE, HANDLE/tag:NAME or HANDLE/USER.")
    ],
    refuses: OptionSpec.acting, action: Action(run))

  private enum Question {
    case server
    case tag(Text)
    case user(Text)
  }

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let subject = try run.required("subject")
    let (name, question) = try parse(subject)
    let store = try run.openForReading().store
    guard let server = try run.findServer(name, in: store) else { throw run.noServer(name, in: store) }
    if case .user(let id) = question { try requireRegistered(id, store, run) }
    let (answers, cut) = try run.phase(.loading) { () throws(Failure) in
      try run.onState { () throws(StateError) in
        try store.reading { () throws(StateError) in
          let cut = try Checkpoint.read(store.rows)?.run ?? 0
          var reader = ProvenanceReader(store.rows, server: server.number)
          let answers =
            switch question {
            case .server: try reader.ofServer()
            case .tag(let tag): try reader.ofTag(tag)
            case .user(let id): try reader.ofUser(id)
            }
          return (answers, cut)
        }
      }
    }
    guard !answers.isEmpty else { throw nothing(question, server) }
    var isServer = false
    if case .server = question { isServer = true }
    var sections = [
      ReportSection.records(
        RecordList("reason", "reasons", columns, rows: answers.map { row($0) }, form: isServer ? .table : .details))
    ]
    let archived = Set(answers.map(\.run.number).filter { $0 <= cut }).sorted()
    if let last = archived.last {
      let runs = archived.count == 1 ? "Run \(last) has" : "The runs up to \(last) have"
      sections.append(.message("\(runs) gone into an archive: the answer was kept, the rest of its log is there."))
    }
    try run.deliver(Report(command: run.command, result: .done, sections: sections))
    return .done
  }

  private static func parse(_ subject: String) throws(Failure) -> (String, Question) {
    guard let slash = subject.utf8.firstIndex(of: UInt8(ascii: "/")) else { return (subject, .server) }
    let server = String(subject[..<slash])
    let rest = String(subject[subject.utf8.index(after: slash)...])
    let forms = ["A subject is HANDLE, HANDLE/tag:NAME or HANDLE/USER."]
    guard !server.isEmpty, !rest.isEmpty else { throw Failure(.usage, "'\(subject)' is no subject", next: forms) }
    if rest.utf8.starts(with: "tag:".utf8) {
      let tag = Text(String(rest.utf8.dropFirst(4)) ?? "")
      guard !tag.isEmpty else { throw Failure(.usage, "'\(subject)' names no tag", next: forms) }
      return (server, .tag(tag))
    }
    let user = Text(rest)
    if let violation = TextRule.userID.check(user) {
      throw Failure(.usage, "'\(rest)' is no user: \(violation.reason)", next: forms)
    }
    return (server, .user(user))
  }

  private static func requireRegistered(_ id: Text, _ store: StateStore, _ run: CommandRun) throws(Failure) {
    var names = UserNames()
    let user = names.intern(id.string)
    let snapshot = try run.onState { () throws(StateError) in try store.load(Scope(), names: names).snapshot }
    guard !snapshot.isRegistered(user) else { return }
    throw Failure(.refused, "there is no user '\(id)'", next: ["A tag is asked about as HANDLE/tag:NAME."])
  }

  /// Of what the log has nothing to tell.
  private static func nothing(_ question: Question, _ server: Server) -> Failure {
    switch question {
    case .server: return Failure(.refused, "no run has written anything of '\(server.handle)'")
    case .tag(let tag):
      let near = nearestName(to: tag.string, among: server.tags.map(\.name.string)).map { "; did you mean '\($0)'?" }
      return Failure(
        .refused, "'\(server.handle)' has no tag '\(tag)', and no run ever added one\(near ?? "")",
        next: ["'circlectl tag list \(server.handle)' lists its tags."])
    case .user(let id):
      return Failure(
        .refused, "'\(id)' is no member of '\(server.handle)', and no run ever concerned him there",
        next: ["'circlectl member list \(server.handle)' lists its members."])
    }
  }

  private static let columns: [RecordList.Column] = [
    .init("what", "what"), .init("value", "value", widest: RecordList.anyValue),
    .init("operation", "operation"), .init("rule", "rule"),
    .init("file", "manifest"), .init("line", "line"), .init("column", nil), .init("run", "run"),
    .init("time", "time"), .init("command", "command"), .init("by", "by"),
    .init("reason", "reason", widest: RecordList.anyValue),
  ]

  private static func row(_ answer: Provenance) -> [RecordList.Value] {
    [
      .text(answer.aspect.word), .init(answer.value?.string ?? answer.aspect.absence), .text(answer.kind.word),
      .text(answer.rule.word), .init(answer.path), answer.line > 0 ? .number(answer.line) : .none,
      answer.column > 0 ? .number(answer.column) : .none, .number(Int(answer.run.number)), .time(answer.run.time),
      .text(answer.run.request.command),
      .text(answer.isAdministrative ? "administrator, for \(answer.actor)" : answer.actor.string),
      .init(answer.run.request.reason),
    ]
  }
}

extension Provenance.Aspect {
  fileprivate var word: String {
    switch self {
    case .attribute(let field): field.word
    case .handle: "handle"
    case .stack: "stack"
    case .setting(let name): name
    case .tag: "tag"
    case .membership: "membership"
    case .role: "role"
    case .invitation: "invitation"
    }
  }

  /// How a value that went is called.
  fileprivate var absence: String {
    switch self {
    case .attribute, .setting, .handle: "(unset)"
    case .stack: "(none)"
    case .tag: "(removed)"
    case .membership: "(no member)"
    case .role: "user"
    case .invitation: "(withdrawn)"
    }
  }
}
