import CircleModel

private typealias W = World

enum AdministrationRows {
  static let all: [DecideTests.Row] = users + servers

  private static func profile(_ field: UserField, _ value: Text) -> UserProfile {
    var profile = UserProfile()
    profile[field] = value
    return profile
  }

  private static func set(_ user: UserIndex, _ field: UserField, _ value: Text?) -> Operation {
    .updateUser(user, [FieldSetting(field, value)])
  }

  private static let users: [DecideTests.Row] = [
    .init("a user is registered", .registerUser(W.ghost, profile(.nickName, "G"), devices: ["a"]), .events([])),
    .init(
      "a user registers another", .registerUser(W.ghost, UserProfile(), devices: []), by: .user(W.alice),
      .refused(.noPermission, nil)),
    .init(
      "a user is registered twice", .registerUser(W.bob, UserProfile(), devices: []),
      .refused(.repeatedOperation, 114)),
    .init(
      "a birthday is no date", .registerUser(W.ghost, profile(.birth, "2023-02-29"), devices: []),
      .refused(.invalidParam, 110)),
    .init(
      "a device is given twice", .registerUser(W.ghost, UserProfile(), devices: ["a", "a"]),
      .refused(.invalidParam, 110)),
    .init("an administrator sets an alias", set(W.bob, .alias, "B"), .events([])),
    .init("a user updates his own nickname", set(W.bob, .nickName, "B"), by: .user(W.bob), .events([])),
    .init("a user sets his own alias", set(W.bob, .alias, "B"), by: .user(W.bob), .refused(.noPermission, nil)),
    .init("a user updates another", set(W.bob, .nickName, "B"), by: .user(W.alice), .refused(.noPermission, nil)),
    .init("nothing really changes", set(W.bob, .gender, "unknown"), .nothing),
    .init("one who is not registered is updated", set(W.ghost, .sign, "S"), .refused(.notRegistered, nil)),
    .init(
      "a nickname is over 64", set(W.bob, .nickName, Text(String(repeating: "n", count: 65))),
      .refused(.queryParamReachesLimit, 112)),
    .init("devices are set", .setDevices(W.bob, ["a"]), .events([])),
    .init("devices are what they were", .setDevices(W.bob, ["a"]), after: [.setDevices(W.bob, ["a"])], .nothing),
    .init("a user sets devices", .setDevices(W.bob, ["a"]), by: .user(W.bob), .refused(.noPermission, nil)),
    .init("a device has no name", .setDevices(W.bob, [""]), .refused(.invalidParam, 110)),
    .init("one who is not registered has a device", .setDevices(W.ghost, ["a"]), .refused(.notRegistered, nil)),
    .init("a user is marked", .markUser(W.bob, FieldMask(UserField.sign)), .events([])),
    .init(
      "a user is marked again", .markUser(W.bob, FieldMask(UserField.sign)),
      after: [.markUser(W.bob, FieldMask(UserField.sign))], .nothing),
    .init("a limit is set", .setLimit(.created, 5), .events([])),
    .init("a limit is what it was", .setLimit(.created, 100), .nothing),
    .init("a limit is negative", .setLimit(.joined, -1), .refused(.invalidParam, 110)),
    .init("a user sets a limit", .setLimit(.joined, 5), by: .user(W.alice), .refused(.noPermission, nil)),
  ]

  private static let marks = ServerMarks(managed: [.tags], listings: [], tags: [])

  private static let servers: [DecideTests.Row] = [
    .init("a handle is changed", .renameHandle(W.pub, "new"), .events([])),
    .init("a handle stays", .renameHandle(W.pub, "pub"), .nothing),
    .init("a handle is taken", .renameHandle(W.pub, "priv"), .refused(.handleTaken, nil)),
    .init("a handle is not one", .renameHandle(W.pub, "-"), .refused(.invalidParam, 110)),
    .init("the owner renames a handle", .renameHandle(W.pub, "new"), by: .user(W.alice), .refused(.noPermission, nil)),
    .init("a server is adopted", .adoptServer(W.pub, stack: "s"), .events([])),
    .init(
      "its stack adopts it again", .adoptServer(W.pub, stack: "s"), after: [.adoptServer(W.pub, stack: "s")], .nothing),
    .init(
      "another stack adopts it", .adoptServer(W.pub, stack: "t"), after: [.adoptServer(W.pub, stack: "s")],
      .refused(.noPermission, nil)),
    .init(
      "it is released and adopted", .adoptServer(W.pub, stack: "t"),
      after: [.adoptServer(W.pub, stack: "s"), .releaseServer(W.pub)], .events([])),
    .init("a server of no stack is released", .releaseServer(W.pub), .nothing),
    .init(
      "settings are set", .setServerSettings(W.pub, ServerSettings(join: .invite), clearsWelcome: false), .events([])),
    .init("no setting changes", .setServerSettings(W.pub, ServerSettings(), clearsWelcome: true), .nothing),
    .init(
      "a welcome is over 500",
      .setServerSettings(
        W.pub, ServerSettings(welcome: Text(String(repeating: "w", count: 501))), clearsWelcome: false),
      .refused(.queryParamReachesLimit, 112)),
    .init("a server is marked", .markServer(W.pub, marks), .events([])),
    .init("a server is marked again", .markServer(W.pub, marks), after: [.markServer(W.pub, marks)], .nothing),
    .init("the owner marks a server", .markServer(W.pub, marks), by: .user(W.alice), .refused(.noPermission, nil)),
    .init("there is no such server", .releaseServer(ServerIndex(9)), .refused(.notFound, nil)),
  ]
}
