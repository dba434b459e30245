import Testing

@testable import CircleCLI

struct ModeratorListTests {
  @Test func `all servers with who may moderate them`() throws {
    let circle = try TestCircle()
    #expect(
      try circle.values("userId", of: "moderator", "moderator list --all")
        == ["alice", "bob", "mona", "alice", "bob", "mona"])
    #expect(try circle.values("server", of: "moderator", "moderator list --all --prefix B") == ["priv", "pub"])
    #expect(try circle.values("userId", of: "moderator", "moderator list The_pub --role owner") == ["alice"])
  }

  @Test func `a user sees those of his servers`() throws {
    let circle = try TestCircle()
    #expect(try circle("member join pub dave").status == 0)
    #expect(try circle.values("userId", of: "moderator", "moderator list --all --as dave") == ["alice", "bob", "mona"])
    #expect(try circle("moderator list priv --as dave").errors.contains("notMember"))
  }

  @Test func `an administrator who names no server sees all`() throws {
    let circle = try TestCircle()
    #expect(
      try circle.values("server", of: "moderator", "moderator list")
        == circle.values("server", of: "moderator", "moderator list --all"))
  }

  @Test(arguments: ["moderator list --as bob", "moderator list pub --all"])
  func `one server or all of them`(line: String) throws {
    #expect(try TestCircle()(line).status == 64)
  }
}
