import CircleState
import Glibc
import Testing
import Testkit

@testable import CircleCLI

/// `user get`, `user fetch`, and the names that other reads show.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct UserReadingTests {
  private func run(_ files: [String: String] = [:]) throws -> TestRun {
    let manifest = """
      version: 1
      users:
        alice: {nickName: Alice, devices: [phone], gender: female, email: a@b.example}
        Bob: {}
      servers: {}

      """
    let run = try TestRun(["manifests/a.yaml": manifest].merging(files) { $1 })
    run.environment = ["HOME": run.folder.path("home"), "PATH": "/usr/bin:/bin"]
    #expect(try run("apply manifests --yes").status == 0)
    return run
  }

  private func add(_ run: TestRun, _ name: String, exec command: String, timeout: String = "1m") throws {
    let ending = try run.run(["provider", "add", name, "--exec", command, "--timeout", timeout])
    #expect(ending.status == 0, "\(ending.errors)")
  }

  private let answering = #"echo x >>calls; echo '{"userId":"bob","nickName":"Robert"}'"#

  private func calls(_ run: TestRun) -> Int { ((try? run.folder.read("calls")) ?? "").utf8.count / 2 }

  @Test func `without providers the hosted profile is shown`() throws {
    let run = try run()
    for line in ["user get ALICE", "user fetch ALICE"] {
      let ending = try run(line)
      #expect(ending.status == 0)
      #expect(
        ending.output == """
          alice
            nickName  Alice
            gender    female
            email     a@b.example
            shown by  the state

          """)
      #expect(ending.errors == "")
    }
    #expect(
      try run("user get bob alice bob -o ndjson").output == """
        {"type":"header","circlectlReport":1,"command":"user get","result":"done"}
        {"type":"user","userId":"Bob","registered":true,"source":"state"}
        {"type":"user","userId":"alice","nickName":"Alice","gender":"female","email":"a@b.example","registered":true,"source":"state"}

        """)
  }

  @Test func `a file comes before the state, the first file before the second`() throws {
    let run = try run([
      "one.csv": "userId,nickName\nalice,Ally\n",
      "two.ndjson": "{\"userId\":\"ALICE\",\"nickName\":\"Other\"}\n{\"userId\":\"zoe\"}\n",
    ])
    _ = try run("provider add one --file one.csv")
    _ = try run("provider add two --file two.ndjson")
    let json = try run("user get alice zoe bob -o json").output
    for line in [
      #"{"userId":"alice","nickName":"Ally","registered":true,"source":"file","provider":"one"}"#,
      #"{"userId":"zoe","registered":false,"source":"file","provider":"two"}"#,
      #"{"userId":"Bob","registered":true,"source":"state"}"#,
    ] { #expect(json.contains(line), "\(json)") }
    #expect(try run("user get zoe").output.contains("provider two; not registered"))
  }

  @Test func `get runs nothing, fetch does, and get knows its answer then`() throws {
    let run = try run()
    try add(run, "ldap", exec: answering)
    #expect(try run("user get bob -o json").output.contains("\"source\":\"state\""))
    #expect(calls(run) == 0)
    #expect(try run("user fetch bob -o json").output.contains("\"source\":\"fetch\",\"provider\":\"ldap\""))
    #expect(
      try run("user fetch bob -o json").output.contains(
        "\"nickName\":\"Robert\",\"registered\":true,\"source\":\"cache\""))
    #expect(try run("user get bob").output.contains("asked within the hour"))
    #expect(calls(run) == 1)
    #expect(try run("user fetch bob --refresh -o json").output.contains("\"source\":\"fetch\""))
    #expect(calls(run) == 2)
    run.time += 3_600_000
    #expect(try run("user get bob -o json").output.contains("\"source\":\"state\""))
    #expect(try run("user fetch bob").status == 0)
    #expect(calls(run) == 3)
  }

  @Test func `removing or changing a provider drops what it answered`() throws {
    let run = try run()
    try add(run, "ldap", exec: answering)
    _ = try run("user fetch bob")
    _ = try run("provider remove ldap")
    #expect(run.folder.exists("home/.cache/circlectl"))
    #expect(!run.folder.exists("home/.cache/circlectl/ldap.users.ndjson"))
    try add(run, "ldap", exec: answering)
    #expect(try run("user get bob -o json").output.contains("\"source\":\"state\""))
  }

  @Test func `nobody knows a user: 3, with the nearest one that is known`() throws {
    let run = try run(["one.csv": "userId\nzoe\n"])
    let ending = try run("user get alcie")
    #expect(ending.status == 3)
    #expect(ending.output == "")
    #expect(ending.errors.contains("'alcie' is not registered (notRegistered)"))
    #expect(ending.errors.contains("Did you mean 'alice'?"))
    _ = try run("provider add one --file one.csv")
    #expect(try run("user get zoo").errors.contains("Did you mean 'zoe'?"))
    #expect(try run("user get zoe").status == 0)
    #expect(try run("user get bob nobody1 nobody2").errors.contains("'nobody1' (and 1 more)"))
  }

  @Test func `a fetch answers for those who are known, and tells the others`() throws {
    let run = try run()
    try add(run, "ldap", exec: answering)
    let ending = try run.spawn("user fetch bob nobody1 nobody2 -o json")
    #expect(ending.status == 0)
    #expect(
      ending.errors
        == "circlectl: warning: the user 'nobody1' (and 1 more) is not registered, and no provider knows him\n")
    for text in [
      "\"nickName\":\"Robert\"", #"{"userId":"nobody1","cause":"notRegistered"}"#,
      #"{"userId":"nobody2","cause":"notRegistered"}"#, "\"messages\"", "\"result\": \"done\"",
    ] { #expect(ending.output.contains(text), "\(ending.output)") }
    let text = try run.spawn("user fetch alcie bob")
    #expect(text.status == 0)
    #expect(text.errors.contains("'alcie' is not registered, and no provider knows him. Did you mean 'alice'?"))
    #expect(text.output.hasPrefix("Bob\n"))
    #expect(!text.output.contains("alcie"))
    #expect(try run.spawn("user fetch nobody1 nobody2").status == 3)
    #expect(try run.spawn("user get bob nobody1").status == 3)
  }

  @Test func `an update says when a provider hides what was set`() throws {
    let run = try run(["one.csv": "userId,nickName,email\nbob,Robert,b@c.example\nalice,,a@b.example\n"])
    _ = try run("provider add one --file one.csv")
    let ending = try run("user update bob --set nickName=Rob --set sign=hi -o json")
    #expect(ending.status == 0)
    let sentence = "provider 'one' knows 'Bob' too and comes first: its nickName and sign are shown, not what was set"
    #expect(ending.errors == "circlectl: warning: \(sentence)\n")
    #expect(ending.output.contains(sentence))
    #expect(try run("user update bob --set nickName=Rob").errors.contains("its nickName is shown"), "no change either")
    #expect(try run("user update bob --set nickName=Robert --set email=b@c.example").errors == "")
    #expect(try run("user update alice --set nickName=Ally").errors == "", "lists show it")
    _ = try run("provider remove one")
    #expect(try run("user update bob --set nickName=Rob").errors == "")
  }

  @Test func `what can't be a user id is wrong usage`() throws {
    let run = try run()
    #expect(try run.run(["user", "get", "@bob"]).status == 64)
    #expect(try run.run(["user", "get", "a b"]).errors.contains("invalidParam 110"))
    #expect(try run("user get").status == 64)
  }

  @Test func `a state that is missing counts as empty and stays missing`() throws {
    let run = try TestRun(["one.csv": "userId\nzoe\n"])
    run.environment = ["HOME": run.folder.path("home")]
    _ = try run("provider add one --file one.csv")
    let ending = try run("user get zoe")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("counts as empty"))
    #expect(!run.folder.exists("circle.db"))
  }

  @Test(arguments: [
    ("exit 1", "exit status 1"), ("echo '{\"userId\":\"bob\"}'; echo nonsense", "malformed in line 2"),
    ("head -c 100000000 /dev/zero", "larger than 4 MiB"), ("sleep 60", "within 300 ms"), ("kill -9 $$", "signal 9"),
  ])
  func `a provider that fails is told with 1, after what the others know`(command: String, part: String) throws {
    let run = try run(["one.csv": "userId,nickName\nzoe,Zoe\n"])
    try add(run, "bad", exec: command, timeout: "300ms")
    _ = try run("provider add one --file one.csv")
    let ending = try run("user fetch zoe bob -o json")
    #expect(ending.status == 1)
    for text in ["provider 'bad'", part] { #expect(ending.errors.contains(text), "\(ending.errors)") }
    for text in ["\"result\": \"failed\"", "\"nickName\":\"Zoe\"", "\"source\":\"state\"", "provider 'bad'"] {
      #expect(ending.output.contains(text), "\(ending.output)")
    }
    let again = try run("user fetch bob")
    #expect(again.status == 1)
    #expect(!again.output.contains("provider 'bad'"), "people have that on standard error")
    #expect(again.errors.contains("less than a minute ago"))
    #expect(try run("user get bob").status == 0, "nothing is run, so nothing fails")
  }

  @Test func `what a command says is passed on harmless and not without end`() throws {
    let run = try run()
    try add(run, "ldap", exec: answering + #"; printf '\033[2Jboo\n' >&2; yes >&2 & sleep 0.1"#)
    let ending = try run("user fetch bob")
    #expect(ending.status == 0)
    #expect(ending.errors.contains(#"provider 'ldap' says: \u{1b}[2Jboo"#), "\(ending.errors.prefix(300))")
    #expect(ending.errors.utf8.count < 2000)
  }

  @Test func `values that break a rule are dropped with a warning that quotes the line`() throws {
    let run = try run()
    try add(run, "ldap", exec: #"echo '{"userId":"bob","email":"nope","sign":"hi"}'"#)
    let ending = try run("user fetch bob")
    #expect(ending.status == 0)
    #expect(ending.output.contains("sign"))
    #expect(!ending.output.contains("nope"))
    #expect(ending.errors.contains("answer of 'ldap':1:1: warning:"))
  }

  @Test func `without a home the commands still are asked by nobody, and nothing fails`() throws {
    let run = try run()
    run.environment = [:]
    #expect(try run("user fetch alice").status == 0)
    #expect(try run("user get alice").status == 0)
  }

  @Test func `two fetches at once leave a cache that has both answers`() throws {
    let folder = try TemporaryFolder()
    let environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    func start(_ words: String...) throws -> SpawnedProgram {
      try SpawnedProgram("circlectl", words, in: folder, environment: environment)
    }
    #expect(
      try start("provider", "add", "echo", "--exec", "sleep 0.2; sed 's/}/,\"nickName\":\"N\"}/'").wait().status == 0)
    let programs = try (0..<6).map { try start("user", "fetch", "user\($0)") }
    for program in programs { #expect(try program.wait().status == 0) }
    let ending = try start("user", "get", "user0", "user1", "user2", "user3", "user4", "user5", "-o", "ndjson").wait()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.split(separator: "\n").count { $0.contains("\"source\":\"cache\"") } == 6)
  }

  @Test func `an interrupt ends a command that hangs, with 130`() throws {
    let folder = try TemporaryFolder()
    let environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    _ = try SpawnedProgram(
      "circlectl", ["provider", "add", "slow", "--exec", "echo $$ >process; sleep 60", "--timeout", "1m"], in: folder,
      environment: environment
    ).wait()
    let program = try SpawnedProgram("circlectl", ["user", "fetch", "bob"], in: folder, environment: environment)
    while !folder.exists("process") { usleep(10_000) }
    usleep(50_000)
    program.send(SIGINT)
    #expect(try program.wait().status == 130)
    let process = try #require(Int32(folder.read("process").split(separator: "\n").first ?? ""))
    #expect(kill(process, 0) != 0)
  }

  @Test func `a program that was started to ignore its children still sees how they end`() throws {
    let folder = try TemporaryFolder()
    let environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    let program = "\(SpawnedProgram.binaries)/circlectl"
    let script = "\(program) provider add p --exec 'sleep 0.1; cat'; trap '' CHLD; exec \(program) user fetch bob"
    let ending = try SpawnedProgram("/bin/sh", ["-c", script], in: folder, environment: environment).wait()
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("bob"))
  }

  // MARK: Names beside something else

  /// What lists show beside the ids, or the id where that is nothing.
  private func names(_ run: TestRun, _ ids: [String], limit: Int = 10_000) throws -> [String: String] {
    let listed = try run.spawn("user list --provider-timeout \(limit)ms -o ndjson").output.split(separator: "\n")
    var names: [String: String] = [:]
    for id in ids {
      guard let line = listed.first(where: { $0.lowercased().contains("\"userid\":\"\(id)\"") }) else { continue }
      let name = line.firstRange(of: "\"nickName\":\"").map { line[$0.upperBound...].prefix { $0 != "\"" } }
      names[id] = name.map(String.init) ?? id
    }
    return names
  }

  @Test func `names are the stored nicknames, else the ids`() throws {
    let run = try run()
    #expect(
      try names(run, ["alice", "bob", "zoe"]) == ["alice": "Alice", "bob": "bob"])
  }

  @Test func `names of providers come first, and are kept`() throws {
    let run = try run(["one.csv": "userId,nickName\nalice,Ally\n"])
    _ = try run("provider add one --file one.csv")
    try add(run, "ldap", exec: answering)
    for _ in 0..<2 { #expect(try names(run, ["alice", "bob"]) == ["alice": "Ally", "bob": "Robert"]) }
    #expect(calls(run) == 1)
  }

  @Test func `slow and broken providers hold nothing up and hide nothing`() throws {
    let run = try run(["one.csv": "userId,nickName\nbob,Robert\n", "two.csv": "userId\n"])
    try add(run, "slow", exec: "sleep 60")
    _ = try run("provider add one --file one.csv")
    _ = try run("provider add two --file two.csv")
    try run.folder.write("\"", to: "two.csv")
    var start = timespec()
    clock_gettime(CLOCK_MONOTONIC, &start)
    #expect(try names(run, ["alice", "bob"], limit: 300) == ["alice": "Alice", "bob": "Robert"])
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    #expect(end.tv_sec - start.tv_sec < 20)
  }

  @Test func `a provider that is too slow for a list is warned of, and so is that it is not asked again`() throws {
    let run = try run()
    try add(run, "slow", exec: "sleep 60")
    for sentence in [
      "provider 'slow' failed: it did not answer in time",
      "provider 'slow' did not answer in time (less than a minute ago)",
    ] {
      let ending = try run.spawn("user list --provider-timeout 3s -o json")
      #expect(ending.status == 0)
      #expect(ending.errors == "circlectl: warning: \(sentence)\n")
      #expect(ending.output.contains("\"messages\": [\n    \"\(sentence)\""), "\(ending.output)")
      #expect(ending.output.contains("\"userId\":\"alice\",\"nickName\":\"Alice\""))
    }
    let quiet = try run.spawn("user list -q --report text=r.txt")
    #expect(quiet.errors == "")
    #expect(!quiet.output.contains("provider"))
    #expect(try run.folder.read("r.txt").contains("provider 'slow' did not answer in time"))
    #expect(try run.spawn("user list --provider-timeout 0").errors == "", "nothing is asked")
  }

  @Test func `a provider that fails is warned of by lists`() throws {
    let run = try run()
    try add(run, "bad", exec: "exit 3")
    let ending = try run.spawn("user list")
    #expect(ending.status == 0)
    #expect(ending.errors.contains("warning: provider 'bad' failed: its command ended with exit status 3"))
    #expect(ending.output.contains("Alice"))
  }

  @Test func `with no time nothing is run`() throws {
    let run = try run(["one.csv": "userId,nickName\nalice,Ally\n"])
    _ = try run("provider add one --file one.csv")
    try add(run, "ldap", exec: answering)
    #expect(try names(run, ["alice", "bob"], limit: 0) == ["alice": "Ally", "bob": "bob"])
    #expect(calls(run) == 0)
  }

  @Test func `a damaged list of providers is noted and passed over`() throws {
    let run = try run(["home/.config/circlectl/providers.json": "{"])
    #expect(try names(run, ["alice"]) == ["alice": "Alice"])
  }
}
