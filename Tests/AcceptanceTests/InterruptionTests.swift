import CircleState
import CircleStateSQLite
import Glibc
import Testing
import Testkit

/// Runs that meet, and runs that end too early.
@Suite(.serialized)
struct InterruptionTests {
  /// 25 communities of 2,000 members: about 50,000 memberships.
  private static let large: String = {
    var text = "version: 1\nusers:\n  boss: {}\n"
    for number in 0..<2000 { text += "  user\(number): {}\n" }
    text += "groups:\n  all: [" + (0..<2000).map { "user\($0)" }.joined(separator: ", ") + "]\nservers:\n"
    for server in 0..<25 { text += "  big\(server): {name: Big, owner: boss, members: [\"@all\"]}\n" }
    return text
  }()

  @Test func `who waits for a transaction that fills the file is told whose it is`() throws {
    let scene = try Club.applied()
    // As SQLite holds the file while a big transaction goes into it.
    let holder = try SpawnedProgram(
      "/usr/bin/sqlite3", ["circle.db", "BEGIN EXCLUSIVE", ".shell touch held; exec sleep 60"], in: scene.folder)
    defer { holder.send(SIGKILL) }
    let end = ContinuousClock().now + .seconds(20)
    while !scene.folder.exists("held"), ContinuousClock().now < end { usleep(10_000) }
    for command in ["user register newcomer --lock-timeout 0", "diff club --lock-timeout 0"] {
      let ending = try scene(command, seconds: 60)
      #expect(ending.status == 5, "\(command)")
      #expect(ending.errors.contains("process \(holder.process)"), "\(command): \(ending.errors)")
    }
  }

  @Test func `two applies at once are both there, or one says that the other holds the lock`() throws {
    let scene = try Scene([
      "a.yaml": Self.large,
      "b.yaml": "version: 1\nusers: {amy: {}, zoe: {}}\nservers: {other: {name: O, owner: amy, members: [zoe]}}\n",
    ])
    #expect(try scene("state init").status == 0)
    for timeout in ["9s", "0"] {
      let first = try scene.start("apply a.yaml --yes -q --lock-timeout 9s")
      let second = try scene.start("apply b.yaml --yes -q --stack two --lock-timeout \(timeout)")
      #expect(try first.wait().status == 0)
      let ending = try second.wait()
      #expect(ending.status == 0 || (ending.status == 5 && timeout == "0"), "\(ending.errors)")
      if ending.status == 5 { #expect(ending.errors.contains("process \(first.process)")) }
      #expect(try scene("diff a.yaml --exit-code").status == 0)
      #expect(try scene("diff b.yaml --exit-code --stack two").status == (ending.status == 0 ? 0 : 2))
    }
    #expect(try scene("state verify", seconds: 60).status == 0)
  }

  @Test func `the lock of another host is respected until someone unlocks`() throws {
    let scene = try Club.applied()
    try scene.edit("club/club.yaml", "      - u05\n", "")
    let rows = try SQLiteRows.open(path: scene.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 1000)
    try rows.setLock(StateLock(host: "elsewhere", process: 4711, processStart: 1, since: 1_735_787_045_000))
    try rows.commit()
    let refused = try scene("apply club --yes --lock-timeout 50ms")
    #expect(refused.status == 5)
    for part in ["elsewhere", "4711", "2025-01-02T03:04:05"] { #expect(refused.errors.contains(part)) }
    #expect(try scene("diff club --exit-code").status == 2)
    #expect(try scene("state unlock").status == 0)
    #expect(try scene("apply club --yes").status == 0)
  }

  @Test func `the lock of a dead process of this host is cleared by the next run`() throws {
    let scene = try Club.applied()
    let rows = try SQLiteRows.open(path: scene.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 1000)
    try rows.setLock(StateLock(host: StateLock.thisHost(), process: 1, processStart: 1, since: 1_735_787_045_000))
    try rows.commit()
    try scene.edit("club/club.yaml", "      - u05\n", "")
    #expect(try scene("apply club --yes --lock-timeout 0").status == 0)
  }

  /// How long an apply of the large manifest takes here, in microseconds.
  private func duration(_ scene: Scene) throws -> Int {
    let begin = Self.microseconds()
    let ending = try scene("apply a.yaml --yes -q --state whole.db", seconds: 60)
    #expect(ending.status == 0, "\(ending.errors)")
    return Self.microseconds() - begin
  }

  private static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal ends with its code, and the state is as before`(signal: Int32, status: Int32) throws {
    let scene = try Scene(["a.yaml": Self.large])
    #expect(try scene("state init").status == 0)
    let duration = try duration(scene)
    let old = try scene("export").output
    for part in [25, 45, 65, 80] {
      let program = try scene.start("apply a.yaml --yes -q")
      usleep(useconds_t(duration * part / 100))
      program.send(signal)
      let ending = try program.wait()
      #expect(ending.status == status || ending.status == 0, "\(ending.status) \(ending.errors)")
      guard ending.status == status else { break }
      #expect(try scene("export").output == old)
      #expect(try scene("state info").output.contains("No run holds the lock"))
      #expect(scene.folder.names() == ["a.yaml", "circle.db", "whole.db"])
    }
    #expect(try scene("state verify", seconds: 60).status == 0)
  }

  @Test func `a second signal may come at any moment, and the state is as before or as it should be`() throws {
    let scene = try Scene(["a.yaml": Self.large])
    #expect(try scene("state init").status == 0)
    let duration = try duration(scene)
    let old = try scene("export").output
    let new = try scene("export --state whole.db").output
    for part in [20, 40, 50, 60, 70, 80, 90] {
      let program = try scene.start("apply a.yaml --yes -q")
      usleep(useconds_t(duration * part / 100))
      program.send(SIGINT)
      usleep(useconds_t.random(in: 0..<20_000))
      program.send(SIGINT)
      let ending = try program.wait()
      // Once it is written, a second signal can only cut off the report.
      let isWritten = ending.status == 0 || ending.errors.contains("the run is written; its report was cut off")
      #expect(ending.status == 130 || isWritten, "\(ending.status) \(ending.errors)")
      #expect(try scene("export").output == (isWritten ? new : old))
      guard !isWritten else { break }
    }
    #expect(try scene("state verify", seconds: 60).status == 0)
    #expect(try scene("apply a.yaml --yes -q --lock-timeout 0", seconds: 60).status == 0)
    #expect(try scene("export").output == new)
  }

  @Test func `after the commit no number of signals says that nothing was written`() throws {
    let scene = try Scene(["a.yaml": Self.large])
    // A reader who does not read: the report waits after the commit.
    let ending = try scene.shell(
      """
      mkfifo pipe; sleep 9 <pipe & reader=$!
      $circlectl apply a.yaml --yes -o json >pipe & writer=$!
      until $circlectl state history 2>/dev/null | grep -q apply; do sleep 0.1; done
      kill -TERM $writer; sleep 0.2; kill -TERM $writer
      wait $writer; status=$?; kill $reader; exit $status
      """)
    #expect(ending.status == 1, "\(ending.errors)")
    #expect(ending.errors.contains("the run is written; its report was cut off by a second signal"))
    #expect(try scene("diff a.yaml --exit-code").status == 0)
  }
}
