import Testing

@testable import CircleCLI

struct MemberRemoveTests {
  @Test func `several are removed with one event, all or none`() throws {
    let circle = try TestCircle()
    #expect(try circle("member remove pub carol mona --as bob").errors.contains("noPermission"))
    #expect(try circle("member remove pub carol dave").errors.contains("notMember"))
    #expect(
      try circle.events("member remove pub mona carol mona --as alice --device phone --reason spam")
        == ["onMemberRemovedFromServer", "multiDevices.RemoveUser"])
    #expect(try circle.values("userId", of: "member", "member list pub") == ["alice", "bob"])
    for user in ["mona", "carol", "bob"] {
      let heard = try circle("events list --name onMemberRemovedFromServer --recipient \(user)")
      #expect(heard.output.contains("mona and carol"), "\(user)")
    }
    let actor = try circle("events list --name onMemberRemovedFromServer --recipient alice")
    #expect(actor.output.isEmpty)
    #expect(try circle.run.history().last?.contains("spam") == true)
  }

  @Test func `the report has the members as they were`() throws {
    let circle = try TestCircle()
    #expect(try circle.values("role", of: "member", "member remove pub bob carol") == ["moderator", "user"])
    #expect(try circle("member remove pub").status == 64)
  }
}
