import CircleState
import CircleStateSQLite
import Glibc
import Testing
import Testkit

/// `kill -9` at random moments: the old state is there or the new one, whole and sound.
@Suite(.serialized)
struct KillTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// On the state `circle.db`, a copy of `old.db`.
    var command: String
    /// Makes `old.db`.
    var prepare: @Sendable (Scene) throws -> Void
  }

  static let cases = [
    Case(testDescription: "apply", command: "apply large.yaml --yes -q") { scene in
      try succeed(scene, "state init --state old.db")
    },
    Case(testDescription: "import", command: "import users users.csv -q") { scene in
      try succeed(scene, "apply small.yaml --yes -q --state old.db")
    },
    Case(testDescription: "a state of the first format", command: "apply small.yaml --yes -q") { scene in
      try succeed(scene, "apply large.yaml --yes -q --state old.db --stack other")
      try FormatOne.take("old.db", back: scene)
    },
  ]

  private static func succeed(_ scene: Scene, _ line: String) throws {
    let ending = try scene(line, seconds: 60)
    guard ending.status == 0 else { throw TemporaryFolder.Failure(description: "\(line): \(ending.errors)") }
  }

  private static func scene() throws -> Scene {
    let users = (0..<1500).map { "user\($0)" }
    var large = "version: 1\nusers:\n  boss: {}\n" + users.map { "  \($0): {}\n" }.joined()
    large += "groups:\n  all: [\(users.joined(separator: ", "))]\nservers:\n"
    for server in 0..<10 { large += "  big\(server): {name: Big, owner: boss, members: [\"@all\"]}\n" }
    let table = "userId,nickName,sign\n" + (0..<20_000).map { "reader\($0),R\($0),reads\n" }.joined()
    return try Scene([
      "large.yaml": large, "users.csv": table,
      "small.yaml": "version: 1\nusers: {amy: {}}\nservers: {small: {name: Small, owner: amy}}\n",
    ])
  }

  private static func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  @Test(arguments: cases)
  func `kill -9 at any moment leaves the old state or the new one`(example: Case) throws {
    let scene = try Self.scene()
    try example.prepare(scene)
    let oldBytes = try scene.bytes("old.db")
    let old = try scene("export --all --state old.db", seconds: 60).output
    try scene.copy("old.db", to: "whole.db")
    let begin = Self.microseconds()
    try Self.succeed(scene, "\(example.command) --state whole.db")
    let duration = Self.microseconds() - begin
    let new = try scene("export --all --state whole.db", seconds: 60).output
    #expect(old != new)
    let names = ["large.yaml", "old.db", "small.yaml", "users.csv", "circle.db"]
    var (killed, written) = (0, 0)
    for round in 0..<Effort.kills {
      try scene.copy("old.db", to: "circle.db")
      let program = try scene.start("\(example.command) --state circle.db")
      // Later moments more often: that is when it writes.
      usleep(useconds_t(duration * Int.random(in: (round % 3 == 0 ? 0 : 40)..<105) / 100))
      program.send(SIGKILL)
      if try program.wait().status == -SIGKILL { killed += 1 }
      let verified = try scene("state verify --state circle.db", seconds: 60)
      #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
      let exported = try scene("export --all --state circle.db", seconds: 60).output
      #expect(exported == old || exported == new)
      if exported == new { written += 1 }
      // A journal in which nothing counts yet stays for the next writer; the copy of an older format is whole.
      let beside = scene.folder.names().filter { !names.contains($0) && !$0.hasPrefix("whole.db") }
      #expect(Set(beside).isSubset(of: ["circle.db-journal", "circle.db.format-1", "circle.db.format-1.part"]))
      if scene.folder.exists("circle.db.format-1") { #expect(try scene.bytes("circle.db.format-1") == oldBytes) }
      if round % 10 == 9 {
        // The next run is not in the way of what the killed one has left.
        try Self.succeed(scene, "\(example.command) --state circle.db --lock-timeout 0")
        #expect(try scene("export --all --state circle.db", seconds: 60).output == new)
        #expect(!scene.folder.exists("circle.db-journal") && !scene.folder.exists("circle.db.format-1.part"))
      }
    }
    #expect(killed > 0)
    print("\(example.testDescription): \(killed) of \(Effort.kills) killed, \(written) written")
  }
}
