import Testing

@testable import CircleCLI

struct CompleteTests {
  @Test(arguments: [
    ("tag remove pub ''", ["tea"]), ("tag remove pub tea ''", []), ("tag remove pub t", ["tea"]),
    ("server list --tag ''", ["mate", "tea"]), ("server list --tag=m", ["--tag=mate"]), ("server search te", ["tea"]),
    ("why p", ["priv", "pub"]), ("why pub/", ["pub/tag:", "pub/alice"]), ("why pub/tag:", ["pub/tag:tea"]),
    ("why pub/B", ["pub/bob"]), ("diff --only ''", ["priv", "pub", "tag=", "kind=", "action="]),
    ("diff --only tag=", ["tag=mate", "tag=tea"]), ("diff --exclude=pub,tag=t", ["--exclude=pub,tag=tea"]),
    ("apply --exclude kind=m", ["kind=moderator", "kind=member"]), ("diff --only pub,action=d", ["pub,action=delete"]),
    ("diff --only pub,pr", ["pub,priv"]),
  ])
  func `tags, subjects and selectors are completed from the state`(line: String, offers: [String]) throws {
    let circle = try TestCircle()
    #expect(try circle("tag add priv mate").status == 0)
    let words = line.split(separator: " ").map { $0 == "''" ? "" : String($0) }
    let ending = try circle.run.run(["complete", "--"] + words)
    let lines = ending.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "\t" }) }
    #expect(ending.status == 0 && ending.output.hasPrefix(":words\n"))
    #expect(line == "why pub/" ? Array(lines.prefix(2)) == offers : lines == offers)
  }
}
