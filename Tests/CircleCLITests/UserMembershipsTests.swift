import Testing

@testable import CircleCLI

struct UserMembershipsTests {
  @Test func `the servers that a user is in, with his role`() throws {
    let circle = try TestCircle()
    circle.run.time += 1000
    #expect(try circle("server create Aaa --owner carol").status == 0)
    #expect(try circle.values("server", of: "membership", "user memberships CAROL").last == "aaa")
    #expect(
      try circle.values("server", of: "membership", "user memberships carol --sort server") == ["aaa", "priv", "pub"])
    #expect(try circle.values("server", of: "membership", "user memberships carol --sort name --reverse").last == "aaa")
    #expect(try circle.values("server", of: "membership", "user memberships --as carol --role owner") == ["aaa"])
    #expect(try circle("user memberships dave").output.contains("in no such server"))
  }

  @Test func `a user asks of himself only`() throws {
    let circle = try TestCircle()
    #expect(try circle("user memberships carol --as bob").errors.contains("noPermission"))
    #expect(try circle("user memberships nobody").errors.contains("notRegistered"))
    #expect(try circle("user memberships").status == 64)
  }
}
