import Glibc
import Testing
import Testkit

/// States that were cut, or in which bits have tipped. What is damaged is told, and never written into.
struct DamageTests {
  /// A state with all kinds of rows, a log that was cut, pages that are free, and rows that are longer than a page.
  private static func scene() throws -> Scene {
    let scene = try Club.applied()
    try scene.edit("club/club.yaml", "tags: [books, 中文]", "tags: [books]")
    try scene.edit("club/club.yaml", "      - u05\n", "")
    try scene.folder.write(
      "userId,nickName,sign\n" + (0..<600).map { "reader\($0),R\($0),of many books\n" }.joined(), to: "users.csv")
    let lines = [
      "apply club --yes", "events archive --before 2025-02-01 old.ndjson", "import users users.csv",
      "user update max --set sign=moderates", "server create Attic --owner u01 --type private",
      "invitation send attic u02 u03 --welcome hello", "invitation decline attic --inviter u01 u02",
      "server create Cellar --owner u02", "server destroy cellar --yes", "server rename garden park",
      "state set-limit joined 200",
    ]
    for line in lines {
      let ending = try scene(line)
      guard ending.status == 0 else { throw TemporaryFolder.Failure(description: "\(line): \(ending.errors)") }
    }
    unlink(scene.folder.path("old.ndjson"))
    return scene
  }

  /// What SQLite's own shell reads of a state, all values of all rows.
  private static func dump(_ state: String, _ scene: Scene) throws -> String {
    let ending = try SpawnedProgram("/usr/bin/sqlite3", ["-readonly", state, ".dump"], in: scene.folder).wait()
    return ending.output + ending.errors
  }

  /// Places where a bit may matter: near something that is not zero.
  private static func places(in bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { place in
      bytes[max(0, place - 8)..<min(bytes.count, place + 8)].contains { $0 != 0 }
    }
  }

  @Test func `verify finds every flipped bit, or not one value of the state has changed`() throws {
    let scene = try Self.scene()
    #expect(try scene("state verify").status == 0)
    let sound = try scene.bytes("circle.db")
    let content = try Self.dump("circle.db", scene)
    #expect(content.contains("COMMIT"))
    var generator = SystemRandomNumberGenerator()
    let places = Self.places(in: sound)
    var found = 0
    for round in 0..<Effort.flips {
      // The first bytes of each page tell how to read it.
      let place =
        round % 8 == 0
        ? Int.random(in: 0..<sound.count / 8192, using: &generator) * 8192 + Int.random(in: 0..<16, using: &generator)
        : places.randomElement(using: &generator) ?? 0
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
      var bytes = sound
      bytes[place] ^= bit
      try scene.folder.write(bytes, to: "broken.db")
      let ending = try scene("state verify --state broken.db")
      #expect(try scene.bytes("broken.db") == bytes, "byte \(place), bit \(bit)")
      if ending.status == 1 {
        found += 1
        #expect(ending.complaints.count == 1, "byte \(place), bit \(bit): \(ending.errors)")
      } else {
        #expect(ending.status == 0, "byte \(place), bit \(bit): \(ending.errors)")
        #expect(try Self.dump("broken.db", scene) == content, "byte \(place), bit \(bit)")
      }
    }
    // The others are free room, and what a header says of the writer.
    #expect(found > Effort.flips / 2)
    #expect(scene.folder.names() == ["broken.db", "circle.db", "club", "users.csv"])
  }

  @Test func `what overwrites a part of a page is found, or was written over free room`() throws {
    let scene = try Self.scene()
    let sound = try scene.bytes("circle.db")
    let content = try Self.dump("circle.db", scene)
    var generator = SystemRandomNumberGenerator()
    for start in stride(from: 0, to: sound.count, by: 2000) {
      var bytes = sound
      for place in start..<min(start + 2000, bytes.count) { bytes[place] = .random(in: 0...255, using: &generator) }
      try scene.folder.write(bytes, to: "broken.db")
      let status = try scene("state verify --state broken.db").status
      #expect(status == 0 || status == 1)
      if status == 0 { #expect(try Self.dump("broken.db", scene) == content, "from byte \(start)") }
    }
  }

  @Test func `a command that meets damage ends with 1, and leaves the state as it is`() throws {
    let scene = try Self.scene()
    try scene.edit("club/club.yaml", "      - u06\n", "")
    let sound = try scene.bytes("circle.db")
    let places = Self.places(in: sound)
    let commands = [
      "export", "apply club --yes", "import users users.csv --clear-empty", "server create New --owner max",
      "member remove readers u07", "state undo --yes",
    ]
    var generator = SystemRandomNumberGenerator()
    var met = 0
    for round in 0..<Effort.flips / 15 {
      let place = places.randomElement(using: &generator) ?? 0
      var bytes = sound
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      try scene.folder.write(bytes, to: "broken.db")
      let command = commands[round % commands.count]
      let ending = try scene("\(command) --state broken.db")
      // A bit that the command does not look at is not in its way, and another text may be refused for what it says.
      #expect([0, 1, 3, 65].contains(ending.status), "\(command), byte \(place): \(ending.status) \(ending.errors)")
      guard ending.status == 1 else { continue }
      met += 1
      #expect(ending.complaints.count == 1, "\(command), byte \(place): \(ending.errors)")
      let after = try scene.bytes("broken.db")
      #expect(Self.withoutCounters(after) == Self.withoutCounters(bytes), "\(command), byte \(place)")
    }
    #expect(met > 0)
    #expect(scene.folder.names() == ["broken.db", "circle.db", "club", "users.csv"])
  }

  /// Where a page is damaged so that only who writes to it sees it, the lock was taken and given up before: SQLite counts both
  /// in the header, as its change counter and the number that belongs to it.
  private static func withoutCounters(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for position in [24..<28, 92..<96].joined() where position < bytes.count { bytes[position] = 0 }
    return bytes
  }

  @Test func `a state that was cut off anywhere is refused with 1 and left as it is`() throws {
    let scene = try Self.scene()
    let sound = try scene.bytes("circle.db")
    var lengths = [1, 15, 16, 17, 50, 99, 100, 101, 512, 4096, 8191, 8192, 8193]
    lengths += Array(stride(from: 10_000, to: sound.count, by: 7919))
    lengths += [sound.count - 8193, sound.count - 8192, sound.count - 4096, sound.count - 1]
    for length in lengths {
      let bytes = Array(sound[..<length])
      try scene.folder.write(bytes, to: "broken.db")
      for command in ["state verify", "export", "apply club --yes"] {
        let ending = try scene("\(command) --state broken.db")
        #expect(ending.status == 1, "\(command), \(length) bytes: \(ending.errors)")
        #expect(ending.complaints.count == 1, "\(command), \(length) bytes: \(ending.errors)")
        #expect(ending.errors.contains("broken.db"))
      }
      #expect(try scene.bytes("broken.db") == bytes)
    }
    try scene.folder.write(sound + [0], to: "broken.db")
    #expect(try scene("state verify --state broken.db").errors.contains("is damaged"))
    #expect(scene.folder.names() == ["broken.db", "circle.db", "club", "users.csv"])
  }
}
