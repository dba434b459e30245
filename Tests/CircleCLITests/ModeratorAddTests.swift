import Testing

@testable import CircleCLI

struct ModeratorAddTests {
  @Test func `members become moderators, all or none`() throws {
    let circle = try TestCircle()
    #expect(try circle("member join pub erin").status == 0)
    #expect(try circle("moderator add pub carol dave").errors.contains("notMember"))
    #expect(try circle.values("userId", of: "moderator", "moderator list pub --role moderator") == ["bob", "mona"])
    #expect(
      try circle.events("moderator add pub erin carol ERIN --as alice --device mac") == [
        "onServerRoleAssigned", "multiDevices.SetRole", "onServerRoleAssigned", "multiDevices.SetRole",
      ])
    #expect(try circle("moderator add pub carol").errors.contains("repeatedOperation 114"))
    #expect(try circle("moderator add pub alice").errors.contains("noPermission"))
  }
}
