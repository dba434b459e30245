import CircleKit
import CircleModel
import CircleReport
import CommandTree

/// `circlectl member role`: what a user is in a server.
enum MemberRole {
  static let spec = CommandSpec<Action>(
    "role", "Tell a member's role.",
    discussion: "Of himself a user may ask in any server, an administrator of anyone. Who is no member has no role: 3.",
    examples: [Example("circlectl member role swift-fans bob", "Says owner, moderator or user.")],
    arguments: [.readServer, .userOrCaller], action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    try run.tellOfMember("role", "roles", .init("role", "role")) {
      (user, server, snapshot, authority) throws(CircleModel.CircleError) in
      .text(try Query.role(of: user, in: server, by: authority, in: snapshot).word)
    }
  }
}
