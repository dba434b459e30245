import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl user devices`: on which devices a user is signed in.
enum UserDevices {
  static let spec = CommandSpec<Action>(
    "devices", "Set a user's devices.",
    discussion: """
      For administrators. The devices named replace those that were there. Of what a user does on one of them (--device) \
      the others hear.
      """,
    usage: ["USER DEVICE…", "USER --none"],
    examples: [
      Example("circlectl user devices alice phone mac", "Alice is signed in on two devices."),
      Example("circlectl user devices alice --none", "Alice is signed out everywhere."),
    ],
    arguments: [
      ArgumentSpec("user", completion: .kind("user"), "The user."),
      ArgumentSpec("devices", shown: "DEVICE", cardinality: .zeroOrMore, "Names of devices, 1 to 64 bytes each."),
    ],
    options: [.flag("none", "On no device.")], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let user = try run.required("user")
    let devices = run.arguments.arguments("devices").map { Text($0) }
    guard devices.isEmpty == run.arguments.flag("none") else {
      throw Failure(.usage, "name either devices or --none", next: ["'circlectl user list' shows a user's devices."])
    }
    return try run.perform(
      OperationRequest(
        scope: Scope(), users: [user], nothing: "'\(user)' has these devices already; nothing changes",
        done: { [.records(UserRecords(run: run, snapshot: $0.result).details($0.outcome.records.map(\.user)))] },
        operations: { (snapshot) in [.setDevices(snapshot.user(named: user), devices)] }))
  }
}
