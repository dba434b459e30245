import CircleReport
import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct SavedPlanTests {
  private let stamp = "--now 2025-01-02T03:04:05Z --id-seed x"

  /// A state with two servers, and a manifest that wants something else.
  private func pending(_ change: (String) -> String = { $0.replacing("carol, dave", by: "carol") }) throws -> TestRun {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes \(stamp)").status == 0)
    try run.folder.write(change(twoServers), to: "m/a.yaml")
    return run
  }

  private func head(_ run: TestRun) throws -> String {
    String(try run("state info -o ndjson").output.split(separator: "\"head\":\"")[1].prefix(64))
  }

  private func digest(_ run: TestRun) throws -> String {
    String(try run.folder.read("plan.json").split(separator: "\"digest\": \"")[1].prefix(64))
  }

  @Test
  func `a saved plan leaves the same state as applying the manifests, to the last byte of the log`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    for state in ["direct.db", "saved.db"] { #expect(try run("apply m --yes --state \(state) \(stamp)").status == 0) }
    let next = twoServers.replacing("carol, dave", by: "carol").replacing("[swift, ios]", by: "[swift, macos]")
      .replacing("name: Garden", by: "name: Big garden\n    desc: new").replacing("bob: {}", by: "bob: {nickName: B}")
      .replacing("members: [alice]", by: "members: [alice, erin]\n  fresh: {name: F, owner: bob}")
      .replacing("  dave: {}", by: "  dave: {}\n  erin: {}")
    try run.folder.write(next, to: "m/a.yaml")
    let later = "--now 2025-02-02T03:04:05Z --id-seed y"
    #expect(try run("diff m --save plan.json --reason spring --state saved.db").status == 0)
    let direct = try run("apply m --yes --reason spring --state direct.db \(later)")
    let saved = try run("apply plan.json --yes --state saved.db \(later)")
    #expect(direct.status == 0 && saved.status == 0)
    #expect(saved.output == direct.output)
    #expect(saved.output.contains("Reason: spring"))
    for question in ["state info", "why swift-fans/dave", "export --all", "events list --expand-audience"] {
      #expect(
        try run("\(question) --state direct.db").output == run("\(question) --state saved.db").output, "\(question)")
    }
    #expect(try run("diff m --exit-code --state saved.db").status == 0)
    #expect(try run("state verify --state saved.db").status == 0)
  }

  /// Owners hear on their devices also where the manifests say nothing of users.
  @Test
  func `the devices of an owner hear of an apply whose manifests name no users`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    #expect(try run("apply m --yes").status == 0)
    try run.folder.write(
      "version: 1\nservers:\n  swift-fans: {name: Swift, owner: alice, members: [carol], moderators: [bob]}\n",
      to: "m/a.yaml")
    #expect(try run("diff m --save plan.json").status == 0)
    #expect(try run("apply m --dry-run").status == 0)
    #expect(try run("apply plan.json --yes").output.contains("multiDevices.Update"))
  }

  @Test
  func `the file is for its owner alone, and the digest is printed`() throws {
    let run = try pending()
    let ending = try run("diff m --save plan.json")
    #expect(ending.output.contains(try digest(run)))
    var status = stat()
    #expect(stat(run.folder.path("plan.json"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    let again = try run("diff m --save other.json -o json")
    #expect(again.output.contains("\"savedPlan\": ["))
    #expect(try run.folder.read("plan.json") == run.folder.read("other.json"))
  }

  @Test
  func `a plan pins what was reviewed`() throws {
    let run = try pending()
    _ = try run("diff m --save plan.json")
    #expect(try run("apply plan.json --yes --digest \(String(repeating: "0", count: 64))").status == 65)
    #expect(try run("apply plan.json --yes --digest 12").status == 64)
    #expect(try run("apply m --yes --digest \(digest(run))").status == 64)
    #expect(try run("apply plan.json --yes --digest \(digest(run))").status == 0)
  }

  @Test
  func `a plan whose values changed is stale, and nothing is written; a change elsewhere is not`() throws {
    let run = try pending()
    _ = try run("diff m --save plan.json")
    try run.folder.write(twoServers.replacing("name: Garden", by: "name: Park"), to: "m/a.yaml")
    #expect(try run("apply m --yes").status == 0)
    #expect(try run("apply plan.json --dry-run").status == 0)
    try run.folder.write(twoServers.replacing("carol, dave", by: "carol"), to: "m/b.yaml")
    #expect(try run("apply m/b.yaml --yes --only kind=member").status == 0)
    let before = try head(run)
    let ending = try run("apply plan.json --yes")
    #expect(ending.status == 4)
    #expect(ending.errors.contains("the plan 'plan.json' no longer fits the state: 'swift-fans': dave is not a member"))
    #expect(try head(run) == before)
    #expect(try run("apply plan.json --yes -o json").output.contains("\"result\": \"stale\""))
  }

  @Test
  func `reports tell what is stale at the line that asked for it, or else at the plan`() throws {
    let run = try pending { $0.replacing("name: Garden", by: "name: Park") }
    _ = try run("diff m --save plan.json")
    _ = try run("server update garden --name Meadow")
    let reports = "--report github=r.txt --report sarif=r.sarif --report json=r.json --report junit=r.xml"
    #expect(try run("apply plan.json --yes \(reports)").status == 4)
    let lines = try run.folder.read("m/a.yaml").split(separator: "\n")
    let line = try #require(lines.firstIndex { $0.contains("Park") }) + 1
    let annotation = run.shown(try run.folder.read("r.txt")).split(separator: "\n")[0]
    #expect(annotation.hasPrefix("::error file=TEST/m/a.yaml,line=\(line),col="), "\(annotation)")
    #expect(
      annotation.contains(
        "title=plan-file.stale::the plan 'plan.json' no longer fits the state: 'name' of 'garden' has changed"))
    #expect(try run.folder.read("r.sarif").contains("\"startLine\": \(line)"))
    #expect(run.shown(try run.folder.read("r.json")).contains("\"file\":\"TEST/m/a.yaml\",\"line\":\(line),"))
    #expect(run.shown(try run.folder.read("r.xml")).contains("name=\"plan-file.stale at TEST/m/a.yaml:\(line):"))

    // No line of a manifest asks for what --prune does.
    let garden = try #require(twoServers.firstRange(of: "  garden:"))
    try run.folder.write(String(twoServers[..<garden.lowerBound]), to: "m/a.yaml")
    #expect(try run("diff m --prune --save plan.json").status == 0)
    _ = try run("member leave garden alice")
    #expect(try run("apply plan.json --yes -o github").output.contains("::error file=plan.json,line=1,col=1,"))
  }

  @Test
  func `without a yes nothing is applied, and what a person agrees to is`() throws {
    let run = try pending()
    _ = try run("diff m --save plan.json")
    #expect(try run("apply plan.json").status == 64)
    run.answer = "no\n"
    #expect(try run("apply plan.json").status == 3)
    run.answer = "yes\n"
    #expect(try run("apply plan.json").status == 0)
  }

  @Test(arguments: [
    "--prune", "--register", "--stack x", "--max-removals 3", "--only a", "--exclude a", "--allow-outside", "m",
  ])
  func `what belongs to the making of a plan can't be said of one that is made`(option: String) throws {
    let run = try pending()
    _ = try run("diff m --save plan.json")
    #expect(try run("apply plan.json --yes \(option)").status == 64)
  }

  @Test
  func `a plan that is refused is not saved`() throws {
    let run = try pending { $0.replacing("owner: bob", by: "owner: carol") }
    let ending = try run("diff m --save plan.json")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("No plan was saved as 'plan.json'."))
    #expect(access(run.folder.path("plan.json"), F_OK) != 0)
  }

  @Test
  func `what was allowed when the plan was saved stays allowed, and the report says so`() throws {
    let run = try pending {
      $0.replacing("      members: [carol, dave]", by: "").replacing("[carol, dave]", by: "[]")
        .replacing("[bob]", by: "[]")
    }
    #expect(try run("diff m --save plan.json").status == 3)
    let words = [
      "diff", "m", "--save", "plan.json", "--allow", "remove:member@swift-fans<=3", "--allow",
      "remove:moderator@swift-fans<=1", "--reason", "closing",
    ]
    #expect(try run.run(words).status == 0)
    let ending = try run("apply plan.json --yes")
    #expect(ending.status == 0)
    #expect(ending.output.contains("Reason: closing (allowed remove:member@swift-fans<=3 and remove:moderator@"))
  }

  @Test func `a stale tag is named, and a plan of another digest has its place`() throws {
    let run = try pending { $0.replacing("[swift, ios]", by: "[swift, macos]") }
    #expect(try run("diff m --save plan.json").status == 0)
    let other = try run("apply plan.json --yes --digest \(String(repeating: "0", count: 64)) -o github")
    #expect(other.status == 65)
    #expect(other.output.contains("::error file=plan.json,line=1,col=1,title=plan-file.digest::'plan.json' is not the"))
    #expect(try run("tag add swift-fans macos").status == 0)
    let added = try run("apply plan.json --yes")
    #expect(added.status == 4 && added.errors.contains("'swift-fans' has the tag 'macos' already"))
    #expect(try run("tag remove swift-fans macos ios").status == 0)
    let removed = try run("apply plan.json --yes")
    #expect(removed.status == 4 && removed.errors.contains("'swift-fans' no longer has the tag 'ios'"))
  }

  @Test(arguments: OutputFormat.allCases.filter { $0 != .gitlab && $0 != .cloudevents })
  func `who reviews a plan sees what it is allowed, and why`(format: OutputFormat) throws {
    let run = try pending()
    let words = [
      "diff", "m", "--save", "plan.json", "--allow", "remove:member@swift-fans<=3", "--reason", "clos<ing",
      "--max-removals", "77%", "-o", format.rawValue,
    ]
    let reports = [
      try run.run(words), try run("show plan.json -o \(format.rawValue)"),
      try run("apply plan.json --dry-run -o \(format.rawValue)"),
      try run("apply plan.json --yes -o \(format.rawValue)"),
    ]
    for (position, report) in reports.enumerated() {
      #expect(report.status == 0)
      // Each format escapes the rest in its own way.
      for words in ["swift-fans", "clos", "77"] {
        #expect(report.output.contains(words), "\(position): \(words)")
      }
    }
  }

  @Test(arguments: [
    ("{\"circlectlPlan\": 1}", "plan-file.content"), ("{\"circlectlPlan\": 9, \"x\": 1}", "plan-file.version"),
    ("{\"circlectlPlan\": 1", "plan-file.syntax"), ("{\"circlectlPlan\"", "plan-file.syntax"),
  ])
  func `a file that is no plan is bad input with its line`(text: String, code: String) throws {
    let run = try TestRun(["plan.json": text])
    for command in ["apply plan.json --yes", "show plan.json"] {
      let ending = try run(command)
      #expect(ending.status == 65, "\(command)")
      #expect(ending.errors.contains("plan.json:1:") && ending.errors.contains("[\(code)]"), "\(ending.errors)")
    }
  }

  @Test
  func `a plan may come through standard input, and is told from manifests there too`() throws {
    let run = try pending()
    _ = try run("diff m --save plan.json")
    run.input = try run.folder.read("plan.json")
    #expect(try run("show -").output == run("show plan.json").output.replacing("plan.json", by: "-"))
    #expect(try run("apply - --yes").status == 0)
    run.input = twoServers
    #expect(try run("apply - --yes").status == 0)
  }

  @Test(arguments: ["diff", "validate"])
  func `a plan where manifests are asked for is told`(command: String) throws {
    let run = try pending()
    _ = try run("diff m --save plan.json")
    let ending = try run("\(command) plan.json")
    #expect(ending.status == 65 && ending.errors.contains("'circlectl show plan.json' shows it"))
  }

  @Test
  func `a plan that is not there, a folder and a manifest are no plans to show`() throws {
    let run = try TestRun(["m/a.yaml": twoServers])
    for path in ["gone.json", "m", "m/a.yaml"] { #expect(try run("show \(path)").status == 65, "\(path)") }
    #expect(try run("diff m --save m").status == 1)
    #expect(try run("diff m --save circle.db").status == 64)
  }
}
