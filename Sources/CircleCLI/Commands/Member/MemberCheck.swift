import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl member check`: whether a user is in a server.
enum MemberCheck {
  static let spec = CommandSpec<Action>(
    "check", "Tell whether a user is a member.",
    discussion: "Of himself a user may ask in any server, an administrator of anyone. The answer no ends with 0 too.",
    examples: [Example("circlectl member check swift-fans --as bob", "Says yes or no.")],
    arguments: [.readServer, .userOrCaller], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    try run.tellOfMember("check", "checks", .init("isMember", "member")) {
      (user, server, snapshot, authority) throws(CircleModel.CircleError) in
      .flag(try Query.isInServer(user, server, by: authority, in: snapshot))
    }
  }
}
