import Testing
import Testkit

/// What is refused before the first write, and the way out that is printed.
struct GuardTests {
  /// Two communities of twelve members each.
  private static let pair =
    "version: 1\nusers:\n  boss: {}\n" + Club.members.map { "  \($0): {}\n" }.joined() + "servers:\n"
    + ["left", "right"].map { handle in
      "  \(handle):\n    name: \(handle)\n    owner: boss\n    members:\n"
        + Club.members.map { "      - \($0) # \(handle)\n" }.joined()
    }.joined()

  private static func pairApplied() throws -> Scene {
    let scene = try Scene(["pair.yaml": pair])
    try #require(try scene("apply pair.yaml --yes -q").status == 0)
    return scene
  }

  private static func removeMembers(_ count: Int, of handle: String, in scene: Scene) throws {
    for member in Club.members.prefix(count) { try scene.edit("pair.yaml", "      - \(member) # \(handle)\n", "") }
  }

  /// The words that a refusal prints after `--allow`.
  private static func allowances(in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "--allow '").flatMap { range in
        line[range.upperBound...].split(separator: "'").first.map(String.init)
      }
    }
  }

  @Test func `removing most members is refused, and the allowance that is printed works at once, for that only`() throws
  {
    let scene = try Self.pairApplied()
    try Self.removeMembers(8, of: "left", in: scene)
    let before = try scene.bytes("circle.db")
    let refused = try scene("apply pair.yaml --yes")
    #expect(refused.status == 3)
    #expect(try scene.bytes("circle.db") == before)
    let allowances = Self.allowances(in: refused.errors)
    #expect(allowances == ["remove:member@left<=8"])

    try Self.removeMembers(8, of: "right", in: scene)
    let other = try scene.run(["apply", "pair.yaml", "--yes", "--allow", allowances[0]])
    #expect(other.status == 3)
    #expect(Self.allowances(in: other.errors) == ["remove:member@right<=8"])
    #expect(try scene.bytes("circle.db") == before)

    let both = try scene.run(
      ["apply", "pair.yaml", "--yes", "--reason", "moved away", "-o", "ndjson"]
        + ["--allow", allowances[0], "--allow", "remove:member@right<=8"])
    #expect(both.status == 0, "\(both.errors)")
    #expect(Records(both).operations == #"{"removeUserFromServer":2}"#)
    #expect(
      Records(both).events == [
        #"onMemberRemovedFromServer left ["u01","u02","u03","u04","u05","u06","u07","u08"] 8"#,
        #"onMemberRemovedFromServer right ["u01","u02","u03","u04","u05","u06","u07","u08"] 8"#,
      ])
    let history = try scene("state history -o ndjson").output
    #expect(history.contains("moved away"))
    #expect(history.contains("remove:member@left<=8"))
    #expect(try scene("diff pair.yaml --exit-code").status == 0)
  }

  @Test func `an allowance is a ceiling`() throws {
    let scene = try Self.pairApplied()
    try Self.removeMembers(9, of: "left", in: scene)
    let refused = try scene.run(["apply", "pair.yaml", "--yes", "--allow", "remove:member@left<=8"])
    #expect(refused.status == 3)
    #expect(Self.allowances(in: refused.errors) == ["remove:member@left<=9"])
    #expect(try scene.run(["apply", "pair.yaml", "--yes", "--allow", "remove:member@left<=9"]).status == 0)
  }

  @Test(arguments: [("30%", 3), ("25%", 3), ("3", 3), ("2", 2)])
  func `as many as --max-removals allows may go`(limit: String, count: Int) throws {
    let scene = try Self.pairApplied()
    // Of twelve: 30% are 3.6, 25% are 3 exactly.
    try Self.removeMembers(count, of: "left", in: scene)
    #expect(try scene("diff pair.yaml --max-removals \(limit)").status == 0)
    try Self.removeMembers(count, of: "right", in: scene)
    let last = Club.members[count]
    try scene.edit("pair.yaml", "      - \(last) # left\n", "")
    #expect(try scene("diff pair.yaml --max-removals \(limit)").status == 3)
  }

  @Test func `emptying a server is refused at any size, and only an allowance passes it`() throws {
    let scene = try Scene([
      "a.yaml": "version: 1\nusers: {o: {}, m: {}}\nservers: {a: {name: A, owner: o, members: [m]}}\n"
    ])
    #expect(try scene("apply a.yaml --yes").status == 0)
    try scene.edit("a.yaml", "members: [m]", "members: []")
    #expect(try scene("apply a.yaml --yes --max-removals 100%").status == 3)
    #expect(try scene("apply a.yaml --yes --allow remove:member@a<=1").status == 0)
  }

  @Test func `a member over the limit of joined servers is refused before anything is written`() throws {
    var text = "version: 1\nusers: {boss: {}, second: {}, joiner: {}, new: {}}\nservers:\n"
    for number in 0..<100 { text += "  s\(number): {name: S, owner: boss, members: [joiner]}\n" }
    let scene = try Scene(["a.yaml": text])
    #expect(try scene("apply a.yaml --yes -q").status == 0)
    let before = try scene.bytes("circle.db")
    try scene.folder.write(text + "  extra: {name: Extra, owner: second, members: [joiner, new]}\n", to: "a.yaml")
    let diff = try scene("diff a.yaml -o ndjson")
    #expect(diff.status == 3)
    #expect(Records(diff).changes.contains("blocked create member extra joiner user manifest"))
    #expect(Records(diff).count("blocked") == "1")
    #expect(diff.output.contains("\"number\":113"))
    let refused = try scene("apply a.yaml --yes")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("joiner"))
    #expect(refused.errors.contains("limit"))
    #expect(try scene.bytes("circle.db") == before)
    #expect(try scene("state set-limit joined 101").status == 0)
    #expect(try scene("apply a.yaml --yes").status == 0)
    #expect(try scene("state verify").status == 0)
  }

  @Test func `a swap at the limit works, for removals come first`() throws {
    let text = "version: 1\nusers: {o: {}, m: {}, n: {}}\nservers:\n  a: {name: A, owner: o, members: [m, n]}\n"
    let scene = try Scene(["a.yaml": text + "  b: {name: B, owner: o, members: [n]}\n"])
    #expect(try scene("apply a.yaml --yes").status == 0)
    #expect(try scene("state set-limit joined 1").status == 0)
    try scene.edit("a.yaml", "[m, n]", "[n]")
    try scene.edit("a.yaml", "B, owner: o, members: [n]", "B, owner: o, members: [m, n]")
    let ending = try scene("apply a.yaml --yes -o ndjson")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(Records(ending).events == [#"onMemberRemovedFromServer a ["m"] 1"#, "onMemberJoinedServer b m 2"])
  }

  @Test func `a protected server is not destroyed until it is no longer protected`() throws {
    let scene = try Scene([
      "m/a.yaml": "version: 1\nusers: {o: {}}\nservers: {a: {name: A, owner: o, protect: true}}\n",
      "m/b.yaml": "version: 1\nservers: {b: {name: B, owner: o}}\n",
    ])
    #expect(try scene("apply m --yes").status == 0)
    let before = try scene.bytes("circle.db")
    try scene.folder.write("version: 1\nusers: {o: {}}\n", to: "m/a.yaml")
    #expect(try scene("diff m --exit-code").status == 0)
    for line in ["apply m --yes --prune", "apply m --yes --prune --allow remove:server<=9 --max-removals 100%"] {
      let refused = try scene(line)
      #expect(refused.status == 3)
      #expect(refused.errors.contains("protect"))
      #expect(!refused.errors.contains("--allow"))
    }
    #expect(try scene.bytes("circle.db") == before)
    try scene.folder.write(
      "version: 1\nusers: {o: {}}\nservers: {a: {protect: false}}\n", to: "m/a.yaml")
    #expect(try scene("apply m --yes").status == 0)
    try scene.folder.write("version: 1\nusers: {o: {}}\n", to: "m/a.yaml")
    let pruned = try scene("apply m --yes --prune -o ndjson")
    #expect(pruned.status == 0, "\(pruned.errors)")
    #expect(Records(pruned).changes == ["pending delete server a prune"])
    #expect(Records(pruned).events == ["onServerDestroyed a 0"])
  }

  @Test func `the owner of a server can't change`() throws {
    let scene = try Club.applied()
    try scene.edit(
      "club/club.yaml", "    owner: max\n    members: [olga, u01, u02]", "    owner: u01\n    members: [olga, u02]")
    let ending = try scene("apply club --yes")
    #expect(ending.status == 3)
    for lost in ["its id ", "joined", "pending invitations"] { #expect(ending.output.contains(lost), "\(lost)") }
  }
}
