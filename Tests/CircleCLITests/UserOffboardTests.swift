import Testing

@testable import CircleCLI

struct UserOffboardTests {
  private func circle() throws -> TestCircle {
    let circle = try TestCircle()
    for line in [
      "server create Own --owner bob", "server create Other --owner dave", "invitation send other bob",
      "invitation send pub erin --as bob", "invitation send own carol --as bob", "invitation send pub erin --as carol",
    ] { #expect(try circle(line).status == 0) }
    return circle
  }

  @Test func `the plan has every removal, every withdrawal and the owned servers, and writes nothing`() throws {
    let circle = try circle()
    let runs = try circle.run.history().count
    let plan = "user offboard bob --dry-run"
    #expect(try circle.values("server", of: "removal", plan) == ["priv", "pub"])
    #expect(try circle.values("role", of: "removal", plan) == ["moderator", "moderator"])
    #expect(try circle.values("server", of: "withdrawal", plan) == ["other", "own", "pub"])
    #expect(try circle.values("handle", of: "server", plan) == ["own"])
    #expect(try circle(plan).output.contains("to be destroyed"))
    #expect(try circle("\(plan) -o json").output.contains("\"result\": \"different\""))
    #expect(try circle.run.history().count == runs)
  }

  @Test func `it is one run, withdrawals first, and nobody else's invitations go`() throws {
    let circle = try circle()
    let runs = try circle.run.history().count
    #expect(
      try circle.events("user offboard bob --yes --reason left")
        == [
          "onMemberRemovedFromServer", "multiDevices.RemoveUser", "onMemberRemovedFromServer",
          "multiDevices.RemoveUser",
        ])
    #expect(try circle.run.history().count == runs + 1)
    #expect(try circle.run.history().last?.contains("\"removeUserFromServer\":2,\"withdrawInvitation\":3") == true)
    #expect(try circle.values("server", of: "membership", "user memberships bob") == ["own"])
    #expect(try circle.values("inviter", of: "invitation", "invitation list") == ["alice", "carol", "alice"])
    #expect(try circle("state verify").status == 0)
    let again = try circle("user offboard bob --yes")
    #expect(again.status == 0)
    #expect(again.output.contains("nothing changes"))
    #expect(again.output.contains("still owns 1 server"))
  }

  @Test func `a person is asked like at an apply`() throws {
    let circle = try circle()
    #expect(try circle("user offboard bob").status == 64)
    circle.run.answer = "n\n"
    let ending = try circle("user offboard bob")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("taken out of 2 servers"))
    #expect(try circle("user offboard nobody").errors.contains("notRegistered"))
    #expect(try circle("user offboard bob --yes --as alice").errors.contains("noPermission"))
  }
}
