import CircleModel
import Diagnostics
import Testing

@testable import CircleManifest

struct ProjectDefaultsTests {
  private func read(_ text: String) throws -> (defaults: ProjectDefaults?, findings: [Finding]) {
    let folder = try TemporaryFolder()
    folder.write("circlectl.yaml", text)
    var files = SourceFiles()
    var diagnostics = DiagnosticCollector()
    let defaults = ProjectDefaults.read(
      folder["circlectl.yaml"], outputs: ["text", "json", "ndjson"], files: &files, diagnostics: &diagnostics)
    return (
      defaults,
      diagnostics.sorted().map { Finding(code: $0.code, line: $0.place.line, column: $0.place.column) }
    )
  }

  @Test
  func `all defaults are read with their places`() throws {
    let text = "state: my.db\nstack: web\npaths: [a, b]\nguards: {max-removals: 30%}\noutput: json\n"
    let (defaults, findings) = try read(text)
    #expect(findings == [])
    #expect(defaults?.state == Given("my.db", at: Place(file: 0, line: 1, column: 8)))
    #expect(defaults?.stack?.value == "web")
    #expect(defaults?.paths?.value == ["a", "b"])
    #expect(defaults?.maxRemovals == Given(.percent(30), at: Place(file: 0, line: 4, column: 24)))
    #expect(defaults?.output?.value == "json")
    #expect(try read("paths: manifests\nguards: {max-removals: 120}\n").defaults?.maxRemovals?.value == .number(120))
  }

  @Test
  func `nothing given is nothing`() throws {
    for text in ["", "# nothing\n", "state:\nguards:\n"] {
      let (defaults, findings) = try read(text)
      #expect(findings == [])
      #expect(defaults?.state == nil && defaults?.maxRemovals == nil)
    }
  }

  @Test
  func `no file gives no defaults`() {
    var files = SourceFiles()
    var diagnostics = DiagnosticCollector()
    let defaults = ProjectDefaults.read("no/such/file", outputs: [], files: &files, diagnostics: &diagnostics)
    #expect(defaults == nil)
    #expect(diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("stat: x\n", "1:1 manifest.unknown-key"),
    ("output: jsn\n", "1:9 manifest.unknown-word"),
    ("state: [x]\n", "1:8 manifest.wrong-type"),
    ("state: ''\n", "1:8 project.invalid-value"),
    ("guards: {max-removals: 101%}\n", "1:24 project.invalid-value"),
    ("guards: {max-removals: -1}\n", "1:24 project.invalid-value"),
    ("guards: {max-removal: 1}\n", "1:10 manifest.unknown-key"),
    ("state: a\nstate: b\n", "2:1 manifest.duplicate-key"),
    ("- a\n", "1:1 manifest.wrong-type"),
    ("paths: {a: b}\n", "1:8 manifest.wrong-type"),
    ("state: ]\n", "1:8 manifest.syntax"),
  ])
  func `faults are reported like those of manifests`(_ text: String, _ expected: String) throws {
    #expect(try read(text).findings.map(\.description) == [expected])
  }
}
