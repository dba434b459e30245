import Testing
import Testkit

@testable import CircleCLI

struct WhyTests {
  private func club() throws -> TestRun {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes --reason founding").status == 0)
    let next = twoServers.replacing("carol, dave", by: "carol").replacing("ios", by: "mac")
      .replacing("name: Garden", by: "name: Park\n    welcome: Hello").replacing("[bob]", by: "[]")
    try run.folder.write(next, to: "m/a.yaml")
    let words = ["apply", "m", "--yes", "--reason", "spring clean", "--allow", "remove:moderator@swift-fans<=1"]
    #expect(try run.run(words).status == 0)
    return run
  }

  /// A line of the answer in NDJSON, its fields by `key=value`.
  @Test(
    arguments: [
      (
        "garden",
        [
          "what=name value=Park rule=manifest line=15 run=2", "what=handle value=garden rule=manifest line=14 run=1",
          "what=stack value=default rule=manifest line=14 run=1",
          "what=welcome value=Hello rule=manifest line=14 run=2",
        ]
      ),
      ("swift-fans/dave", ["what=membership value=(no member) rule=no-longer-listed line=13 run=2"]),
      ("swift-fans/DAVE", ["what=membership value=(no member) rule=no-longer-listed line=13 run=2"]),
      ("swift-fans/carol", ["what=membership value=user rule=manifest line=13 run=1"]),
      ("swift-fans/bob", ["what=membership value=(no member) rule=no-longer-listed line=13 run=2"]),
      ("swift-fans/alice", ["what=membership value=owner rule=manifest line=8 run=1"]),
      ("swift-fans/tag:ios", ["what=tag value=(removed) rule=tags-complete line=11 run=2"]),
      ("swift-fans/tag:mac", ["what=tag value=mac rule=manifest line=11 run=2"]),
      ("swift-fans/tag:swift", ["what=tag value=swift rule=manifest line=11 run=1"]),
    ] as [(String, [String])])
  func `rule, line and run are told`(subject: String, expected: [String]) throws {
    let run = try club()
    let ending = try run("why \(subject) -o ndjson")
    #expect(ending.status == 0)
    let lines = ending.output.split(separator: "\n").filter { $0.contains("\"type\":\"reason\"") }
    #expect(lines.count == expected.count, "\(ending.output)")
    for words in expected {
      let fields = words.split(separator: " what=").joined(separator: " what=")
      let wanted = parts(fields)
      #expect(lines.contains { line in wanted.allSatisfy { line.contains($0) } }, "\(words) in \(ending.output)")
    }
    #expect(lines.allSatisfy { $0.contains("\"command\":\"apply\"") })
  }

  /// `"key":value` of each `key=value`; values may hold blanks.
  private func parts(_ text: String) -> [String] {
    var parts: [String] = []
    for word in text.split(separator: " ") {
      if word.contains("=") { parts.append(String(word)) } else { parts[parts.count - 1] += " \(word)" }
    }
    return parts.map { part in
      let sides = part.split(separator: "=", maxSplits: 1)
      let isNumber = ["line", "run"].contains(String(sides[0]))
      return isNumber ? "\"\(sides[0])\":\(sides[1])" : "\"\(sides[0])\":\"\(sides[1])\""
    }
  }

  @Test
  func `the reason of the run is told with it`() throws {
    #expect(try club()("why swift-fans/dave").output.contains("spring clean"))
  }

  @Test(arguments: ["garden/", "/bob", "garden/tag:", "garden/b c"])
  func `what is no subject is wrong usage`(subject: String) throws {
    #expect(try club().run(["why", subject]).status == 64)
  }

  @Test(arguments: [
    ("nowhere", "there is no server 'nowhere'"), ("gardn", "there is no server 'gardn'; did you mean 'garden'?"),
    ("nowhere/bob", "there is no server 'nowhere'"), ("garden/zed", "there is no user 'zed'"),
    ("garden/carol", "'carol' is no member of 'garden', and no run ever concerned him there"),
    ("swift-fans/tag:never", "'swift-fans' has no tag 'never', and no run ever added one"),
    ("swift-fans/tag:swft", "'swift-fans' has no tag 'swft', and no run ever added one; did you mean 'swift'?"),
  ])
  func `what neither is there nor ever was is refused`(subject: String, message: String) throws {
    let run = try club()
    let ending = try run("why \(subject) -o json")
    #expect(ending.status == 3)
    #expect(ending.errors.hasPrefix("circlectl: error: \(message)\n"))
    #expect(ending.output.contains("\"result\": \"refused\""))
  }

  @Test
  func `a renamed server answers for its whole life`() throws {
    let run = try club()
    let renamed = try run.folder.read("m/a.yaml").replacing("  garden:", by: "  park:\n    renamedFrom: garden")
    try run.folder.write(renamed, to: "m/a.yaml")
    #expect(try run("apply m --yes").status == 0)
    let output = try run("why park -o ndjson").output
    #expect(
      output.contains("\"what\":\"handle\",\"value\":\"park\",\"operation\":\"renameHandle\",\"rule\":\"renamed-from\"")
    )
    #expect(output.contains("\"what\":\"name\",\"value\":\"Park\""))
  }
}
