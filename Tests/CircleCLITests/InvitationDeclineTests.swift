import Testing

@testable import CircleCLI

struct InvitationDeclineTests {
  @Test func `the inviter hears of it, and the invitation is gone`() throws {
    let circle = try TestCircle()
    #expect(try circle.events("invitation decline priv --inviter alice --as frank") == ["onServerInvitationBeDeclined"])
    #expect(try circle("invitation decline priv --inviter alice --as frank").errors.contains("noInvitation"))
    #expect(try circle("member check priv frank").output.contains("no"))
  }
}
