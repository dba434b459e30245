import CircleModel
import Diagnostics

private typealias W = World

enum ServerRows {
  static let all: [DecideTests.Row] = creating + updating + destroying + tagging

  private static func new(
    _ name: Text?, handle: Text? = nil, owner: UserIndex = W.dave, stack: Text? = nil,
    _ more: [(ServerField, Text)] = []
  ) -> Operation {
    var attributes = ServerAttributes()
    attributes[.name] = name
    for (field, value) in more { attributes[field] = value }
    return .createServer(NewServer(handle: handle, attributes: attributes, owner: owner, stack: stack))
  }

  private static let creating: [DecideTests.Row] = [
    .init("any user creates", new("New"), by: .user(W.dave), .events([])),
    .init("an administrator creates for the future owner", new("New"), .events([])),
    .init("a user creates for another", new("New"), by: .user(W.erin), .refused(.noPermission, nil)),
    .init("a user puts into a stack", new("New", stack: "s"), by: .user(W.dave), .refused(.noPermission, nil)),
    .init("the owner is not registered", new("New", owner: W.ghost), .refused(.notRegistered, nil)),
    .init("the name is missing", new(nil), .refused(.invalidParam, 110)),
    .init("the name is blank", new("  "), .refused(.invalidParam, 110)),
    .init(
      "the name is over 50", new(Text(String(repeating: "n", count: 51))), .refused(.queryParamReachesLimit, 112)),
    .init("the icon is no URL", new("New", [(.icon, "x")]), .refused(.invalidParam, 110)),
    .init("the type is unknown", new("New", [(.type, "secret")]), .refused(.invalidParam, 110)),
    .init("the handle is taken", new("New", handle: "pub"), .refused(.handleTaken, nil)),
    .init("the handle is not one", new("New", handle: "Pub"), .refused(.invalidParam, 110)),
    .init(
      "the created-limit is reached", new("New", owner: W.alice), after: [.setLimit(.created, 2)],
      .refused(.reachLimit, 113)),
    .init("below the created-limit", new("New", owner: W.alice), after: [.setLimit(.created, 3)], .events([])),
    .init(
      "the owner's devices hear of it", new("New"), after: [.setDevices(W.dave, ["a", "b"])],
      .events(["multiDevices.Create otherDevices 2"])),
  ]

  private static func set(_ field: ServerField, _ value: Text?, in server: ServerIndex = W.pub) -> Operation {
    .updateServer(server, [FieldSetting(field, value)])
  }

  private static let updated = DecideTests.Row.Expected.events(["onServerUpdated membersExcept 3"])

  private static let updating: [DecideTests.Row] = [
    .init("the owner updates", set(.desc, "D"), by: .user(W.alice), updated),
    .init("a moderator updates", set(.desc, "D"), by: .user(W.mod), updated),
    .init("an administrator updates as the owner", set(.desc, "D"), updated),
    .init("a user updates", set(.desc, "D"), by: .user(W.bob), .refused(.noPermission, nil)),
    .init("an outsider updates", set(.desc, "D"), by: .user(W.dave), .refused(.notMember, nil)),
    .init("one who is not registered updates", set(.desc, "D"), by: .user(W.ghost), .refused(.notRegistered, nil)),
    .init("nothing really changes", set(.name, "The pub"), .nothing),
    .init("public is what it is", set(.type, "public"), .nothing),
    .init("blank is unset is unset", set(.ext, " "), .nothing),
    .init("a type changes", set(.type, "private"), updated),
    .init("a name can't be cleared", set(.name, nil), .refused(.invalidParam, 110)),
    .init(
      "a desc is over 500", set(.desc, Text(String(repeating: "d", count: 501))),
      .refused(.queryParamReachesLimit, 112)),
    .init("there is no such server", set(.desc, "D", in: ServerIndex(9)), .refused(.notFound, nil)),
    .init("the server is destroyed", set(.desc, "D"), after: [.destroyServer(W.pub)], .refused(.notFound, nil)),
    .init(
      "the owner's devices hear of an update", set(.desc, "D"), after: [.setDevices(W.alice, ["a"])],
      .events(["onServerUpdated membersExcept 3", "multiDevices.Update otherDevices 1"])),
  ]

  private static let protect = Operation.setServerSettings(
    W.pub, ServerSettings(protect: true), clearsWelcome: false)

  private static let destroying: [DecideTests.Row] = [
    .init(
      "the owner destroys", .destroyServer(W.pub), by: .user(W.alice),
      .events(["onServerDestroyed membersExceptOwner 3"])),
    .init("a moderator destroys", .destroyServer(W.pub), by: .user(W.mod), .refused(.noPermission, nil)),
    .init("an outsider destroys", .destroyServer(W.pub), by: .user(W.dave), .refused(.notMember, nil)),
    .init("a protected server is destroyed", .destroyServer(W.pub), after: [protect], .refused(.protected, nil)),
    .init(
      "a server that was protected once",
      .destroyServer(W.pub),
      after: [protect, .setServerSettings(W.pub, ServerSettings(protect: false), clearsWelcome: false)],
      .events(["onServerDestroyed membersExceptOwner 3"])),
    .init(
      "the owner's devices hear of the end", .destroyServer(W.pub), after: [.setDevices(W.alice, ["a"])],
      .events(["onServerDestroyed membersExceptOwner 3", "multiDevices.Destroy otherDevices 1"])),
    .init(
      "a server is destroyed twice", .destroyServer(W.pub), after: [.destroyServer(W.pub)], .refused(.notFound, nil)),
  ]

  private static let ten = Operation.addTags(
    W.pub, (1...10).map { Given(Text("t\($0)"), at: .none) })

  private static let tagging: [DecideTests.Row] = [
    .init("the owner adds tags", .addTags(W.pub, tags("a", "b")), by: .user(W.alice), .events([])),
    .init("a moderator adds tags", .addTags(W.pub, tags("a")), by: .user(W.mod), .events([])),
    .init("a user adds tags", .addTags(W.pub, tags("a")), by: .user(W.bob), .refused(.noPermission, nil)),
    .init("an outsider adds tags", .addTags(W.pub, tags("a")), by: .user(W.dave), .refused(.notMember, nil)),
    .init(
      "tags that are there are skipped", .addTags(W.pub, tags("a", "a")), after: [.addTags(W.pub, tags("a"))], .nothing),
    .init(
      "a tag is over 20", .addTags(W.pub, [Given(Text(String(repeating: "t", count: 21)), at: .none)]),
      .refused(.queryParamReachesLimit, 112)),
    .init("a tag is blank", .addTags(W.pub, tags("")), .refused(.invalidParam, 110)),
    .init("no tag is given", .addTags(W.pub, []), .refused(.invalidParam, 110)),
    .init("ten tags", ten, .events([])),
    .init("the eleventh tag", .addTags(W.pub, tags("t11")), after: [ten], .refused(.reachLimit, 113)),
    .init("ten tags of which one is there", ten, after: [.addTags(W.pub, tags("t1"))], .events([])),
    .init("an unknown tag is removed", .removeTags(W.pub, ["x"]), .refused(.notFound, nil)),
    .init("no tag is removed", .removeTags(W.pub, []), .refused(.invalidParam, 110)),
    .init("a user removes tags", .removeTags(W.pub, ["x"]), by: .user(W.bob), .refused(.noPermission, nil)),
    .init(
      "eleven tags in one remove call", .removeTags(W.pub, [Text](repeating: "x", count: 11)),
      .refused(.queryParamReachesLimit, 112)),
  ]
}
