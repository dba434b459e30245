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

      Unknown fields and invalid values are filtered out with a warning, and the rest is applied; likewise, with --as, \
      what only an administrator may set. Where nothing is left, nothing is done and the command ends with 64.
      """,
    examples: [
      Example("circlectl user update bob --set nickName=Bob --clear sign", "An administrator changes two fields."),
      Example("circlectl user update bob --set 3=Bob --set 6=1 --as bob", "Bob does it by update tags."),
    ],
    arguments: [.userOrCaller],
    options: [.set, .value("clear", "FIELD", repeatable: true, "Leave a field unset.")], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let user = try run.concernedUser()
    guard !(run.arguments.values("set") + run.arguments.values("clear")).isEmpty else {
      throw Failure(.usage, "no field is named", next: ["--set FIELD=VALUE sets one, --clear FIELD clears one."])
    }
    let isClient = try run.caller() != .administrator
    let update = try run.profileUpdate(clears: true, isClient: isClient)
    let settings = update.settings
    // Where none is left, that is why.
    for fault in update.filtered where !run.options.isQuiet || settings.isEmpty {
      let near = run.fieldMeant(by: fault).map { "; did you mean '\($0)'?" } ?? ""
      run.console.say("circlectl: warning: '\(terminalSafe(fault.key.string))' was left out: \(fault.reason)\(near)\n")
    }
    guard !settings.isEmpty else {
      throw Failure(.usage, "no field is left to update", next: ["Nothing was written."])
    }
    let left = filtered(update)
    return try run.perform(
      OperationRequest(
        scope: Scope(), users: [user], nothing: "the fields of '\(user)' are so already; nothing changes",
        beside: { decision in
          warn(run, of: settings.map(\.field), decision, user)
          return left
        },
        done: { decision in
          warn(run, of: settings.map(\.field), decision, user)
          return [.records(changes(decision))] + left
        },
        operations: { (snapshot) in [.updateUser(snapshot.user(named: user), settings)] }))
  }

  /// Providers come before the state: what one of them says otherwise is shown, not what was set.
  private static func warn(_ run: CommandRun, of fields: [UserField], _ decision: Session.Decision, _ user: String) {
    let id = decision.result.names[decision.result.user(named: user)]
    guard let known = run.providersAnswer(of: id) else { return }
    let profile = decision.result.details[decision.result.user(named: user)]?.profile
    let hidden = fields.filter { field in
      let shown = known.user[field]
      // A list shows the stored nickname of whom the provider has no name for.
      return shown != profile?[field]?.string && (shown != nil || field != .nickName)
    }
    guard !hidden.isEmpty else { return }
    let words = enumerated(hidden.map(\.word)) + (hidden.count == 1 ? " is" : " are")
    run.warn("provider '\(known.provider)' knows '\(id)' too and comes first: its \(words) shown, not what was set")
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
      [
        .init("userId", nil), .init("field", "field"), .init("before", "before", widest: RecordList.anyValue),
        .init("after", "after", widest: RecordList.anyValue),
      ], rows: rows)
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
