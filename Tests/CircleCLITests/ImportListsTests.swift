import Testing
import Testkit

@testable import CircleCLI

struct ImportListsTests {
  private func start(_ files: [String: String]) throws -> TestRun {
    let run = try TestRun(files.merging(["manifests/a.yaml": twoServers]) { first, _ in first })
    #expect(try run("apply --yes --id-seed x").status == 0)
    return run
  }

  @Test func `members join, change roles and go, with the events of an apply`() throws {
    let run = try start([
      "m.csv":
        "server,user,role,action\nswift-fans,bob,user,\nswift-fans,dave,1,\ngarden,carol,moderator,add\ngarden,alice,,remove\nswift-fans,alice,,\n"
    ])
    let dry = try run("import members m.csv --dry-run")
    #expect(dry.status == 0)
    #expect(dry.output.contains("Plan: 1 to create, 3 to change, 1 to remove."))
    let ending = try run("import members m.csv")
    #expect(ending.status == 0)
    #expect(ending.output.contains("onMemberRemovedFromServer"))
    let members = try run("export --table members").output
    #expect(
      members
        == "server,user,role\ngarden,carol,moderator\nswift-fans,bob,user\nswift-fans,carol,user\nswift-fans,dave,moderator\n"
    )
    let again = try run("import members m.csv")
    #expect(again.output.contains("Nothing changes"))
    #expect(try run.history().count == 2)
    #expect(try run("state verify").status == 0)
  }

  @Test func `a guard refuses a deep cut and says the way out`() throws {
    let run = try start(["m.csv": "server,user,action\ngarden,alice,remove\n"])
    let ending = try run("import members m.csv")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("--allow 'remove:member@garden<=1'"))
    #expect(try run.history().count == 1)
    let words = ["import", "members", "m.csv", "--allow", "remove:member@garden<=1", "--reason", "moved"]
    let planned = try run.run(words + ["--dry-run"]).output
    #expect(planned.contains("remove:member@garden<=1") && planned.contains("moved"), "\(planned)")
    let allowed = try run.run(words)
    #expect(allowed.status == 0)
    #expect(try run("state history").output.contains("moved"))
  }

  @Test func `rows that name what there is not are refused, or skipped and given back`() throws {
    let run = try start([
      "m.csv": "server,user,role\nswift-fans,eve,\nnowhere,bob,\ngarden,carol,owner\ngarden,dave,\n"
    ])
    let ending = try run("import members m.csv")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("m.csv:2:12: error: 'user' is 'eve': there is no such user"))
    #expect(ending.errors.contains("m.csv:3:1: error: 'server' is 'nowhere': there is no such server"))
    #expect(ending.errors.contains("  2 | swift-fans,eve,\n    |            ^\n"))
    #expect(ending.errors.contains("the owner of a server is fixed at its creation"))
    let skip = try run("import members m.csv --on-error skip --errors e.csv")
    #expect(skip.status == 65)
    #expect(skip.output.contains("4 rows read, 3 rows refused."))
    #expect(try run("import members m.csv --on-error skip -o json").output.contains(#""import": {"#))
    #expect(try run.folder.read("e.csv").split(separator: "\n").count == 4)
    #expect(try run("export --table members").output.contains("garden,dave,user"))
    try run.folder.write("server,user\nswift-fans,eve\n", to: "m.csv")
    #expect(try run("import members m.csv").status == 3)
  }

  @Test(arguments: [
    ("swift-fans,eve", "", 3, "refused"), ("swift-fans,eve", "--on-error skip", 65, "bad-input"),
    ("swift-fans,e v e\nswift-fans,eve", "", 65, "bad-input"), ("garden,dave", "", 0, "different"),
    ("swift-fans,eve\ngarden,dave\nswift-fans,dave", "--on-error skip", 3, "refused"),
  ])
  func `the result of a dry run goes with its exit code`(
    rows: String, options: String, status: Int32, result: String
  ) throws {
    let run = try start(["m.csv": "server,user\n\(rows)\n"])
    if rows.contains("dave"), status == 3 { #expect(try run("state set-limit joined 1").status == 0) }
    let ending = try run("import members m.csv --dry-run -o json \(options)")
    #expect(ending.status == status)
    #expect(ending.output.contains("\"result\": \"\(result)\""))
    #expect(try run("import members m.csv \(options)").status == status)
  }

  @Test func `of two rows that contradict each other the later wins and is warned of`() throws {
    let run = try start([
      "m.csv":
        "server,user,role,action\ngarden,carol,,add\ngarden,dave,,\ngarden,Carol,,remove\ngarden,dave,moderator,\n"
    ])
    let ending = try run("import members m.csv")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("m.csv:4: warning: member 'carol' of 'garden' has another row in line 2"))
    #expect(
      try run("export --table members garden").output == "server,user,role\ngarden,alice,user\ngarden,dave,moderator\n")
  }

  @Test func `a role for the owner is warned of, and leaves him as he is`() throws {
    let run = try start(["m.csv": "user,server,role\nalice,swift-fans,moderator\nbob,garden,\nbob,garden,2\n"])
    let ending = try run("import members m.csv")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("m.csv:2:1: warning: 'alice' is the owner of 'swift-fans', whose role stays"))
    #expect(ending.errors.contains("m.csv:4:1: warning: 'bob' is the owner of 'garden'"))
    #expect(ending.output.contains("Nothing changes"))
    try run.folder.write("user,server,role\nalice,swift-fans,\n", to: "m.csv")
    let silent = try run("import members m.csv")
    #expect(silent.output.contains("Nothing changes") && silent.errors == "")
  }

  @Test(arguments: [
    ("members", "server,user,name\ngarden,dave,x\n", "--map user=name says that it is an id"),
    ("tags", "server,tag,name\ngarden,roses,x\n", "--map FIELD=name names its field"),
  ])
  func `for a column name only fields of the table are offered`(kind: String, table: String, help: String) throws {
    let run = try start(["t.csv": table])
    let errors = try run("import \(kind) t.csv --dry-run").errors
    #expect(errors.contains(help))
    #expect(!errors.contains("nickName"))
  }

  @Test func `a tag and a list of tags are two columns for one thing`() throws {
    let run = try start([
      "t.csv": "server,tag,tags\ngarden,a,b\n", "a.csv": "server,tag\nnowhere,\"x, y\"\n",
      "b.csv": "handle,tags\nnowhere,a|b\n",
    ])
    let ending = try run("import tags t.csv")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("the columns 'tag' and 'tags' both stand for"))
    #expect(try run("import tags t.csv --map tags=tag").status == 0)
    // One errors file for both.
    let both = try run("import tags a.csv b.csv --errors e.csv")
    #expect(both.errors.contains("2 rows of 2 refused"))
    let refused = try run.folder.read("e.csv").replacing("nowhere", by: "garden")
    #expect(refused.hasPrefix("server,tags,error\n"))
    try run.folder.write(refused, to: "e.csv")
    #expect(try run("import tags e.csv").status == 0)
    #expect(try run("export --table tags garden").output == "server,tag\ngarden,a\ngarden,\"x, y\"\ngarden,b\n")
  }

  @Test func `tags come one a row or as a list, and keep their order`() throws {
    let run = try start([
      "t.csv": "server,tag,action\nswift-fans,ios,remove\nswift-fans,zeta,\nswift-fans,alpha,add\n",
      "l.csv": "社区;标签\ngarden;\"roses|herbs, all\"\nswift-fans;zeta\n",
    ])
    #expect(try run("import tags t.csv l.csv --dry-run").output.contains("Plan: 4 to create, 1 to remove."))
    #expect(try run("import tags t.csv l.csv").status == 0)
    #expect(
      try run("export --table tags").output
        == "server,tag\ngarden,roses\ngarden,\"herbs, all\"\nswift-fans,swift\nswift-fans,zeta\nswift-fans,alpha\n")
    #expect(try run("import tags t.csv l.csv").output.contains("Nothing changes"))
    #expect(try run("state verify").status == 0)
  }

  @Test func `a limit refuses the whole import`() throws {
    let tags = (0..<11).map { "garden,tag\($0)\n" }.joined()
    let run = try start(["t.csv": "server,tag\n\(tags)"])
    let ending = try run("import tags t.csv")
    #expect(ending.status == 3)
    #expect(ending.errors.contains("refused"))
    #expect(try run("export --table tags garden").output == "server,tag\n")
  }

  @Test func `what a limit refuses is no row's fault, and no file of refused rows is made`() throws {
    let run = try start(["m.csv": "server,user\ngarden,dave\nswift-fans,dave\n"])
    #expect(try run("state set-limit joined 1").status == 0)
    let before = run.folder.names()
    for option in ["", "--dry-run"] {
      let ending = try run("import members m.csv --on-error skip --errors e.csv \(option)")
      #expect(ending.status == 3)
      #expect(ending.errors.contains("--on-error and --errors are for rows that are wrong by themselves"))
      #expect(run.folder.names() == before)
    }
    #expect(try !run("import members m.csv").errors.contains("--on-error"))
    try run.folder.write("server,user,error\ngarden,eve,gone\n", to: "e.csv")
    #expect(try run("import members m.csv --errors e.csv").status == 3)
    #expect(try !run.folder.read("e.csv").contains("eve"), "rows of an earlier run are not left")
  }

  @Test(arguments: [("members", "server,user\ngarden,dave\n"), ("tags", "server,tag\ngarden,roses\n")])
  func `a clock that goes back is warned of before something is written`(kind: String, table: String) throws {
    let run = try start(["t.csv": table])
    run.time -= 1000
    #expect(try run("import \(kind) t.csv --dry-run").errors == "")
    let ending = try run("import \(kind) t.csv")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("warning: the clock is earlier than the last run; this run gets its time, 2025-"))
    #expect(try run("import \(kind) t.csv").errors == "")
  }

  @Test func `a server may be named by its id`() throws {
    let run = try start([:])
    let listing = try run("server list -o ndjson").output
    let id = try #require(
      listing.split(separator: "\n").first { $0.contains("garden") }?.split(separator: "\"").first {
        $0.utf8.count == 22
      })
    try run.folder.write("server,user\n\(id),dave\ngarden,dave\n", to: "m.csv")
    #expect(try run("import members m.csv").output.contains("1 created"))
  }
}
