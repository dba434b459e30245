import CircleKit
import Dispatch
import Testing

/// A state with these users, and a manager for each.
func community(_ users: String...) async throws -> (store: CircleStore, managers: [String: CircleManager]) {
  let store = CircleStore(clock: { 1_700_000_000_000 }, idSeed: "test")
  var managers: [String: CircleManager] = [:]
  for user in users {
    try await store.registerUser(user, devices: ["phone", "mac"])
    managers[user] = CircleManager(store: store, userId: user)
  }
  return (store, managers)
}

/// The name of the error that the operation throws.
func refusal(_ operation: () async throws -> Void) async -> CircleError.Name? {
  do {
    try await operation()
    return nil
  } catch {
    return (error as? CircleError)?.name
  }
}

@Suite struct CircleManagerTests {
  @Test func `the story of a community, told to those whom it concerns`() async throws {
    let (store, _) = try await community("alice", "bob", "carol")
    let alice = CircleManager(store: store, userId: "alice", device: "phone")
    let bob = CircleManager(store: store, userId: "bob", device: "phone")
    let carol = CircleManager(store: store, userId: "carol")
    let (hearsAlice, hearsBob, hearsCarol, hearsMac) = (Recorder(), Recorder(), Recorder(), Recorder())
    try await alice.add(serverDelegate: hearsAlice)
    try await bob.add(serverDelegate: hearsBob)
    try await bob.add(multiDevicesDelegate: hearsBob)
    try await carol.add(serverDelegate: hearsCarol)
    try await CircleManager(store: store, userId: "alice", device: "mac").add(multiDevicesDelegate: hearsMac)

    let server = try await alice.createServer(CircleServerAttribute(name: "Swift 爱好者", desc: "Everything"))
    #expect(server.handle == "swift" && server.owner == "alice" && server.memberCount == 1)
    let id = server.serverId
    try await alice.inviteUserToServer(serverId: id, userId: "bob", welcome: "Hello")
    #expect(try await bob.acceptServerInvitation(id, inviter: "alice").memberCount == 2)
    try await alice.inviteUserToServer(serverId: id, userId: "carol")
    try await carol.declineServerInvitation(id, inviter: "alice")
    let tags = try await alice.addTags(toServer: id, tags: ["swift", "ios", "swift"])
    #expect(tags.map(\.name) == ["swift", "ios"])
    #expect(try await carol.fetchServers(withKeyword: "ios").map(\.serverId) == [id])
    #expect(try await carol.fetchServers(withKeyword: "Swift").map(\.handle) == ["swift"])
    _ = try await carol.joinServer(id)
    try await alice.addModerator(toServer: id, userId: "bob")
    #expect(try await bob.fetchSelfServerRole(id) == .moderator)
    _ = try await bob.updateServer(id, attribute: CircleServerAttribute(name: "Swift", desc: ""))
    #expect(try await carol.fetchServerDetail(id).desc == nil)
    try await bob.removeUser(fromServer: id, userId: "carol")
    #expect(try await !carol.checkSelfIs(inServer: id))
    try await alice.removeTags(fromServer: id, tagIds: [tags[0].tagId])
    #expect(try await alice.fetchServerTags(id).map(\.name) == ["ios"])
    try await alice.removeModerator(fromServer: id, userId: "bob")
    try await bob.leaveServer(id)
    _ = try await bob.joinServer(id)
    try await alice.destroyServer(id)

    #expect(
      await hearsAlice.calls(8) == [
        "accepted bob", "joined bob", "declined carol", "joined carol", "updated Swift name,desc", "removed carol",
        "left bob", "joined bob",
      ])
    #expect(
      await hearsBob.calls(5) == [
        "invited by alice to Swift 爱好者: Hello", "joined carol", "role bob moderator", "role bob user",
        "destroyed by alice",
      ])
    #expect(
      await hearsCarol.calls(4) == [
        "invited by alice to Swift 爱好者: ", "role bob moderator", "updated Swift name,desc", "removed carol",
      ])
    #expect(
      await hearsMac.calls(6) == [
        "device circleServerCreate ", "device circleServerInviteUser bob", "device circleServerInviteUser carol",
        "device circleServerSetRole bob", "device circleServerSetRole bob", "device circleServerDestroy ",
      ])
  }

  @Test func `what a manager without a device does is heard on all of the user's devices`() async throws {
    let (store, managers) = try await community("alice")
    let heard = Recorder()
    let onPhone = CircleManager(store: store, userId: "alice", device: "phone")
    try await onPhone.add(multiDevicesDelegate: heard)
    _ = try await managers["alice"]?.createServer(CircleServerAttribute(name: "A"))
    _ = try await onPhone.createServer(CircleServerAttribute(name: "B"))
    _ = try await CircleManager(store: store, userId: "alice", device: "mac").createServer(.init(name: "C"))
    #expect(await heard.calls(2) == ["device circleServerCreate ", "device circleServerCreate "])
  }

  @Test func `an unknown device, user or server is told by name`() async throws {
    let (store, managers) = try await community("alice")
    let alice = try #require(managers["alice"])
    let onWatch = CircleManager(store: store, userId: "alice", device: "watch")
    #expect(await refusal { _ = try await onWatch.createServer(.init(name: "A")) } == .notRegistered)
    let nobody = CircleManager(store: store, userId: "nobody")
    #expect(await refusal { _ = try await nobody.createServer(.init(name: "A")) } == .notRegistered)
    #expect(await refusal { _ = try await alice.joinServer("nowhere") } == .notFound)
    #expect(await refusal { _ = try await alice.createServer(.init()) } == .invalidParam)
    let odd = CircleManager(store: store, userId: "@x y")
    #expect(await refusal { _ = try await odd.fetchJoinedServers() } == .invalidParam)
    await #expect(throws: CircleError(.invalidParam, "a page has 1 to 20 rows, not 21")) {
      try await alice.fetchJoinedServers(21)
    }
  }

  @Test func `errors carry the documented number and a reason`() async throws {
    let (store, managers) = try await community("alice", "bob")
    let alice = try #require(managers["alice"])
    try await store.setLimit(.created, to: 1)
    let server = try await alice.createServer(.init(name: "A"))
    do {
      _ = try await alice.createServer(.init(name: "B"))
      Issue.record("the limit was passed")
    } catch let error as CircleError {
      #expect(error.name == .reachLimit && error.number == 113 && error.actor == "alice")
      #expect(error.description == "alice owns 1 server, the limit, already (reachLimit 113)")
    }
    #expect(await refusal { _ = try await alice.joinServer(server.serverId) } == .repeatedOperation)
    #expect(CircleError.Name.repeatedOperation.number == 114 && CircleError.Name.notFound.number == nil)
  }

  @Test func `one removal of several members is one event, all or none`() async throws {
    let (_, managers) = try await community("alice", "bob", "carol", "dave")
    let alice = try #require(managers["alice"])
    let id = try await alice.createServer(.init(name: "A")).serverId
    for user in ["bob", "carol"] { _ = try await managers[user]?.joinServer(id) }
    let heard = Recorder()
    try await managers["bob"]?.add(serverDelegate: heard)
    #expect(await refusal { try await alice.removeUsers(fromServer: id, userIds: ["bob", "dave"]) } == .notMember)
    try await alice.removeUsers(fromServer: id, userIds: ["bob", "carol", "BOB"])
    #expect(await heard.calls(1) == ["removed bob,carol"])
    #expect(await refusal { try await alice.removeUsers(fromServer: id, userIds: []) } == .invalidParam)
  }
}
