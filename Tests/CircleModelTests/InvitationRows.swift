import CircleModel

private typealias W = World

enum InvitationRows {
  static let all: [DecideTests.Row] = inviting + answering + withdrawing

  private static func invite(_ user: UserIndex, _ welcome: Text? = nil) -> Operation {
    .inviteUser(W.priv, user, welcome: welcome)
  }

  private static func accept(_ user: UserIndex, of inviter: UserIndex = W.alice) -> Operation {
    .acceptInvitation(W.priv, inviter: inviter, invitee: user)
  }

  private static func decline(_ user: UserIndex, of inviter: UserIndex = W.alice) -> Operation {
    .declineInvitation(W.priv, inviter: inviter, invitee: user)
  }

  private static let sent = DecideTests.Row.Expected.events(["onReceiveServerInvitation invitee 1"])

  private static let inviting: [DecideTests.Row] = [
    .init("the owner invites", invite(W.dave), by: .user(W.alice), sent),
    .init("a moderator invites", invite(W.dave), by: .user(W.mod), sent),
    .init("any member invites", invite(W.dave), by: .user(W.bob), sent),
    .init("an administrator invites as the owner", invite(W.dave), sent),
    .init("a repeat is sent again", invite(W.dave), after: [invite(W.dave)], sent),
    .init("an outsider invites", invite(W.dave), by: .user(W.erin), .refused(.notMember, nil)),
    .init("a member is invited", invite(W.bob), .refused(.repeatedOperation, 114)),
    .init("the owner is invited", invite(W.alice), by: .user(W.bob), .refused(.repeatedOperation, 114)),
    .init("one who is not registered is invited", invite(W.ghost), .refused(.notRegistered, nil)),
    .init(
      "a welcome is over 500", invite(W.dave, Text(String(repeating: "w", count: 501))),
      .refused(.queryParamReachesLimit, 112)),
    .init("a welcome has a control character", invite(W.dave, "a\u{7}"), .refused(.invalidParam, 110)),
    .init(
      "the inviter's devices hear", invite(W.dave), after: [.setDevices(W.alice, ["a"])],
      .events(["onReceiveServerInvitation invitee 1", "multiDevices.InviteUser otherDevices 1"])),
  ]

  private static let accepted = DecideTests.Row.Expected.events([
    "onServerInvitationBeAccepted inviter 1", "onMemberJoinedServer membersExcept 4",
  ])
  private static let declined = DecideTests.Row.Expected.events(["onServerInvitationBeDeclined inviter 1"])

  private static let answering: [DecideTests.Row] = [
    .init("the invitee accepts", accept(W.dave), by: .user(W.dave), after: [invite(W.dave)], accepted),
    .init("an administrator accepts for him", accept(W.dave), after: [invite(W.dave)], accepted),
    .init("another accepts", accept(W.dave), by: .user(W.erin), after: [invite(W.dave)], .refused(.noPermission, nil)),
    .init("there is no invitation", accept(W.dave), by: .user(W.dave), .refused(.noInvitation, nil)),
    .init(
      "the invitation is another inviter's", accept(W.dave, of: W.bob), after: [invite(W.dave)],
      .refused(.noInvitation, nil)),
    .init("a member accepts", accept(W.bob), .refused(.repeatedOperation, 114)),
    .init(
      "it was accepted already", accept(W.dave), after: [invite(W.dave), accept(W.dave)],
      .refused(.repeatedOperation, 114)),
    .init(
      "the joined-limit is reached", accept(W.dave), after: [invite(W.dave), .setLimit(.joined, 0)],
      .refused(.reachLimit, 113)),
    .init(
      "the invitee's devices hear that he accepted", accept(W.dave),
      after: [invite(W.dave), .setDevices(W.dave, ["a"])],
      .events([
        "onServerInvitationBeAccepted inviter 1", "onMemberJoinedServer membersExcept 4",
        "multiDevices.InviteBeAccepted otherDevices 1",
      ])),
    .init("the invitee declines", decline(W.dave), by: .user(W.dave), after: [invite(W.dave)], declined),
    .init("an administrator declines for him", decline(W.dave), after: [invite(W.dave)], declined),
    .init(
      "another declines", decline(W.dave), by: .user(W.alice), after: [invite(W.dave)], .refused(.noPermission, nil)),
    .init("there is nothing to decline", decline(W.dave), .refused(.noInvitation, nil)),
    .init(
      "it was declined already", decline(W.dave), after: [invite(W.dave), decline(W.dave)],
      .refused(.noInvitation, nil)),
    .init(
      "the invitee's devices hear that he declined", decline(W.dave),
      after: [invite(W.dave), .setDevices(W.dave, ["a"])],
      .events(["onServerInvitationBeDeclined inviter 1", "multiDevices.InviteBeDeclined otherDevices 1"])),
  ]

  private static func withdraw(_ user: UserIndex, of inviter: UserIndex? = nil) -> Operation {
    .withdrawInvitation(W.priv, user, inviter: inviter)
  }

  private static let withdrawing: [DecideTests.Row] = [
    .init("an administrator withdraws all", withdraw(W.dave), after: [invite(W.dave)], .events([])),
    .init("an inviter withdraws his own", withdraw(W.dave), by: .user(W.alice), after: [invite(W.dave)], .events([])),
    .init(
      "another has none to withdraw", withdraw(W.dave), by: .user(W.bob), after: [invite(W.dave)],
      .refused(.noInvitation, nil)),
    .init(
      "one withdraws another's", withdraw(W.dave, of: W.alice), by: .user(W.bob), after: [invite(W.dave)],
      .refused(.noPermission, nil)),
    .init("there is none", withdraw(W.dave), .refused(.noInvitation, nil)),
  ]
}
