import Testing
import Testkit

@testable import CircleCLI

struct SchemaPlanTests {
  @Test
  func `every key of a plan file stands in the schema, and every operation`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    let schema = try run("schema plan").output
    let changes = [
      twoServers,
      twoServers.replacing("carol, dave", by: "carol").replacing("ios", by: "mac").replacing("Garden", by: "Park")
        .replacing("bob: {}", by: "bob: {sign: x, devices: [mac]}").replacing("[bob]", by: "[carol]")
        .replacing("  garden:", by: "  park:\n    renamedFrom: garden\n    join: invite\n    welcome: hi")
        .replacing("members: [alice]", by: "members: [alice, dave]"),
      twoServers.replacing("dave]", by: "alice]"),
    ]
    for change in changes {
      try run.folder.write(change, to: "m/a.yaml")
      let words = [
        "diff", "m", "--prune", "--max-removals", "100%", "--save", "plan.json", "--allow", "remove:server<=9",
      ]
      #expect(try run.run(words + ["--allow", "remove:moderator@swift-fans<=9", "--exclude", "none*"]).status == 0)
      let plan = try run.folder.read("plan.json")
      let pieces = plan.split(separator: "\"", omittingEmptySubsequences: false)
      for (position, piece) in pieces.enumerated().dropFirst() where position + 1 < pieces.count {
        let isKey = position % 2 == 1 && pieces[position + 1].hasPrefix(":")
        if isKey { #expect(schema.contains("\"\(piece)\": "), "\(piece)") }
        if isKey, piece == "op" { #expect(schema.contains("\"op\": {\"const\": \"\(pieces[position + 2])\"}")) }
      }
      #expect(try run("apply plan.json --yes").status == 0)
    }
  }
}
