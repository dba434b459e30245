import CircleKit
import CircleModel
import CircleReport
import CommandTree
import Diagnostics

/// `circlectl user update`: sets and clears fields of a user.
enum UserUpdate {
  static let spec = CommandSpec<Action>(
    "update", "Change a user's profile.",
    discussion: """
      Fields go by their name (nickName, avatarUrl, sign, gender, email, birth, mobile, userInfo.ext; alias, ext, \
      serverExt, thumbAvatarUrl for administrators only) or by the number of their update tag: 3 Nick, 4 Avatar, 5 Sign, \
      6 Gender (0 to 2), 7 Email, 8 Birth, 9 Mobile, 10 Ex.

      With --as a user updates himself: unknown fields, invalid values and what only an administrator may set are \
      filtered out with a warning, and the rest is applied. An administrator's update is applied in full or not at all.
      """,
    examples: [
      Example("circlectl user update bob --set nickName=Bob --clear sign", "An administrator changes two fields."),
      Example("circlectl user update bob --set 3=Bob --set 6=1 --as bob", "Bob does it by update tags."),
    ],
    arguments: [ArgumentSpec("user", completion: .kind("user"), "The user.")],
    options: [.set, .value("clear", "FIELD", repeatable: true, "Leave a field unset.")], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let user = try run.required("user")
    guard !(run.arguments.values("set") + run.arguments.values("clear")).isEmpty else {
      throw Failure(.usage, "no field is named", next: ["--set FIELD=VALUE sets one, --clear FIELD clears one."])
    }
    let isClient = try run.caller() != .administrator
    let update = try run.profileUpdate(clears: true, isClient: isClient)
    let settings = isClient ? update.settings : try run.settings(of: update)
    for filtered in update.filtered {
      run.console.say("circlectl: warning: '\(terminalSafe(filtered.key.string))' was left out: \(filtered.reason)\n")
    }
    guard !settings.isEmpty else {
      throw Failure(.usage, "no field is left to update", next: ["Nothing was written."])
    }
    let left = filtered(update)
    return try run.perform(
      OperationRequest(
        scope: Scope(), users: [user], nothing: "the fields of '\(user)' are so already; nothing changes",
        beside: { _ in left },
        done: { [.records(changes($0))] + left },
        operations: { (snapshot) in [.updateUser(snapshot.user(named: user), settings)] }))
  }

  private static func changes(_ decision: Session.Decision) -> RecordList {
    let rows = decision.outcome.records.flatMap { record -> [[RecordList.Value]] in
      guard case .profile(let changes, _)? = decision.outcome.detail(of: record) else { return [] }
      return changes.map { change in
        [
          .text(decision.result.names[record.user]), .text(change.field.word), .init(change.before?.string),
          .init(change.after?.string),
        ]
      }
    }
    return RecordList(
      "field", "fields",
      [.init("userId", nil), .init("field", "field"), .init("before", "before"), .init("after", "after")], rows: rows)
  }

  /// What was left out, for programs: people have been warned.
  private static func filtered(_ update: ProfileUpdate) -> [ReportSection] {
    guard !update.filtered.isEmpty else { return [] }
    return [
      .records(
        RecordList(
          "filtered", "filtered", [.init("field", nil), .init("cause", nil), .init("message", nil)],
          rows: update.filtered.map { [.text($0.key.string), .text($0.cause.rawValue), .text($0.reason)] },
          form: .unshown))
    ]
  }
}
