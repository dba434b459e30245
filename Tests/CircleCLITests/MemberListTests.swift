import Testing

@testable import CircleCLI

struct MemberListTests {
  @Test func `owner, moderators, users, each by time and id`() throws {
    let circle = try TestCircle()
    circle.run.time += 1000
    #expect(try circle("member join pub erin Dave").status == 0)
    let all = ["alice", "bob", "mona", "carol", "dave", "erin"]
    #expect(try circle.values("userId", of: "member", "member list pub --as carol") == all)
    #expect(try circle.values("userId", of: "member", "member list pub --reverse") == all.reversed())
    #expect(try circle.values("userId", of: "member", "member list pub --sort user") == all.sorted())
    #expect(
      try circle.values("userId", of: "member", "member list pub --sort joined --limit 3") == ["alice", "bob", "carol"])
    #expect(try circle.values("userId", of: "member", "member list pub --role user --prefix D") == ["dave"])
    let text = try circle("member list pub").output
    #expect(text.hasPrefix("USER   NICKNAME  ROLE"))
    #expect(text.contains("alice  Alice     owner"))
  }

  @Test func `pages of one row tell everyone once`() throws {
    let circle = try TestCircle()
    var told: [String] = []
    var cursor = ""
    repeat {
      let line = "member list pub --limit 1\(cursor)"
      told += try circle.values("userId", of: "member", line)
      cursor = try circle.values("next", of: "page", line).first.map { " --cursor \($0)" } ?? ""
    } while !cursor.isEmpty && told.count < 10
    #expect(told == ["alice", "bob", "mona", "carol"])
  }
}
