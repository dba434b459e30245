import Testing

@testable import CircleCLI

struct UserListTests {
  @Test(arguments: [
    ("", ["alice", "bob", "carol", "dave", "erin", "frank", "mona"]), ("--prefix A", ["alice"]),
    ("--reverse --limit 2", ["mona", "frank"]), ("--sort owned --reverse --limit 1", ["alice"]),
    ("--sort joined --limit 2", ["alice", "dave"]), ("--prefix x", []),
  ])
  func `users are chosen and sorted`(options: String, expected: [String]) throws {
    #expect(try TestCircle().values("userId", of: "user", "user list \(options)") == expected)
  }

  @Test func `with nickname, devices and counts`() throws {
    let circle = try TestCircle()
    #expect(
      try circle.records("user", "user list").first
        == #"{"type":"user","userId":"alice","nickName":"Alice","devices":["phone","mac"],"owned":2,"joined":0}"#)
    #expect(try circle("user list --as alice").errors.contains("noPermission"))
    let empty = try TestRun()("user list")
    #expect(empty.status == 0)
    #expect(empty.errors.contains("counts as empty"))
  }
}
