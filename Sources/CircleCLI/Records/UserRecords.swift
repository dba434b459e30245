import CircleModel
import CircleReport

/// How commands tell of users.
struct UserRecords {
  let run: CommandRun
  let snapshot: Snapshot

  /// A line each.
  func list(_ users: [UserIndex], next: String? = nil) -> RecordList {
    let names = run.nicknames(of: users, in: snapshot)
    return RecordList(
      "user", "users",
      [
        .init("userId", "user"), .init("nickName", "nickname", widest: RecordList.freeText),
        .init("devices", "devices"), .init("owned", "owned"), .init("joined", "joined"),
      ],
      rows: zip(users, names).map { user, name in
        [.text(snapshot.names[user]), .init(name), devices(of: user)] + counts(of: user)
      }, next: next)
  }

  /// Users in full, as they are stored.
  func details(_ users: [UserIndex]) -> RecordList {
    RecordList(
      "user", "users",
      [.init("userId", "user")] + Self.fields.map { .init($0.key, $0.field.word) } + [
        .init("devices", "devices"), .init("owned", "owned"), .init("joined", "joined"),
      ],
      rows: users.map { user in
        let profile = snapshot.details[user]?.profile ?? UserProfile()
        return [.text(snapshot.names[user])] + Self.fields.map { .init(profile[$0.field]?.string) }
          + [devices(of: user)] + counts(of: user)
      }, form: .details)
  }

  /// The names in JSON are those of `UserField.word`; a test compares them.
  static let fields: [(field: UserField, key: StaticString)] = [
    (.nickName, "nickName"), (.avatarUrl, "avatarUrl"), (.thumbAvatarUrl, "thumbAvatarUrl"), (.sign, "sign"),
    (.gender, "gender"), (.email, "email"), (.birth, "birth"), (.mobile, "mobile"), (.userInfoExt, "userInfo.ext"),
    (.alias, "alias"), (.ext, "ext"), (.serverExt, "serverExt"),
  ]

  private func devices(of user: UserIndex) -> RecordList.Value {
    .texts((snapshot.details[user]?.devices ?? []).map(\.string))
  }

  private func counts(of user: UserIndex) -> [RecordList.Value] {
    [.number(Int(snapshot[user].owned)), .number(Int(snapshot[user].joined))]
  }
}
