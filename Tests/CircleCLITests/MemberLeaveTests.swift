import Testing

@testable import CircleCLI

struct MemberLeaveTests {
  @Test func `a member leaves and takes his invitations along`() throws {
    let circle = try TestCircle()
    #expect(try circle("invitation send pub erin --as carol").status == 0)
    #expect(try circle.events("member leave pub --as carol") == ["onMemberLeftServer"])
    #expect(try circle.values("invitee", of: "invitation", "invitation list pub") == ["frank"])
    #expect(try circle.values("role", of: "member", "member leave pub bob") == ["moderator"])
  }

  @Test func `the owner can't leave`() throws {
    let circle = try TestCircle()
    #expect(try circle("member leave pub --as alice").errors.contains("ownerCannotLeave"))
    #expect(try circle("member leave pub dave").errors.contains("notMember"))
    #expect(try circle("member leave pub").status == 64)
  }
}
