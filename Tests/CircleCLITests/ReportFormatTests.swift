import CircleReport
import Testing
import Testkit

@testable import CircleCLI

struct ReportFormatTests {
  private let run: TestRun

  init() throws {
    run = try TestRun(["a.yaml": twoServers])
    #expect(try run("apply a.yaml --yes").status == 0)
    try run.folder.write(twoServers.replacing("[carol, dave]", by: "[carol]"), to: "b.yaml")
    try run.folder.write(twoServers.replacing("owner: alice", by: "owner: dave"), to: "refused.yaml")
    try run.folder.write("version: 1\nserver: {}\n", to: "wrong.yaml")
  }

  @Test func `nothing that is said beside a report for GitHub is a command`() throws {
    let run = try TestRun(["::error title=x::hi.yaml": "versio: 1\n"])
    let ending = try run.run(["validate", "::error title=x::hi.yaml", "-o", "github"])
    #expect(ending.status == 65 && ending.errors.contains("::error title=x::hi.yaml"))
    for line in ending.errors.split(separator: "\n") { #expect(!line.drop { $0 == " " }.hasPrefix("::")) }
  }

  @Test func `several reports come from one run, also from one that fails`() throws {
    let ending = try run("diff wrong.yaml --report html=r.html --report junit=r.xml --report json=r.json")
    #expect(ending.status == 65)
    #expect(ending.output == "")
    #expect(try run.folder.read("r.html").contains("manifest.unknown-key"))
    #expect(try run.folder.read("r.xml").contains("manifest.unknown-key"))
    #expect(try run.folder.read("r.json").contains("manifest.unknown-key"))
  }

  @Test func `a workflow's files are appended to, once, for a report of GitHub's`() throws {
    try run.folder.write("a=b\n", to: "outputs")
    run.environment = ["GITHUB_OUTPUT": "outputs", "GITHUB_STEP_SUMMARY": "summary"]
    _ = try run("diff b.yaml -o json")
    #expect(try run.folder.read("outputs") == "a=b\n")
    #expect(try run("diff b.yaml -o github --report github=r.txt").status == 0)
    let outputs = try run.folder.read("outputs")
    let mark = "circlectl_000102030405060708090a0b0c0d0e0f"
    #expect(outputs.hasPrefix("a=b\nresult<<\(mark)\ndifferent\n\(mark)\nhas_changes<<\(mark)\ntrue\n\(mark)\n"))
    #expect(outputs.contains("delete<<\(mark)\n1\n\(mark)\n"))
    #expect(outputs.split(separator: "\n").count { $0.hasPrefix("has_changes") } == 1)
    #expect(try run.folder.read("summary").hasPrefix("### 📝 `circlectl diff`: differences found\n"))
  }

  @Test func `a workflow hears of a failure too`() throws {
    run.environment = ["GITHUB_OUTPUT": "outputs", "GITHUB_STEP_SUMMARY": "summary"]
    #expect(try run("diff wrong.yaml -o github").status == 65)
    #expect(try run.folder.read("outputs").contains("\nbad-input\n"))
    #expect(try run.folder.read("summary").contains("manifest.unknown-key"))
  }

  @Test func `a workflow's file that can't be written is a failure`() throws {
    run.environment = ["GITHUB_OUTPUT": "nowhere/outputs"]
    let ending = try run("diff b.yaml -o github")
    #expect(ending.status == 1)
    #expect(ending.errors.contains("can't append to 'nowhere/outputs', which GITHUB_OUTPUT names: "))
  }

  @Test(arguments: ["json", "markdown", "html", "junit", "sarif", "github", "gitlab"])
  func `what has an end can't follow events`(format: String) throws {
    #expect(try run("events list --follow --limit 1 -o \(format)").status == 64)
  }

  @Test(arguments: ["ndjson", "cloudevents"])
  func `what goes line by line can follow events`(format: String) throws {
    let ending = try run("events list --follow --limit 2 -o \(format)")
    #expect(ending.status == 0)
    #expect(ending.output.split(separator: "\n").count == 2)
  }

  @Test(arguments: ["report", "event"])
  func `a schema is JSON and nothing else`(name: String) throws {
    let plain = try run("schema \(name)")
    #expect(plain.status == 0)
    #expect(try run("schema \(name) -o json").output == plain.output)
    #expect(try run("schema \(name) -o html").status == 64)
  }
}
