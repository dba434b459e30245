import CircleModel
import CircleReport

/// A membership as commands tell it.
struct ShownMember {
  var server: ServerIndex
  var member: Member
}

/// How commands tell of members.
struct MemberRecords {
  let run: CommandRun
  let snapshot: Snapshot

  /// Members of one server.
  func list(_ members: [ShownMember], next: String? = nil) -> RecordList {
    list("member", "members", members, showsServer: false, next: next)
  }

  /// - Parameters:
  ///   - type: what one is called in NDJSON.
  ///   - key: what they are called together.
  ///   - showsServer: whether text tells the server too.
  func list(
    _ type: String, _ key: StaticString, _ members: [ShownMember], showsServer: Bool, next: String? = nil
  ) -> RecordList {
    let names = run.nicknames(of: members.map(\.member.user), in: snapshot)
    return RecordList(
      type, key,
      [
        .init("server", showsServer ? "server" : nil), .init("userId", "user"),
        .init("nickName", "nickname", widest: RecordList.freeText), .init("role", "role"), .init("joinedAt", "joined"),
      ],
      rows: zip(members, names).map { shown, name in
        [
          .text(snapshot.handle(of: shown.server).string), .text(snapshot.names[shown.member.user]), .init(name),
          .text(shown.member.role.word), .time(shown.member.joinedAt),
        ]
      }, next: next)
  }
}
