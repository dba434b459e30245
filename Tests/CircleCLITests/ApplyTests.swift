import Glibc
import Testing
import Testkit

@testable import CircleCLI

struct ApplyTests {
  @Test func `a first apply creates the state, a second one changes nothing`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let first = try run("apply --yes")
    #expect(first.status == 0)
    #expect(first.errors.contains("the state 'circle.db' was created"))
    #expect(first.output.contains("onMemberJoinedServer"))
    let bytes = try run.folder.read("circle.db")
    let second = try run("apply --yes")
    #expect(second.status == 0)
    #expect(second.output.contains("Nothing changes"))
    #expect(second.errors == "")
    #expect(try run.folder.read("circle.db") == bytes)
    #expect(run.folder.names() == ["circle.db", "manifests"])
    #expect(try run("diff --exit-code").status == 0)
    #expect(try run("state verify").status == 0)
  }

  @Test func `the same input gives the same bytes`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let line = "apply --yes -o json --now 2025-01-02T03:04:05Z --id-seed test --state"
    let first = try run("\(line) first.db").output
    run.time += 1_000_000
    #expect(try run("\(line) second.db").output == first)
    #expect(first.contains("\"2025-01-02T03:04:05.000Z\""))
  }

  @Test func `a dry run shows the plan and writes nothing`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let ending = try run("apply --dry-run")
    #expect(ending.status == 0)
    #expect(ending.output.contains("swift-fans"))
    #expect(run.folder.names() == ["manifests"])
  }

  @Test func `without a terminal and without --yes nothing is done`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let ending = try run("apply")
    #expect(ending.status == 64)
    #expect(ending.output == "")
    #expect(ending.errors.contains("--yes"))
    #expect(run.folder.names() == ["manifests"])
  }

  @Test(arguments: ["y\n", "yes\n", " Y \n", "YES"])
  func `a person who agrees is obeyed`(answer: String) throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    run.answer = answer
    let ending = try run("apply")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("[y/N]"))
    #expect(run.folder.exists("circle.db"))
  }

  @Test(arguments: ["n\n", "\n", "", "yesterday\n"])
  func `any other answer says no`(answer: String) throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    run.answer = answer
    let ending = try run("apply")
    #expect(ending.status == 3)
    #expect(ending.output == "")
    #expect(run.folder.names() == ["manifests"])
  }

  @Test func `a state that moves while a person is asked is stale`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    run.answer = "y\n"
    let folder = run.folder
    run.whileAsked = {
      let other = try? SpawnedProgram("circlectl", ["state", "set-limit", "joined", "7"], in: folder)
      #expect((try? other?.wait())?.status == 0)
    }
    for _ in 0..<2 {
      // First where there was no state, then where there is one.
      let ending = try run("apply")
      #expect(ending.status == 4)
      #expect(ending.output == "")
      #expect(ending.errors.contains("the state changed in the meantime"))
      run.whileAsked = {
        let other = try? SpawnedProgram("circlectl", ["state", "set-limit", "joined", "8"], in: folder)
        #expect((try? other?.wait())?.status == 0)
      }
    }
    run.whileAsked = nil
    #expect(try run.history().count == 2)
    #expect(try run("apply").status == 0)
    #expect(try run("state info").output.contains("No run holds the lock"))
  }

  @Test func `who has read the plan at the terminal gets the summary afterwards`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    run.answer = "y\n"
    let ending = try run("apply --color never")
    #expect(ending.errors.contains("+ member carol"))
    #expect(!ending.output.contains("+ member carol"))
    #expect(ending.output.contains("Applied"))
  }

  @Test(arguments: [("", true), ("--detail full", true), ("--detail summary", false)])
  func `reports of an apply that a person agreed to have the detail of any other`(
    option: String, hasChanges: Bool
  ) throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    run.answer = "y\n"
    #expect(try run("apply --report json=r.json --report text=r.txt --report markdown=r.md \(option)").status == 0)
    #expect(try run.folder.read("r.json").contains("\"changes\": [") == hasChanges)
    for name in ["r.txt", "r.md"] { #expect(try run.folder.read(name).contains("carol") == hasChanges, "\(name)") }
    let machine = try TestRun(["manifests/a.yaml": twoServers])
    machine.answer = "y\n"
    #expect(try machine("apply -o json \(option)").output.contains("\"changes\": [") == hasChanges)
  }

  @Test func `colour is written where it is asked for`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    #expect(try !run("diff").output.contains("\u{1B}["))
    #expect(try run("diff --color always").output.contains("\u{1B}["))
    #expect(try !run("diff --color always -o json").output.contains("\u{1B}["))
  }

  @Test func `quiet says nothing beside results and errors`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers.replacing("dave: {}", by: "dave: {devices: [x, x]}")])
    #expect(try run("apply --yes -q").status == 65)
    try run.folder.write(twoServers, to: "manifests/a.yaml")
    #expect(try run("apply --yes -q").errors == "")
  }

  @Test func `quiet says nothing of mere doubts beside errors either`() throws {
    let doubtful = twoServers.replacing("[carol, dave]", by: "[carol, carol]")
    let run = try TestRun([
      "manifests/a.yaml": doubtful.replacing("name: Garden", by: "name: ''"), "u.csv": "userId,shoe\na b,42\n",
    ])
    for (line, error) in [
      ("apply --yes", "manifest.invalid-text"), ("validate manifests", "manifest.invalid-text"),
      ("import users u.csv", "table.value"),
    ] {
      #expect(try run(line).errors.contains("warning: "))
      let quiet = try run("\(line) -q -o json")
      #expect(quiet.errors.contains("[\(error)]") && !quiet.errors.contains("warning: "), "\(quiet.errors)")
      #expect(quiet.output.contains("\"severity\":\"warning\""))
    }
    try run.folder.write(twoServers, to: "manifests/a.yaml")
    _ = try run("apply --yes")
    #expect(try run("user update bob --set sign=x --set shoe=42").errors.contains("warning: "))
    #expect(try run("user update bob --set sign=y --set shoe=42 -q").errors == "")
    #expect(try run("user update bob --set shoe=42 -q").errors.contains("'shoe' was left out"))
  }

  @Test func `an empty plan needs no answer`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    #expect(try run("apply").status == 0)
  }

  @Test func `bookkeeping alone needs no answer and writes one entry of the history`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    try run.folder.write(
      twoServers.replacing("name: Garden", by: "name: Garden\n    protect: true"), to: "manifests/a.yaml")
    let ending = try run("apply")
    #expect(ending.status == 0)
    #expect(ending.output.contains("Nothing changes"))
    #expect(try run.history().count == 2)
    #expect(try run("apply").output.contains("Nothing changes"))
    #expect(try run.history().count == 2)
  }

  @Test func `a fault of the manifests is 65, told with its place, before anything else`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers.replacing("owner: bob", by: "ownr: bob")])
    let ending = try run("apply --yes")
    #expect(ending.status == 65)
    #expect(ending.output == "")
    #expect(run.shown(ending.errors).contains("TEST/manifests/a.yaml:16:5: error: unknown key 'ownr'"))
    #expect(run.folder.names() == ["manifests"])
  }

  @Test func `a fault that only the state shows is 65 too`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers.replacing("[carol, dave]", by: "[carol, erin]")])
    let ending = try run("apply --yes")
    #expect(ending.status == 65)
    #expect(ending.errors.contains("erin"))
    #expect(try run("apply --yes --register").status == 0)
  }

  @Test func `removing most members is refused, and the --allow that is printed works at once`() throws {
    let many = (1...20).map { "user\($0)" }
    func manifest(_ members: [String]) -> String {
      """
      version: 1
      users:
      \(many.map { "  \($0): {}\n" }.joined())  boss: {}
      servers:
        big: {name: Big, owner: boss, members: [\(members.joined(separator: ", "))]}
      """
    }
    let run = try TestRun(["manifests/a.yaml": manifest(many)])
    #expect(try run("apply --yes").status == 0)
    try run.folder.write(manifest(Array(many.prefix(5))), to: "manifests/a.yaml")
    let refused = try run("apply --yes")
    #expect(refused.status == 3)
    #expect(refused.errors.contains("remove:member@big<=15"))
    #expect(try run("diff").status == 3)
    #expect(try run("apply").status == 3, "a blocked plan comes before the question for a terminal")
    #expect(try run("apply --yes --allow remove:member@big<=14").status == 3)
    #expect(try run("apply --yes --max-removals 10").status == 3)
    #expect(try run.history().count == 1)
    let allowed = try run("apply --yes --allow remove:member@big<=15 --reason moved")
    #expect(allowed.status == 0)
    let history = try run("state history").output
    #expect(history.contains("moved"))
    #expect(history.contains("remove:member@big<=15"))
  }

  @Test func `a limit is refused with 3 before anything is written`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    #expect(try run("state set-limit joined 0").status == 0)
    let ending = try run("apply --yes -o json")
    #expect(ending.status == 3)
    #expect(ending.output.contains("reachLimit"))
    #expect(try run("export --all").output == "version: 1\n")
  }

  @Test func `reports are written to files too, also when the plan is refused`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    #expect(try run("apply --yes --report json=r.json --report ndjson=r.ndjson").status == 0)
    #expect(try run.folder.read("r.json").contains("\"done\""))
    try run.folder.write(twoServers.replacing("owner: bob", by: "owner: carol"), to: "manifests/a.yaml")
    #expect(try run("apply --yes --report json=r.json").status == 3)
    #expect(try run.folder.read("r.json").contains("\"refused\""))
    try run.folder.write("version: 1\nusrs: {}\n", to: "manifests/a.yaml")
    #expect(try run("apply --yes --report json=r.json").status == 65)
    #expect(try run.folder.read("r.json").contains("manifest.unknown-key"))
    #expect(run.folder.names() == ["circle.db", "manifests", "r.json", "r.ndjson"])
  }

  @Test func `a report that can't be written is told before anything is done`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    #expect(try run("apply --yes --report json=nowhere/r.json").status == 1)
    #expect(run.folder.names() == ["manifests"])
  }

  @Test func `with json nothing but the document is on standard output, whatever happens`() throws {
    let run = try TestRun(["manifests/a.yaml": "version: 1\nusrs: {}\n"])
    let ending = try run("apply --yes -o json")
    #expect(ending.status == 65)
    #expect(ending.output.first == "{")
    #expect(ending.output.contains("\"bad-input\""))
  }

  @Test func `a full disk is a failure that says that the state was changed`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    run.output = "/dev/full"
    let ending = try run("apply --yes")
    #expect(ending.status == 1)
    #expect(ending.errors.contains("The state was changed all the same"))
    run.output = nil
    #expect(try run("diff --exit-code").status == 0)
  }

  @Test func `--stats tells of each phase`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let errors = try run("apply --yes --stats -v").errors
    for word in ["reading:", "loading:", "planning:", "writing:", "reporting:", "peak memory:"] {
      #expect(errors.contains(word))
    }
  }

  @Test func `standard input is a manifest where it is named`() throws {
    let run = try TestRun()
    run.input = twoServers
    #expect(try run("apply - --yes").status == 0)
    #expect(try run("diff - --exit-code").status == 0)
  }

  @Test func `a signal between phases leaves the state as it was`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("state init")
    let bytes = try run.folder.read("circle.db")
    for (signal, status) in [(Signals.interrupt, 130), (Signals.terminate, 143)] as [(Int32, Int32)] {
      for asked in 0..<3 {
        run.signal = (signal, asked)
        let ending = try run("apply --yes")
        #expect(ending.status == status)
        #expect(ending.output == "")
      }
    }
    run.signal = nil
    #expect(try run.folder.read("circle.db") == bytes)
  }

  @Test func `--prune destroys what no manifest names, and only then`() throws {
    let run = try TestRun([
      "manifests/a.yaml": twoServers, "manifests/b.yaml": "version: 1\nservers: {attic: {name: Attic, owner: bob}}\n",
    ])
    _ = try run("apply --yes")
    try run.folder.write("version: 1\nusers: {bob: {}}\n", to: "manifests/b.yaml")
    #expect(try run("diff --exit-code").status == 0)
    #expect(try run("diff --exit-code --prune").status == 2)
    #expect(try run("apply --yes --prune").status == 0)
    #expect(try !run("export --all").output.contains("attic"))
  }

  @Test func `another stack's server is a fault`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes --stack one")
    #expect(try run("apply --yes --stack two").status == 65)
    #expect(try run("export").output.contains("servers:") == false)
    #expect(try run("export --stack one").output.contains("swift-fans"))
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
  func `a first apply that is interrupted leaves no state behind`(signal: Int32, status: Int32) throws {
    var after = 0
    while true {
      let run = try TestRun(["manifests/a.yaml": twoServers])
      run.signal = (signal, after)
      let ending = try run("apply --yes")
      if ending.status == 0 { break }
      #expect(ending.status == status, "\(after)")
      #expect(run.folder.names() == ["manifests"], "\(after)")
      #expect(!ending.errors.contains("was created"))
      after += 1
    }
    #expect(after > 3)
  }

  @Test func `a time beyond the clock, and a clock behind the log, are told`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    let first = try run("apply --yes --now 2031-01-01T00:00:00Z")
    #expect(first.errors.contains("warning: --now is more than a day later than the clock"))
    try run.folder.write(twoServers.replacing("Garden", by: "Park"), to: "manifests/a.yaml")
    let second = try run("apply --yes")
    #expect(second.status == 0)
    #expect(second.errors.contains("the clock is earlier than the last run; this run gets its time, 2031-01-01T00:00"))
    #expect(try run("state set-limit joined 7 --now 2030-01-01T00:00:00Z").errors.contains("--now is earlier than"))
    #expect(try run("diff").errors == "")
    #expect(try run("apply --yes -q").errors == "")
  }
}
