import Testing

@testable import CircleCLI

struct InvitationWithdrawTests {
  @Test func `a user withdraws his own, an administrator all of the pair`() throws {
    let circle = try TestCircle()
    for user in ["bob", "carol"] { #expect(try circle("invitation send pub frank erin --as \(user)").status == 0) }
    #expect(try circle("invitation withdraw pub frank --as mona").errors.contains("noInvitation"))
    #expect(try circle.events("invitation withdraw pub frank --as bob").isEmpty)
    #expect(try circle.values("inviter", of: "invitation", "invitation withdraw pub frank") == ["alice", "carol"])
    #expect(try circle("invitation withdraw pub erin frank").errors.contains("noInvitation"))
    #expect(try circle.values("inviter", of: "invitation", "invitation list pub --invitee erin") == ["bob", "carol"])
    #expect(try circle("state verify").status == 0)
  }
}
