import Testing

@testable import CircleCLI

struct MemberRoleTests {
  @Test func `a member has a role, anyone else is refused`() throws {
    let circle = try TestCircle()
    for (user, role) in [("alice", "owner"), ("bob", "moderator"), ("carol", "user")] {
      #expect(try circle.values("role", of: "role", "member role pub --as \(user)") == [role])
      #expect(try circle("member role pub \(user)").output.contains(role))
    }
    let ending = try circle("member role pub dave")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("notMember"))
    #expect(try circle("member role pub").status == 64)
  }
}
