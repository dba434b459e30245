import CircleModel
import Testing

private typealias W = World

struct AdministrationQueryTests {
  @Test func `all servers and all users are for administrators`() throws {
    let world = try World()
    #expect(try Query.everyServer(by: .administrator, in: world.snapshot) == [W.pub, W.priv])
    #expect(try Query.everyUser(by: .administrator, in: world.snapshot).contains(W.ghost) == false)
    #expect(throws: CircleError.self) { try Query.everyServer(by: .user(W.alice), in: world.snapshot) }
    #expect(throws: CircleError.self) { try Query.everyUser(by: .user(W.alice), in: world.snapshot) }
  }

  @Test func `those who may moderate are told to members`() throws {
    let world = try World()
    let moderators = try Query.moderators(of: W.priv, by: .user(W.bob), in: world.snapshot)
    #expect(moderators.map(\.user) == [W.alice, W.mod])
    #expect(throws: CircleError.self) { try Query.moderators(of: W.priv, by: .user(W.dave), in: world.snapshot) }
  }

  @Test func `a user sees the invitations that he sent or got`() throws {
    var world = try World()
    try world.run(.inviteUser(W.pub, W.dave, welcome: nil), by: .user(W.bob))
    try world.run(.inviteUser(W.priv, W.dave, welcome: nil))
    try world.run(.inviteUser(W.priv, W.erin, welcome: nil))
    func count(_ authority: Authority) throws -> Int {
      try Query.invitations(by: authority, in: world.snapshot).count
    }
    #expect(try count(.administrator) == 3)
    #expect(try count(.user(W.alice)) == 2)
    #expect(try count(.user(W.bob)) == 1)
    #expect(try count(.user(W.dave)) == 2)
    #expect(try count(.user(W.mod)) == 0)
    #expect(throws: CircleError.self) { try count(.user(W.ghost)) }
    try world.run(.destroyServer(W.priv))
    #expect(try count(.administrator) == 1)
  }
}
