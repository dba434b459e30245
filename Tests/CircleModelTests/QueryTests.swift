import CircleModel
import Testing

private typealias W = World

struct QueryTests {
  private func refusal(_ body: () throws(CircleError) -> Void) -> CircleErrorName? {
    do {
      try body()
      return nil
    } catch { return error.name }
  }

  @Test(arguments: [
    (Authority.user(W.alice), CircleErrorName?.none), (.user(W.mod), nil), (.user(W.bob), nil),
    (.user(W.dave), .notMember), (.user(W.ghost), .notRegistered), (.administrator, nil),
  ])
  func `detail, members and tags are for members`(authority: Authority, expected: CircleErrorName?) throws {
    let world = try World()
    let snapshot = world.snapshot
    for server in [W.pub, W.priv] {
      #expect(
        refusal { () throws(CircleError) in _ = try Query.serverDetail(server, by: authority, in: snapshot) }
          == expected)
      #expect(
        refusal { () throws(CircleError) in _ = try Query.serverMembers(server, by: authority, in: snapshot) }
          == expected)
      #expect(
        refusal { () throws(CircleError) in _ = try Query.serverTags(server, by: authority, in: snapshot) } == expected)
    }
  }

  @Test func `members are listed owner, moderators, users, each by time and id`() throws {
    var world = try World()
    try world.run(.joinServer(W.pub, W.erin))
    try world.run(.joinServer(W.pub, W.dave))
    try world.run(.leaveServer(W.pub, W.bob))
    world.context.time += 1
    try world.run(.joinServer(W.pub, W.bob))
    try world.run(.addModerator(W.pub, W.erin))
    let members = try Query.serverMembers(W.pub, by: .user(W.carol), in: world.snapshot)
    #expect(members.map(\.user) == [W.alice, W.mod, W.erin, W.carol, W.dave, W.bob])
  }

  @Test func `joined servers include the owned ones, by time and id`() throws {
    var world = try World()
    let first = NewServer(handle: "own", attributes: ServerAttributes(name: "Own"), owner: W.dave)
    try world.run(.createServer(first))
    world.context.time += 1
    try world.run(.joinServer(W.pub, W.dave))
    let joined = try Query.joinedServers(of: W.dave, by: .user(W.dave), in: world.snapshot)
    #expect(joined.map(\.server) == [ServerIndex(2), W.pub])
    #expect(joined.map(\.role) == [.owner, .user])
    let ids = try Query.joinedServers(of: W.bob, by: .administrator, in: world.snapshot).map {
      world.snapshot[$0.server].id
    }
    #expect(ids == ids.sorted())
    #expect(
      refusal { () throws(CircleError) in
        _ = try Query.joinedServers(of: W.dave, by: .user(W.bob), in: world.snapshot)
      } == .noPermission)
  }

  @Test func `a keyword finds public servers by prefix, whole tag or id, in order`() throws {
    var world = try World()
    for name in ["Swift", "Sw", "Swim", "swift"] {
      try world.run(
        .createServer(NewServer(handle: nil, attributes: ServerAttributes(name: Text(name)), owner: W.dave)))
    }
    try world.run(.addTags(ServerIndex(5), ServerRows.tags("Sw")))
    func found(_ keyword: Text, by authority: Authority = .user(W.erin)) throws -> [ServerIndex] {
      try Query.servers(withKeyword: keyword, by: authority, in: world.snapshot)
    }
    #expect(try found("Sw") == [ServerIndex(3), ServerIndex(2), ServerIndex(4), ServerIndex(5)])
    #expect(try found("Swi") == [ServerIndex(2), ServerIndex(4)])
    #expect(try found("The p") == [W.pub])
    #expect(try found("The p", by: .administrator) == [W.priv, W.pub])
    #expect(try found(world.server(W.pub).id) == [W.pub])
    #expect(try found(world.server(W.priv).id) == [])
    #expect(
      refusal { () throws(CircleError) in
        _ = try Query.servers(withKeyword: " ", by: .administrator, in: world.snapshot)
      } == .invalidParam)
  }

  @Test func `anyone may ask whether he is in a server, and as what`() throws {
    let world = try World()
    let snapshot = world.snapshot
    #expect(try Query.isInServer(W.bob, W.priv, by: .user(W.bob), in: snapshot))
    #expect(try !Query.isInServer(W.dave, W.priv, by: .user(W.dave), in: snapshot))
    #expect(try Query.role(of: W.mod, in: W.pub, by: .user(W.mod), in: snapshot) == .moderator)
    #expect(try Query.role(of: W.alice, in: W.pub, by: .administrator, in: snapshot) == .owner)
    #expect(
      refusal { () throws(CircleError) in
        _ = try Query.role(of: W.dave, in: W.pub, by: .user(W.dave), in: snapshot)
      } == .notMember)
    #expect(
      refusal { () throws(CircleError) in
        _ = try Query.isInServer(W.dave, ServerIndex(9), by: .user(W.dave), in: snapshot)
      } == .notFound)
    #expect(
      refusal { () throws(CircleError) in
        _ = try Query.isInServer(W.dave, W.pub, by: .user(W.bob), in: snapshot)
      } == .noPermission)
  }

  @Test func `a page has 1 to 20 rows`() throws {
    for size in [1, 20] { try Query.check(pageSize: size) }
    for size in [-1, 0, 21] {
      #expect(refusal { () throws(CircleError) in try Query.check(pageSize: size) } == .invalidParam)
    }
    #expect(CircleErrorName.invalidParam.number == 110)
  }
}
