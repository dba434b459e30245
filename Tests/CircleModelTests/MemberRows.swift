import CircleModel

private typealias W = World

enum MemberRows {
  static let all: [DecideTests.Row] = joining + leaving + removing + assigning

  private static let joined = DecideTests.Row.Expected.events(["onMemberJoinedServer membersExcept 4"])

  private static let joining: [DecideTests.Row] = [
    .init("any user joins a public server", .joinServer(W.pub, W.dave), by: .user(W.dave), joined),
    .init("an administrator adds to a public server", .joinServer(W.pub, W.dave), joined),
    .init("an administrator adds to a private server", .joinServer(W.priv, W.dave), joined),
    .init(
      "a user joins a private server", .joinServer(W.priv, W.dave), by: .user(W.dave), .refused(.privateServer, nil)),
    .init("the owner adds another", .joinServer(W.pub, W.dave), by: .user(W.alice), .refused(.noPermission, nil)),
    .init("a member joins", .joinServer(W.pub, W.bob), .refused(.repeatedOperation, 114)),
    .init("the owner joins", .joinServer(W.pub, W.alice), .refused(.repeatedOperation, 114)),
    .init("one who is not registered joins", .joinServer(W.pub, W.ghost), .refused(.notRegistered, nil)),
    .init("the server is not there", .joinServer(ServerIndex(9), W.dave), .refused(.notFound, nil)),
    .init(
      "the joined-limit is reached", .joinServer(W.priv, W.dave),
      after: [.setLimit(.joined, 1), .joinServer(W.pub, W.dave)], .refused(.reachLimit, 113)),
    .init(
      "owned servers don't count as joined", .joinServer(ServerIndex(2), W.alice),
      after: [
        .setLimit(.joined, 1),
        .createServer(NewServer(handle: "third", attributes: ServerAttributes(name: "T"), owner: W.dave)),
      ],
      .events(["onMemberJoinedServer membersExcept 1"])),
    .init(
      "all devices of one whom an administrator adds hear", .joinServer(W.pub, W.dave),
      after: [.setDevices(W.dave, ["a", "b"])],
      .events(["onMemberJoinedServer membersExcept 4", "multiDevices.Join otherDevices 2"])),
    .init(
      "his other devices hear of a join on one", .joinServer(W.pub, W.dave), by: .user(W.dave, device: "a"),
      after: [.setDevices(W.dave, ["a", "b"])],
      .events(["onMemberJoinedServer membersExcept 4", "multiDevices.Join otherDevices 1"])),
    .init(
      "there is no other device", .joinServer(W.pub, W.dave), by: .user(W.dave, device: "a"),
      after: [.setDevices(W.dave, ["a"])], joined),
    .init(
      "without a device all hear", .joinServer(W.pub, W.dave), by: .user(W.dave),
      after: [.setDevices(W.dave, ["a", "b"])],
      .events(["onMemberJoinedServer membersExcept 4", "multiDevices.Join otherDevices 2"])),
    .init(
      "the device is unknown", .joinServer(W.pub, W.dave), by: .user(W.dave, device: "x"),
      after: [.setDevices(W.dave, ["a"])], .refused(.notRegistered, nil)),
  ]

  private static let left = DecideTests.Row.Expected.events(["onMemberLeftServer members 3"])

  private static let leaving: [DecideTests.Row] = [
    .init("a user leaves", .leaveServer(W.pub, W.bob), by: .user(W.bob), left),
    .init("a moderator leaves", .leaveServer(W.pub, W.mod), by: .user(W.mod), left),
    .init("a user leaves a private server", .leaveServer(W.priv, W.bob), by: .user(W.bob), left),
    .init("an administrator lets a user leave", .leaveServer(W.pub, W.bob), left),
    .init("the owner leaves", .leaveServer(W.pub, W.alice), .refused(.ownerCannotLeave, nil)),
    .init("one who is no member leaves", .leaveServer(W.pub, W.dave), .refused(.notMember, nil)),
    .init("one lets another leave", .leaveServer(W.pub, W.bob), by: .user(W.alice), .refused(.noPermission, nil)),
    .init(
      "his devices hear that he left", .leaveServer(W.pub, W.bob), after: [.setDevices(W.bob, ["a"])],
      .events(["onMemberLeftServer members 3", "multiDevices.Exit otherDevices 1"])),
  ]

  private static func remove(_ users: UserIndex...) -> Operation {
    .removeUsers(W.pub, users.map { Removal($0) })
  }

  private static func removed(_ count: Int) -> DecideTests.Row.Expected {
    .events(["onMemberRemovedFromServer removedAndModerators \(count)"])
  }

  private static let removing: [DecideTests.Row] = [
    .init("the owner removes a user: he and the moderator hear", remove(W.bob), by: .user(W.alice), removed(2)),
    .init("the owner removes a moderator: only he hears", remove(W.mod), by: .user(W.alice), removed(1)),
    .init("a moderator removes a user: he and the owner hear", remove(W.bob), by: .user(W.mod), removed(2)),
    .init("several are removed in one event", remove(W.bob, W.carol), removed(3)),
    .init("one named twice counts once", remove(W.bob, W.bob), removed(2)),
    .init("everybody is removed", remove(W.bob, W.mod, W.carol), removed(3)),
    .init("another moderator hears", remove(W.bob), after: [.addModerator(W.pub, W.carol)], removed(3)),
    .init("the owner removes himself", remove(W.alice), by: .user(W.alice), .refused(.noPermission, nil)),
    .init("an administrator removes the owner", remove(W.alice), .refused(.noPermission, nil)),
    .init("a moderator removes the owner", remove(W.alice), by: .user(W.mod), .refused(.noPermission, nil)),
    .init(
      "a moderator removes a moderator", remove(W.carol), by: .user(W.mod), after: [.addModerator(W.pub, W.carol)],
      .refused(.noPermission, nil)),
    .init("a user removes a user", remove(W.carol), by: .user(W.bob), .refused(.noPermission, nil)),
    .init("an outsider removes a user", remove(W.carol), by: .user(W.dave), .refused(.notMember, nil)),
    .init("one of several is no member: none is removed", remove(W.bob, W.dave), .refused(.notMember, nil)),
    .init("one of several is not registered", remove(W.bob, W.ghost), .refused(.notRegistered, nil)),
    .init("nobody is given", remove(), .refused(.invalidParam, 110)),
    .init(
      "the owner's devices hear of a removal once", remove(W.bob, W.carol), after: [.setDevices(W.alice, ["a"])],
      .events(["onMemberRemovedFromServer removedAndModerators 3", "multiDevices.RemoveUser otherDevices 1"])),
  ]

  private static let assigned = DecideTests.Row.Expected.events(["onServerRoleAssigned membersExcept 3"])

  private static let assigning: [DecideTests.Row] = [
    .init("the owner promotes", .addModerator(W.pub, W.bob), by: .user(W.alice), assigned),
    .init("an administrator promotes", .addModerator(W.pub, W.bob), assigned),
    .init("a moderator promotes", .addModerator(W.pub, W.bob), by: .user(W.mod), .refused(.noPermission, nil)),
    .init("an outsider promotes", .addModerator(W.pub, W.bob), by: .user(W.dave), .refused(.notMember, nil)),
    .init("a moderator is promoted", .addModerator(W.pub, W.mod), .refused(.repeatedOperation, 114)),
    .init("an outsider is promoted", .addModerator(W.pub, W.dave), .refused(.notMember, nil)),
    .init("one who is not registered is promoted", .addModerator(W.pub, W.ghost), .refused(.notRegistered, nil)),
    .init("the owner is promoted", .addModerator(W.pub, W.alice), .refused(.noPermission, nil)),
    .init("the owner demotes", .removeModerator(W.pub, W.mod), by: .user(W.alice), assigned),
    .init(
      "a moderator demotes himself", .removeModerator(W.pub, W.mod), by: .user(W.mod), .refused(.noPermission, nil)),
    .init("a user is demoted", .removeModerator(W.pub, W.bob), .refused(.repeatedOperation, 114)),
    .init("an outsider is demoted", .removeModerator(W.pub, W.dave), .refused(.notMember, nil)),
    .init("the owner is demoted", .removeModerator(W.pub, W.alice), .refused(.noPermission, nil)),
    .init(
      "the owner's devices hear of a role", .addModerator(W.pub, W.bob), after: [.setDevices(W.alice, ["a"])],
      .events(["onServerRoleAssigned membersExcept 3", "multiDevices.SetRole otherDevices 1"])),
  ]
}
