import Testing
import Testkit

@testable import CircleCLI

struct ValidateTests {
  @Test func `sound manifests are counted`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let ending = try run("validate")
    #expect(ending.status == 0)
    #expect(ending.output.contains("2 servers"))
    #expect(ending.errors == "")
    #expect(run.folder.names() == ["manifests"])
  }

  @Test func `what is counted is what manifests define, lists with their groups written out`() throws {
    let groups = "groups: {core: ['@more', bob], more: [alice]}\n"
    let run = try TestRun([
      "a.yaml": "version: 1\nusers: {alice: {}, bob: {}, carol: {}}\n\(groups)"
        + "servers: {go: {name: Go, owner: carol, members: ['@core']}}\n"
    ])
    let ending = try run("validate a.yaml")
    #expect(ending.errors == "")
    #expect(ending.output == "1 file checked: 1 server, 3 users, 2 groups and 2 memberships. No faults found.\n")
  }

  @Test func `users whom no manifest registers draw a warning`() throws {
    let run = try TestRun(["a.yaml": twoServers.replacing("dave: {}", by: "dora: {}")])
    let ending = try run("validate a.yaml")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("warning"))
    #expect(ending.errors.contains("dave"))
    #expect(ending.output.hasSuffix(". No errors, 1 warning.\n"))
    #expect(try run("validate a.yaml -q").errors == "")
  }

  @Test func `a state named on the command line is checked against, one of the environment is not`() throws {
    let run = try TestRun(["a.yaml": twoServers])
    _ = try run("apply a.yaml --yes")
    _ = try run("state set-limit joined 0")
    try run.folder.write(twoServers.replacing("members: [alice]", by: "members: [alice, dave]"), to: "a.yaml")
    run.environment["CIRCLECTL_STATE"] = "circle.db"
    #expect(try run("validate a.yaml").status == 0)
    let ending = try run("validate a.yaml --state circle.db")
    #expect(ending.status == 3)
    let message = "error: garden: dave is in 0 servers, the limit, already [plan.reachLimit]"
    #expect(ending.errors.contains("a.yaml:17:22: \(message)"), "\(ending.errors)")
    #expect(ending.errors.contains("^"))
    #expect(!ending.output.contains("No faults found"))
    #expect(try run("validate a.yaml --state circle.db -o json").output.contains(#""code":"plan.reachLimit""#))
    try run.folder.write("version: 1\nservers: {garden: {members: [erin]}}\n", to: "a.yaml")
    #expect(try run("validate a.yaml --state circle.db").status == 65)
  }

  @Test func `many faults are found in one run`() throws {
    let run = try TestRun([
      "a.yaml": "version: 1\nusrs: {}\nservers:\n  BAD: {name: x, owner: a}\n  ok: {nam: x, owner: a}\n"
    ])
    let ending = try run("validate a.yaml -o json")
    #expect(ending.status == 65)
    for word in ["usrs", "BAD", "nam"] { #expect(ending.errors.contains(word)) }
  }

  @Test func `without manifests it says where they are looked for`() throws {
    let run = try TestRun()
    let ending = try run("validate")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("= help: without a name, the folder 'manifests' is read"))
    #expect(try run("validate x").errors.contains("= help: name a manifest"))
  }

  @Test func `a fault in one server does not hide what is missing in another, nor who is not registered`() throws {
    let run = try TestRun([
      "manifests/a.yaml": """
      version: 1
      servers:
        s: {tagz: [a]}
        t: {owner: zz}
        u: {name: U, owner: zz}

      """
    ])
    let ending = try run("validate")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("manifests/a.yaml:3:7: error"))
    #expect(ending.errors.contains("manifests/a.yaml:4:3: error: server 't' has no name"))
    #expect(ending.errors.contains("warning: no manifest registers user 'zz'"))
    #expect(!ending.errors.contains("server 's' has no name"))
    try run.folder.write("version: 1\nservers: {t: {owner: zz}\n", to: "manifests/b.yaml")
    #expect(try !run("validate").errors.contains("has no name"))
  }
}
