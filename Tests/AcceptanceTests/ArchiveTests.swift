import Glibc
import Testing
import Testkit

/// Archives of the log in the middle of things.
@Suite(.serialized)
struct ArchiveTests {
  /// 20 communities of 500 members, then a day later a change.
  private func large() throws -> Scene {
    var text = "version: 1\nusers:\n  boss: {}\n"
    for number in 0..<500 { text += "  user\(number): {}\n" }
    text += "groups:\n  all: [" + (0..<500).map { "user\($0)" }.joined(separator: ", ") + "]\nservers:\n"
    for server in 0..<20 { text += "  big\(server): {name: Big, owner: boss, members: [\"@all\"]}\n" }
    let scene = try Scene(["a.yaml": text])
    #expect(try scene("apply a.yaml --yes -q --now 2025-01-01T00:00:00Z --id-seed a", seconds: 60).status == 0)
    #expect(try scene("state set-limit joined 90 --now 2025-01-02T00:00:00Z").status == 0)
    return scene
  }

  private static let archive = "events archive --before 2025-01-02 old.ndjson"

  @Test func `kill -9 at any moment leaves the whole log or the cut one, and never less than an archive`() throws {
    let scene = try large()
    #expect(try scene.shell("cp circle.db whole.db").status == 0)
    let begin = Self.microseconds()
    #expect(try scene("\(Self.archive) --state whole.db --now 2025-01-03T00:00:00Z", seconds: 60).status == 0)
    let duration = Self.microseconds() - begin
    #expect(unlink(scene.folder.path("old.ndjson")) == 0)
    let export = try scene("export").output
    var killed = 0
    for round in 0..<20 {
      let program = try scene.start("\(Self.archive) --now 2025-01-03T00:00:00Z")
      usleep(useconds_t(duration * (30 + round * 4) / 100))
      program.send(SIGKILL)
      if try program.wait().status == -SIGKILL { killed += 1 }
      #expect(try scene("state verify", seconds: 60).status == 0)
      #expect(try scene("export").output == export)
      let isCut = try scene("state info").output.contains("archived")
      if scene.folder.exists("old.ndjson") {
        let told = try scene("events verify --archive old.ndjson", seconds: 60)
        #expect(told.status == 0, "\(told.errors)")
        #expect(told.output.contains(isCut ? "they were cut off the log" : "the log still has them all"))
        #expect(try scene(Self.archive).status == 3)
      } else {
        #expect(!isCut)
      }
      for name in scene.folder.names() where name.hasPrefix("old.ndjson") { unlink(scene.folder.path(name)) }
      if isCut { break }
    }
    #expect(killed > 0)
  }

  private static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  @Test func `an archive that can't be written leaves the log as it is`() throws {
    let scene = try large()
    let before = try scene.bytes("circle.db")
    let long = String(repeating: "n", count: 250)
    let full = try scene("events archive --before 2025-01-02 \(long)")
    #expect(full.status == 1 && full.errors.contains("can't write the archive 'nnn"), "\(full)")
    #expect(scene.folder.names() == ["a.yaml", "circle.db"])
    #expect(try scene("state info").output.contains("No run holds the lock."))
    #expect(try scene("state verify").status == 0)
    #expect(try scene.bytes("circle.db").count == before.count)
  }

  @Test func `the log of a state of an older format is cut by the command that brings it up to date`() throws {
    let scene = try Scene()
    try FormatOne.write(into: scene)
    let old = try scene("state verify --state one.db -o json").output
    let head = try #require(old.firstMatch(of: #/"head": ?"([0-9a-f]{64})"/#)).1
    let archive = "events archive --before 2099-01-01 old.ndjson --state one.db"
    let bytes = try scene.bytes("one.db")
    #expect(try scene("\(archive) --dry-run").status == 0)
    #expect(try scene.bytes("one.db") == bytes)
    let ending = try scene(archive)
    #expect(ending.status == 0 && ending.errors.contains("was brought from format 1 to 2"), "\(ending)")
    #expect(try scene.bytes("one.db.format-1") == bytes)
    for line in [
      "state verify", "events verify --archive old.ndjson --head \(head)", "why readers", "state dump cut.ndjson",
    ] {
      let ending = try scene("\(line) --state one.db")
      #expect(ending.status == 0, "\(line): \(ending.errors)")
    }
    #expect(try scene("export --state one.db").output == FormatOne.export)
    #expect(try scene("state restore cut.ndjson --state new.db").status == 0)
    #expect(try scene("events verify --archive old.ndjson --state new.db").status == 0)
    let events = try scene("events list -o ndjson --expand-audience --state one.db.format-1").output
    #expect(try scene("events list -o ndjson --expand-audience --archive old.ndjson --state one.db").output == events)
  }

  @Test func `who follows hears all over a cut of what was heard`() throws {
    let scene = try Club.applied()
    let all = try scene("events list -o ndjson").output.split(separator: "\n").count
    let plain = try scene.start("events list --follow -o ndjson", output: "plain")
    let heard = try scene.start("events list --follow -o ndjson --recipient olga --since 1", output: "heard")
    #expect(try Self.lines(all, of: "plain", in: scene) == all)
    let mine = try Self.lines(1, of: "heard", in: scene)
    let cut = try scene("events archive --before 2025-02-01 old.ndjson --now 2025-02-02T00:00:00Z")
    #expect(cut.status == 0, "\(cut.errors)")
    usleep(500_000)
    #expect(try scene("member leave readers u05 --as u05").status == 0)
    #expect(try Self.lines(all + 1, of: "plain", in: scene) == all + 1)
    #expect(try Self.lines(mine + 1, of: "heard", in: scene) >= mine + 1)
    for follower in [plain, heard] {
      follower.send(SIGINT)
      #expect(try follower.wait().status == 130)
    }
  }

  /// Waits until the file has so many lines, at most five seconds.
  private static func lines(_ count: Int, of name: String, in scene: Scene) throws -> Int {
    var found = 0
    for _ in 0..<500 {
      found = scene.folder.exists(name) ? try scene.folder.read(name).split(separator: "\n").count : 0
      if found >= count { break }
      usleep(10_000)
    }
    return found
  }

  @Test(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
  func `a server's log is cut as a file's is`() throws {
    let scene = try Club.scene()
    let url = try #require(PostgresServer.shared).newSchema()
    var texts: [[String]] = [[], []]
    for (number, state) in ["circle.db", url].enumerated() {
      let archive = "\(number).ndjson"
      for line in [
        "apply club --yes -q --now 2025-01-02T03:04:05Z --id-seed same", "state set-limit joined 7 \(Club.time)",
        "events archive --before 2025-02-01 \(archive) --now 2025-03-01T00:00:00Z -o ndjson", "state verify",
        "events verify --archive \(archive)", "events list -o ndjson --archive \(archive) --expand-audience",
        "why readers -o ndjson", "why readers/u05", "state info", "member leave readers u05 --now 2025-03-02T00:00:00Z",
        "events list --recipient olga -o ndjson", "state undo --yes -q --now 2025-03-03T00:00:00Z --id-seed same",
        "state verify",
      ] {
        let ending = try scene("\(line) --state \(state)", seconds: 30)
        #expect(ending.status == 0, "\(line): \(ending.errors)")
        texts[number].append(ending.output)
      }
      // Values differ in who wrote them: the process.
      texts[number].append(String(try scene.folder.read(archive).split(separator: "\n")[0]))
    }
    for (file, server) in zip(texts[0], texts[1]) { #expect(file == server) }
  }
}
