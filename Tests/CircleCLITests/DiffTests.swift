import Testing
import Testkit

@testable import CircleCLI

struct DiffTests {
  @Test func `a missing state counts as empty, and is not created`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let ending = try run("diff")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("there is no state at 'circle.db' yet"))
    #expect(try run("plan -q").errors == "")
    #expect(run.folder.names() == ["manifests"])
  }

  @Test func `a file without content counts as missing`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers, "circle.db": ""])
    #expect(try run("diff").errors.contains("there is no state"))
    #expect(try run.folder.read("circle.db") == "")
    #expect(try run("apply --yes").status == 0)
    #expect(try run("diff --exit-code").status == 0)
  }

  @Test func `with --exit-code what is pending ends with 2`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    #expect(try run("diff --exit-code").status == 2)
    _ = try run("apply --yes")
    #expect(try run("diff --exit-code").status == 0)
    try run.folder.write(twoServers.replacing("name: Garden", by: "name: Gardens"), to: "manifests/a.yaml")
    let ending = try run("diff --exit-code")
    #expect(ending.status == 2)
    #expect(ending.output.contains("Gardens"))
    #expect(try run("diff --exit-code -o junit").output.contains(#"<failure type="different" message="1 to change">"#))
    #expect(try run("diff").status == 0)
    #expect(try !run("diff -o junit").output.contains("<failure"))
  }

  @Test(arguments: ["summary", "changes", "full"])
  func `the detail can be chosen`(level: String) throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    #expect(try run("diff --detail \(level)").status == 0)
  }

  @Test func `no manifest at all is 65`() throws {
    let run = try TestRun()
    #expect(try run("diff").status == 65)
    #expect(try run("diff nowhere.yaml").status == 65)
    #expect(try run("validate").status == 65)
  }

  @Test(arguments: [
    ("a text", "no state"), (String(repeating: "\u{0}", count: 2000), "no state"), ("SQLite format 3\u{0}", "state"),
  ])
  func `what is no state is a failure and stays as it is`(text: String, word: String) throws {
    let run = try TestRun(["manifests/a.yaml": twoServers, "circle.db": text])
    for line in ["diff", "apply --yes", "state verify", "export", "state init"] {
      let ending = try run(line)
      #expect(ending.status == 1)
      #expect(ending.errors.contains("circlectl: error:"))
    }
    #expect(try run.folder.read("circle.db") == text)
  }

  @Test func `the state comes from the option, the environment, or else from the default`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    run.environment["CIRCLECTL_STATE"] = "env.db"
    _ = try run("apply --yes --state option.db")
    #expect(run.folder.names() == ["manifests", "option.db"])
    _ = try run("apply --yes")
    #expect(run.folder.names() == ["env.db", "manifests", "option.db"])
  }
}
