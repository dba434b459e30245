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

  /// Beginnings of every document, by format.
  private static let beginnings: [OutputFormat: String] = [
    .json: "{\n  \"circlectlReport\": 1,", .ndjson: "{\"", .markdown: "### ", .html: "<!DOCTYPE html>\n",
    .junit: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ", .sarif: "{\n  \"$schema\": ",
    .gitlab: "{\"create\":",
  ]

  @Test(arguments: [
    ("validate a.yaml", 0), ("validate wrong.yaml", 65), ("diff b.yaml", 0), ("diff refused.yaml", 3),
    ("apply b.yaml --dry-run", 0), ("apply b.yaml", 64), ("events list", 0), ("state info", 0), ("state history", 0),
    ("state verify", 0), ("state init", 3), ("state unlock", 0), ("state set-limit created 7", 0),
    ("server release garden", 0), ("server release nowhere", 3), ("version", 0),
  ])
  func `every command has every format, on standard output as in a file`(line: String, status: Int32) throws {
    for format in OutputFormat.allCases where format != .text {
      let copy = try run.restarted()
      let ending = try copy("\(line) -o \(format.rawValue) --report \(format.rawValue)=report")
      #expect(ending.status == status, "\(format)")
      #expect(try copy.folder.read("report") == ending.output, "\(format)")
      if let beginning = Self.beginnings[format] { #expect(ending.output.hasPrefix(beginning), "\(format)") }
      #expect(ending.output.isEmpty || ending.output.hasSuffix("\n"), "\(format)")
    }
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

extension TestRun {
  /// Another folder with the same files.
  fileprivate func restarted() throws -> TestRun {
    let copy = try TestRun()
    let ending = try SpawnedProgram("/bin/cp", ["-r", "\(folder.path)/.", copy.folder.path], in: folder).wait()
    #expect(ending.status == 0)
    return copy
  }
}
