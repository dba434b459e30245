import CircleManifest
import CircleModel
import CirclePlan
import CircleProviders
import CircleReport
import CircleTables
import CommandTree
import Testing
import Testkit

@testable import CircleCLI

/// What the documents say of the program, beside what the program says. `make generate` records it.
struct DocumentTests {
  private let exitCodes = ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }

  @Test func `README.md shows what the tour prints and what the exit codes mean`() throws {
    let document = try Document("README.md")
    var tour = try Tour()
    try document.expect(
      DocumentTable(heading: "## Exit codes", rows: exitCodes).replacingRows(in: tour.rerun(document.text)))
  }

  @Test func `the manifest and the defaults that README.md shows are right`() throws {
    let blocks = try Document("README.md").blocks(of: "yaml")
    try #require(blocks.count == 2)
    let run = try TestRun([
      "manifests/a.yaml": blocks[0], "manifests/members.csv": "user\nbob\n", "circlectl.yaml": blocks[1],
    ])
    let ending = try run("validate")
    #expect(ending.status == 0)
    #expect(ending.errors == "")
  }

  @Test func `docs-reference.md has all commands and options`() throws {
    try Document("docs/reference.md").expect(TestRun()("reference").output)
  }

  @Test(arguments: CompletionShell.allCases)
  func `completions has the script of each shell`(_ shell: CompletionShell) throws {
    let name = shell.fileName(for: commandTree.root.program)
    try Document("completions/\(name)", isMade: true).expect(TestRun()("completion \(shell.rawValue)").output)
  }

  @Test func `man has the page of each command, and no other`() throws {
    var names: Set<String> = []
    for node in commandTree.manualNodes() {
      let name = "\(node.manualName).1"
      names.insert(name)
      let page = try TestRun().run(["man"] + node.path).output
      try Document("man/\(name)", isMade: true).expect(page)
    }
    let found = Set(TemporaryFolder.names(in: "\(Document.root)/man"))
    #expect(found == names)
  }

  @Test func `the test double of CircleKit's documentation is the example that is run`() throws {
    let folder = "Examples/CommunityDouble/Sources/CommunityDouble"
    let code = try ["ReadingClub", "main"].map { try Document("\(folder)/\($0).swift").text }.joined()
    let blocks = try Document("Sources/CircleKit/CircleKit.docc/TestDouble.md").blocks(of: "swift")
    #expect(blocks.count == 6)
    for block in blocks { #expect(code.contains(block), "not in the example:\n\(block)") }
  }

  @Test func `docs-schemas has the schemas that the program writes`() throws {
    for name in ["manifest", "report", "event", "plan"] {
      try Document("docs/schemas/\(name).schema.json", isMade: true).expect(TestRun()("schema \(name)").output)
    }
  }

  @Test func `docs-output.md names every format`() throws {
    let text = try Document("docs/output.md").text
    for format in OutputFormat.allCases { #expect(text.contains("`\(format.rawValue)`"), "\(format)") }
  }

  @Test func `the tour of docs-plans.md prints what it says`() throws {
    let document = try Document("docs/plans.md")
    var tour = try Tour()
    try document.expect(tour.rerun(document.text))
  }

  @Test func `docs-diagnostics.md has every code and every refusal`() throws {
    let document = try Document("docs/diagnostics.md")
    let faults =
      ManifestDiagnostic.all.map { (code: $0.code, sentence: $0.sentence) }
      + PlanDiagnostic.all.map { (code: $0.code, sentence: $0.sentence) }
      + ProviderDiagnostic.all.map { (code: $0.code, sentence: $0.sentence) }
      + TableDiagnostic.all.map { (code: $0.code, sentence: $0.sentence) }
    func rows(_ area: String) -> [[String]] {
      faults.filter { $0.code.hasPrefix("\(area).") }.map { ["`\($0.code)`", $0.sentence] }
    }
    let areas = [
      ("manifest", "## Manifests"), ("project", "## Defaults of a project"), ("plan", "## Manifests and state"),
      ("provider", "## Providers"),
      ("plan-file", "## Saved plans"), ("table", "## Tables"),
    ]
    #expect(faults.count == areas.reduce(0) { $0 + rows($1.0).count }, "a code has an area without a table")
    var text = document.text
    for (area, heading) in areas {
      text = try DocumentTable(heading: heading, rows: rows(area)).replacingRows(in: text)
    }
    let refusals = CircleErrorName.allCases.map { name in
      ["`\(name.rawValue)`", name.number.map { "\($0)" } ?? "–", name.meaning]
    }
    text = try DocumentTable(heading: "## Refusals", rows: refusals).replacingRows(in: text)
    text = try DocumentTable(heading: "## Exit codes", rows: exitCodes).replacingRows(in: text)
    try document.expect(text)
  }

  @Test func `docs-output.md names every word that a program can meet`() throws {
    let text = try Document("docs/output.md").text
    let words =
      ReportResult.allCases.map(\.rawValue) + EventName.allCases.map { "\($0.word)" }
      + AudienceRule.allCases.map { "\($0.word)" } + UserRow.Source.allCases.map(\.rawValue)
    for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
  }
}
