import CircleModel
import CircleReport

/// How commands tell of invitations.
struct InvitationRecords {
  let run: CommandRun
  let snapshot: Snapshot

  func list(_ invitations: [Query.Invited], next: String? = nil) -> RecordList {
    list("invitation", "invitations", invitations, next: next)
  }

  /// - Parameters:
  ///   - type: what one is called in NDJSON.
  ///   - key: what they are called together.
  func list(
    _ type: String, _ key: StaticString, _ invitations: [Query.Invited], next: String? = nil
  ) -> RecordList {
    let names = run.nicknames(of: invitations.map(\.invitation.invitee), in: snapshot)
    return RecordList(
      type, key,
      [
        .init("server", "server"), .init("inviter", "inviter"), .init("invitee", "invitee"),
        .init("inviteeNickName", "nickname", widest: RecordList.freeText), .init("createdAt", "created"),
        .init("welcome", "welcome", widest: RecordList.freeText),
      ],
      rows: zip(invitations, names).map { invited, name in
        [
          .text(snapshot.handle(of: invited.server).string), .text(snapshot.names[invited.invitation.inviter]),
          .text(snapshot.names[invited.invitation.invitee]), .init(name), .time(invited.invitation.createdAt),
          .init(invited.invitation.welcome?.string),
        ]
      }, next: next)
  }
}
