import CircleKit
import CircleModel
import CommandTree

/// `circlectl member leave`: a member goes.
enum MemberLeave {
  static let spec = CommandSpec<Action>(
    "leave", "Leave a server.",
    discussion: "All members who remain hear of it. The owner can't leave, only destroy the server.",
    examples: [Example("circlectl member leave swift-fans --as bob", "Bob leaves.")],
    arguments: [.server, .userOrCaller], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let user = try run.concernedUser()
    return try run.performOnServer(users: [user], done: run.members(gone:)) { server, snapshot in
      [.leaveServer(server, snapshot.user(named: user))]
    }
  }
}
