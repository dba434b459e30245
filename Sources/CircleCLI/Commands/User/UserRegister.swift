import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl user register`: users who may act, join and be invited.
enum UserRegister {
  static let spec = CommandSpec<Action>(
    "register", "Register users.",
    discussion: """
      For administrators. Ids have 1 to 64 letters, digits and _ @ . -; two that differ in upper and lower case only are \
      one user. Users are never deleted.
      """,
    examples: [
      Example("circlectl user register bob carol", "Registers both, or none."),
      Example("circlectl user register alice --set nickName=Alice --devices phone,mac", "With profile and devices."),
    ],
    arguments: [.users], options: [.set, .devices], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let users = run.arguments.arguments("users")
    var profile = UserProfile()
    for setting in try run.settings(of: try run.profileUpdate(clears: false, isClient: false)) {
      profile[setting.field] = setting.value
    }
    let devices = run.arguments.values("devices").flatMap { text in
      text.split(separator: ",", omittingEmptySubsequences: false).map { Text(String($0)) }
    }
    return try run.perform(
      OperationRequest(
        scope: Scope(), users: users, nothing: "nothing changes",
        done: { [.records(UserRecords(run: run, snapshot: $0.result).details($0.outcome.records.map(\.user)))] },
        operations: { (snapshot) in
          snapshot.users(named: users).map { .registerUser($0, profile, devices: devices) }
        }))
  }
}
