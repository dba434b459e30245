import Testing

@testable import CircleCLI

struct InvitationSendTests {
  @Test func `a member invites, and the invitee hears of it`() throws {
    let circle = try TestCircle()
    let ending = try circle("invitation send priv dave erin --welcome Come! --as carol -o json")
    #expect(ending.status == 0)
    #expect(ending.output.contains(#"{"server":"priv","inviter":"carol","invitee":"dave","createdAt":"#))
    #expect(ending.output.contains(#""welcome":"Come!""#))
    #expect(try circle("events list --recipient dave").output.contains("onReceiveServerInvitation"))
    #expect(try circle("invitation send priv dave bob --as carol").errors.contains("repeatedOperation 114"))
  }

  @Test func `one sent again replaces the earlier one`() throws {
    let circle = try TestCircle()
    circle.run.time += 1000
    #expect(try circle.events("invitation send pub frank --welcome Again").first == "onReceiveServerInvitation")
    #expect(try circle.values("welcome", of: "invitation", "invitation list pub") == ["Again"])
  }
}
