import CircleState
import CircleStateSQLite
import Glibc
import Testing
import Testkit

/// The program as a process of its own: what only signals, pipes and other processes show.
@Suite(.serialized)
struct ProcessTests {
  /// Manifests with so many members that an apply takes a while.
  private static func large(_ members: Int) -> String {
    var text = "version: 1\nusers:\n  boss: {}\n"
    for number in 0..<members { text += "  user\(number): {}\n" }
    text += "servers:\n"
    for server in 0..<4 {
      text += "  big\(server):\n    name: Big\n    owner: boss\n    members:\n"
      for number in 0..<members { text += "      - user\(number)\n" }
    }
    return text
  }

  private func run(_ folder: TemporaryFolder, _ words: String...) throws -> SpawnedProgram.Ending {
    try SpawnedProgram("circlectl", words, in: folder).wait()
  }

  @Test func `two applies at once both succeed, one after the other, or one says who holds the lock`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.large(500), to: "a/a.yaml")
    try folder.write(
      "version: 1\nusers: {amy: {}, zoe: {}}\nservers: {other: {name: Other, owner: amy, members: [zoe]}}\n",
      to: "b/b.yaml")
    for round in 0..<3 {
      let state = "state\(round).db"
      let first = try SpawnedProgram("circlectl", ["apply", "a", "--yes", "--state", state], in: folder)
      let second = try SpawnedProgram(
        "circlectl", ["apply", "b", "--yes", "--state", state, "--stack", "two"], in: folder)
      let endings = [try first.wait(), try second.wait()]
      for ending in endings { #expect(ending.status == 0, "\(ending.errors)") }
      #expect(try run(folder, "diff", "a", "--exit-code", "--state", state).status == 0)
      #expect(try run(folder, "diff", "b", "--exit-code", "--state", state, "--stack", "two").status == 0)
      #expect(try run(folder, "state", "verify", "--state", state).status == 0)
    }
  }

  @Test func `a lock that is held is told with 5 once the time is over`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.large(3), to: "a.yaml")
    #expect(try run(folder, "state", "init").status == 0)
    let store = StateStore(
      try SQLiteRows.open(path: folder.path("circle.db"), mode: .write(create: false)), timeout: 0)
    try store.takeLock(now: 0, timeout: 0)
    let ending = try run(folder, "apply", "a.yaml", "--yes", "--lock-timeout", "50ms")
    #expect(ending.status == 5)
    #expect(ending.errors.contains("process \(getpid())"))
    #expect(try run(folder, "state", "unlock").status == 3)
    #expect(try run(folder, "diff", "a.yaml").status == 0, "who only reads needs no lock")
    store.releaseLock()
    #expect(try run(folder, "apply", "a.yaml", "--yes").status == 0)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
  func `a signal leaves the old state or the new one, and no lock`(signal: Int32, status: Int32) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.large(2000), to: "a.yaml")
    #expect(try run(folder, "state", "init").status == 0)
    var interrupted = 0
    for round in 0..<8 {
      let program = try SpawnedProgram("circlectl", ["apply", "a.yaml", "--yes"], in: folder)
      usleep(useconds_t(20_000 + round * 60_000))
      program.send(signal)
      let ending = try program.wait()
      // On a busy machine it may come before the program has begun.
      if ending.status == -signal { continue }
      #expect(ending.status == status || ending.status == 0, "\(ending.status) \(ending.errors)")
      let differs = try run(folder, "diff", "a.yaml", "--exit-code", "-q").status
      #expect(differs == (ending.status == 0 ? 0 : 2))
      #expect(try run(folder, "state", "info").output.contains("No run holds the lock"))
      #expect(folder.names() == ["a.yaml", "circle.db"])
      if ending.status == 0 { break }
      interrupted += 1
    }
    #expect(interrupted > 0)
    #expect(try run(folder, "state", "verify").status == 0)
  }

  @Test(
    arguments: ["fmt -", "fmt - --check", "show -", "state restore -"],
    [(SIGINT, 130), (SIGTERM, 143)] as [(number: Int32, status: Int32)])
  func `a signal ends the wait for standard input`(line: String, signal: (number: Int32, status: Int32)) throws {
    let folder = try TemporaryFolder()
    // It is open for writing as well, so that it never ends by itself.
    let script = "mkfifo input; exec 3<>input; exec \(SpawnedProgram.binaries)/circlectl \(line) <&3"
    var status = -signal.number
    // On a busy machine the signal may come before the program has begun.
    for round in 1...20 where status == -signal.number {
      let program = try SpawnedProgram(
        "/bin/sh", ["-c", script.replacing("input", with: "input\(round)")], in: folder,
        environment: ["PATH": "/usr/bin:/bin"])
      usleep(useconds_t(round * 200_000))
      program.send(signal.number)
      let ending = try program.wait()
      status = ending.status
      #expect(ending.output == "")
      if status == signal.status { #expect(!ending.errors.contains("can't")) }
    }
    #expect(status == signal.status)
    #expect(!folder.exists("circle.db"))
  }

  @Test func `a reader who goes away ends the output quietly`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.large(3000), to: "a.yaml")
    #expect(try run(folder, "apply", "a.yaml", "--yes").status == 0)
    for line in ["events list -o ndjson", "export", "diff a.yaml --state none.db --detail full -q"] {
      let command = "set -o pipefail; \(SpawnedProgram.binaries)/circlectl \(line) | head -1 >/dev/null"
      let ending = try SpawnedProgram(
        "/bin/bash", ["-c", command], in: folder, environment: ["PATH": "/usr/bin:/bin"]
      ).wait()
      #expect(ending.status == 0, "\(line)")
      #expect(ending.errors == "")
    }
  }

  @Test func `an ignored interrupt stays ignored`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.large(1000), to: "a.yaml")
    let script = "trap '' INT; echo >ready; exec \(SpawnedProgram.binaries)/circlectl apply a.yaml --yes"
    let program = try SpawnedProgram("/bin/sh", ["-c", script], in: folder)
    for _ in 0..<1000 where !folder.exists("ready") { usleep(10_000) }
    for _ in 0..<10 {
      usleep(20_000)
      program.send(SIGINT)
    }
    #expect(try program.wait().status == 0)
  }

  @Test(arguments: [
    ("$c diff \"$(printf 'a\\377.yaml')\" -o json", "on the command line is not valid UTF-8"),
    ("CIRCLECTL_STATE=\"$(printf 'a\\377.db')\" $c state info", "the value of CIRCLECTL_STATE is not valid UTF-8"),
  ])
  func `a path that is not valid UTF-8 is refused`(script: String, message: String) throws {
    let folder = try TemporaryFolder()
    let words = ["-c", "c=\(SpawnedProgram.binaries)/circlectl; \(script)"]
    let ending = try SpawnedProgram("/bin/sh", words, in: folder, environment: ["PATH": "/usr/bin:/bin"]).wait()
    #expect(ending.status == 64)
    #expect(ending.errors.contains(message))
    #expect(ending.output.isEmpty == !script.contains("json"))
    #expect(folder.names() == [])
  }
}
