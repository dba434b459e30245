import Testing

@testable import CircleCLI

struct ModeratorRemoveTests {
  @Test func `moderators become users`() throws {
    let circle = try TestCircle()
    #expect(try circle.values("role", of: "member", "moderator remove pub bob mona --as alice") == ["user", "user"])
    #expect(try circle("moderator remove pub bob").errors.contains("repeatedOperation 114"))
    #expect(try circle("tag add pub x --as bob").errors.contains("noPermission"))
  }
}
