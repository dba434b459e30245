import Testing
import Testkit

@testable import CircleCLI

struct ShowTests {
  private static func pending() throws -> TestRun {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    try run.folder.write(twoServers.replacing("carol, dave", by: "carol"), to: "m/a.yaml")
    return run
  }

  @Test
  func `a plan is shown in every format, and two are compared`() throws {
    let run = try Self.pending()
    _ = try run("diff m --save plan.json")
    for format in ["text", "json", "ndjson"] {
      let shown = try run("show plan.json -o \(format)")
      #expect(shown.status == 0 && shown.output.contains("dave"), "\(format)")
    }
    _ = try run("diff m --exclude kind=member --save none.json")
    let compared = try run("show plan.json --against none.json")
    #expect(compared.status == 0)
    #expect(compared.output.contains("1 only in plan.json, 0 only in none.json, 0 changes in both."))
    #expect(try run("show plan.json --against plan.json -o json").output.contains("\"unchanged\""))
  }

  @Test
  func `what is shown is what a diff shows`() throws {
    let run = try Self.pending()
    let diff = try run("diff m --save plan.json").output
    #expect(try run("show plan.json").output == diff)
    #expect(try run("show plan.json --detail full -o ndjson").output.contains("\"rule\":\"no-longer-listed\""))
  }

  @Test
  func `a server that looks like one that is destroyed is told`() throws {
    let run = try Self.pending()
    try run.folder.write(twoServers.replacing("  swift-fans:", by: "  swift:"), to: "m/a.yaml")
    let words = ["diff", "m", "--prune", "--allow", "remove:server<=1", "--save", "plan.json"]
    let ending = try run.run(words)
    #expect(
      ending.output.contains(
        "swift-fans is destroyed and swift created, and they look like one server (same owner, 3 of 3 members)"))
    #expect(
      try run("show plan.json -o json").output.contains(
        "{\"kind\":\"looks-renamed\",\"server\":\"swift\",\"from\":\"swift-fans\",\"shared\":3,\"of\":3"))
  }
}
