import CircleKit
import CircleModel
import CircleReport

/// What is alike in the commands that work on the server of their first argument.
extension CommandRun {
  /// Runs operations on the server that the command line names; of its members only those named are read.
  ///
  /// - Parameters:
  ///   - users: ids of the users that they are about.
  ///   - nothing: what to say when nothing would change.
  ///   - done: what was done: sections that come before the run and its events.
  ///   - operations: all or none.
  func performOnServer(
    users: [String] = [], reason: String? = nil, nothing: String = "nothing changes",
    done: @escaping (Session.Decision) -> [ReportSection],
    _ operations: @escaping (ServerIndex, Snapshot) throws(CircleModel.CircleError) -> [CircleModel.Operation]
  ) throws(Failure) -> ExitStatus {
    let name = try required("server")
    return try perform(
      OperationRequest(
        scope: Scope(servers: [Text(name)], members: .named), users: users, reason: reason, nothing: nothing,
        done: done,
        operations: { (snapshot) throws(CircleModel.CircleError) in
          try operations(try snapshot.server(named: name), snapshot)
        }))
  }

  /// Tells one thing of a user and the server that the command line names.
  ///
  /// - Parameters:
  ///   - type: what it is called, in NDJSON.
  ///   - key: the key in JSON.
  ///   - column: of the value.
  func tellOfMember(
    _ type: String, _ key: StaticString, _ column: RecordList.Column,
    _ value: (UserIndex, ServerIndex, Snapshot, Authority) throws(CircleModel.CircleError) -> RecordList.Value
  ) throws(Failure) -> ExitStatus {
    let user = try concernedUser()
    let state = try openForReading()
    let name = try readServer(in: state.store)
    let scope = Scope(servers: [Text(name)], members: .named)
    let list = try reading(scope, users: [user], from: state.store) {
      (snapshot, authority) throws(CircleModel.CircleError) in
      let server = try snapshot.server(named: name)
      let index = snapshot.user(named: user)
      let told = try value(index, server, snapshot, authority)
      return RecordList(
        type, key, [.init("server", "server"), .init("userId", "user"), column],
        rows: [[.text(snapshot.handle(of: server).string), .text(snapshot.names[index]), told]], form: .details)
    }
    return try deliver(list, nothing: "")
  }

  // MARK: What was done

  func members(afterwards decision: Session.Decision) -> [ReportSection] {
    [.records(MemberRecords(run: self, snapshot: decision.result).list(decision.membersAfterwards))]
  }

  func members(gone decision: Session.Decision) -> [ReportSection] {
    [.records(MemberRecords(run: self, snapshot: decision.result).list(decision.membersGone))]
  }

  func invitations(of decision: Session.Decision) -> [ReportSection] {
    [.records(InvitationRecords(run: self, snapshot: decision.result).list(decision.invitations))]
  }

  func tags(of decision: Session.Decision) -> [ReportSection] {
    decision.outcome.records.map { .records(TagRecords(server: decision.result[$0.server]).list(decision.tags)) }
  }
}
