import CircleKit
import CircleModel
import CircleReport
import CircleState
import CommandTree

/// `circlectl user offboard`: takes a user out of all servers that are not his own.
enum UserOffboard {
  static let spec = CommandSpec<Action>(
    "offboard", "Take a user out of every server.",
    discussion: """
      For administrators. Withdraws the pending invitations that the user sent or got, and removes him from all servers \
      that he is in, in one run; a moderator is not demoted first. The servers that he owns stay his: they are listed, to \
      be destroyed. The user stays registered.

      Without --yes the plan is shown and a person at the terminal is asked.
      """,
    examples: [
      Example("circlectl user offboard bob --dry-run", "Shows what would be done."),
      Example("circlectl user offboard bob --yes --reason 'has left us'", "Does it without asking."),
    ],
    arguments: [ArgumentSpec("user", completion: .kind("user"), "The user.")],
    options: [.yes, .flag("dry-run", "Show the plan and write nothing."), .reason], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let user = try run.required("user")
    guard try run.caller() == .administrator else {
      throw Failure(
        CircleModel.CircleError(
          .noPermission, actor: run.arguments.value("as").map { Text($0) }, "only an administrator may do this"),
        next: ["Nothing was written."])
    }
    return try run.perform(
      OperationRequest(
        scope: Scope(members: .named, serversOfUsers: true, invitations: .ofUsers), users: [user],
        reason: run.arguments.value("reason"),
        nothing: "'\(user)' is in no server of others and has no pending invitations; nothing changes",
        beside: { told($0, user, run) }, isDryRun: run.arguments.flag("dry-run"),
        question: { decision in
          .init(sections: told(decision, user, run), sentence: "Take '\(user)' out of these servers?")
        },
        done: { told($0, user, run) },
        operations: { (snapshot) throws(CircleModel.CircleError) in
          try operations(for: snapshot.user(named: user), in: snapshot)
        }))
  }

  /// Withdrawals, then removals, each by handle, and by the invitee's id within a server.
  private static func operations(
    for user: UserIndex, in snapshot: Snapshot
  ) throws(CircleModel.CircleError) -> [CircleModel.Operation] {
    try Query.requireRegistered(user, in: snapshot)
    let servers = snapshot.servers.indices.map { ServerIndex($0) }.sorted {
      snapshot.handle(of: $0) < snapshot.handle(of: $1)
    }
    var operations: [CircleModel.Operation] = []
    for server in servers {
      let invitations = snapshot[server].invitations
      var invitees = invitations.by(inviter: user, by: snapshot.names).map(\.invitee)
      if invitations.isInvited(user) { invitees.append(user) }
      for invitee in invitees.sorted(by: snapshot.names.precedes) {
        // Of his own all that he got, of others' what he sent.
        operations.append(.withdrawInvitation(server, invitee, inviter: invitee == user ? nil : user))
      }
    }
    for server in servers where snapshot[server].owner != user && snapshot[server].members[user] != nil {
      operations.append(.removeUsers(server, [Removal(user)]))
    }
    return operations
  }

  private static func told(_ decision: Session.Decision, _ user: String, _ run: CommandRun) -> [ReportSection] {
    let before = decision.loaded.snapshot
    let index = before.user(named: user)
    let name = before.names[index]
    let (gone, withdrawn) = (decision.membersGone, decision.invitations)
    let owned = before.servers.indices.map { ServerIndex($0) }.filter { before[$0].owner == index }.sorted {
      before.handle(of: $0) < before.handle(of: $1)
    }
    var sections: [ReportSection] = []
    if !gone.isEmpty {
      sections += [
        .message("'\(name)' is taken out of \(grouped(gone.count, "server"))"),
        .records(
          MemberRecords(run: run, snapshot: before).list("removal", "removals", gone, showsServer: true)),
      ]
    }
    if !withdrawn.isEmpty {
      sections += [
        .message("\(grouped(withdrawn.count, "pending invitation")) to be withdrawn"),
        .records(
          InvitationRecords(run: run, snapshot: before).list("withdrawal", "withdrawals", withdrawn)),
      ]
    }
    if !owned.isEmpty {
      sections += [
        .message("'\(name)' still owns \(grouped(owned.count, "server")), to be destroyed"),
        .records(ServerRecords(run: run, snapshot: before).list(owned)),
      ]
    }
    return sections
  }
}
