import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct FmtTests {
  private let untidy = "version: 1\nservers:\n  a:\n    owner: al\n    # the name\n    name: A  \n    desc: x"
  private let tidy = "version: 1\nservers:\n  a:\n    # the name\n    name: A\n    owner: al\n    desc: x\n"

  @Test
  func `files are formatted in place with their permissions, others are not touched`() throws {
    let run = try TestRun(["m/a.yaml": untidy, "m/b.yaml": tidy])
    chmod(run.folder.path("m/a.yaml"), 0o640)
    let ending = try run("fmt m")
    #expect(ending.status == 0)
    #expect(ending.output.contains("a.yaml") && !ending.output.contains("b.yaml"))
    #expect(try run.folder.read("m/a.yaml") == tidy)
    var status = stat()
    #expect(stat(run.folder.path("m/a.yaml"), &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(try run("fmt m").output == "2 files in canonical form.\n")
  }

  @Test
  func `a check writes nothing, tells the difference and ends with 65`() throws {
    let run = try TestRun(["m/a.yaml": untidy])
    let ending = try run("fmt --check m")
    #expect(ending.status == 65)
    #expect(ending.output.contains("+    name: A\n") && ending.output.contains("-    name: A  \n"))
    #expect(try run.folder.read("m/a.yaml") == untidy)
    #expect(try run("fmt --check m -o json").output.contains("\"files\": ["))
    #expect(try run("fmt m").status == 0)
    #expect(try run("fmt --check m").status == 0)
  }

  @Test
  func `standard input goes to standard output`() throws {
    let run = try TestRun()
    run.input = untidy
    let ending = try run("fmt -")
    #expect(ending.status == 0 && ending.output == tidy)
    #expect(try run("fmt - --check").status == 65)
    #expect(try run("fmt - m").status == 64)
  }

  @Test
  func `a check gives each file with its first line that differs to who reads findings`() throws {
    let run = try TestRun(["m/a.yaml": untidy, "m/b.yaml": tidy, "m/c.yaml": "version: 1\n# no end"])
    let github = try run("fmt --check m -o github").output
    #expect(github.contains("::error file=") && github.contains("m/a.yaml,line=4,"))
    #expect(github.contains("m/c.yaml,line=2,") && !github.contains("b.yaml"))
    let sarif = try run("fmt --check m -o sarif").output
    #expect(sarif.contains("\"ruleId\": \"manifest.not-canonical\"") && sarif.contains("\"startLine\": 4"))
    let json = try run("fmt --check m -o json").output
    #expect(json.contains("\"code\":\"manifest.not-canonical\"") && json.contains("\"line\":4"))
  }

  @Test
  func `formatted standard input is no report, and a report is written beside it`() throws {
    let run = try TestRun()
    run.input = untidy
    #expect(try run("fmt - -o json").status == 64)
    let ending = try run("fmt - --report json=r.json")
    #expect(ending.status == 0 && ending.output == tidy)
    #expect(try run.folder.read("r.json").contains("\"result\": \"done\""))
  }

  @Test
  func `what is no YAML is told, and the others are formatted all the same`() throws {
    let run = try TestRun(["m/a.yaml": untidy, "m/b.yaml": "a: ["])
    let ending = try run("fmt m")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("[manifest.syntax]"))
    #expect(try run.folder.read("m/a.yaml") == tidy)
  }

  @Test
  func `an export is in canonical form`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    try run.folder.write(try run("export --all").output, to: "e/a.yaml")
    #expect(try run("fmt --check e").status == 0)
  }
}
