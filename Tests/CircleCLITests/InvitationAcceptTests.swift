import Testing

@testable import CircleCLI

struct InvitationAcceptTests {
  @Test func `the invitee becomes a member, and other invitations are gone`() throws {
    let circle = try TestCircle()
    #expect(try circle("invitation send priv frank --as bob").status == 0)
    #expect(
      try circle.events("invitation accept priv --inviter bob --as frank")
        == ["onServerInvitationBeAccepted", "onMemberJoinedServer"])
    #expect(try circle.values("server", of: "invitation", "invitation list --as frank") == ["pub"])
    #expect(try circle("events list --recipient bob").output.contains("onServerInvitationBeAccepted"))
  }

  @Test func `only of an inviter who has invited him`() throws {
    let circle = try TestCircle()
    #expect(try circle("invitation accept pub --inviter bob --as frank").errors.contains("noInvitation"))
    #expect(try circle("invitation accept pub frank --inviter alice --as dave").errors.contains("noPermission"))
    #expect(try circle("invitation accept pub --as frank").status == 64)
    #expect(try circle.values("userId", of: "member", "invitation accept pub frank --inviter ALICE") == ["frank"])
  }
}
