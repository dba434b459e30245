import Glibc
import Testing
import Testkit

/// States that are none, and results that nobody can take: one clear message, the right code, and never a hang.
struct HostileStateTests {
  static let commands = [
    "state info", "state verify", "diff club", "apply club --yes", "state init", "export", "events list",
  ]

  struct Broken: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Makes, from the bytes of a sound state, those of one that is not.
    var make: @Sendable ([UInt8]) -> [UInt8]
    var message: String
  }

  static let broken = [
    Broken(
      testDescription: "random bytes", make: { $0.indices.map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 5) } },
      message: "is no circlectl state"),
    Broken(testDescription: "text", make: { _ in Array("hello, world\n".utf8) }, message: "is no circlectl state"),
    // The application's number stands at 68, the format's at 60.
    Broken(
      testDescription: "a foreign database", make: { with(0, at: 68..<72, of: $0) },
      message: "is a SQLite database, but no circlectl state"),
    Broken(testDescription: "a newer format", make: { with(99, at: 63..<64, of: $0) }, message: "has format 99"),
    Broken(testDescription: "truncated to a half", make: { Array($0[..<($0.count / 2)]) }, message: "is damaged"),
    Broken(testDescription: "truncated in the first page", make: { Array($0[..<3000]) }, message: "is damaged"),
  ]

  private static func with(_ value: UInt8, at range: Range<Int>, of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for position in range { bytes[position] = value }
    return bytes
  }

  @Test(arguments: broken)
  func `a file that is no sound state is refused with 1 and left as it is`(example: Broken) throws {
    let scene = try Club.applied()
    let bytes = example.make(try scene.bytes("circle.db"))
    try scene.folder.write(bytes, to: "broken.db")
    for command in Self.commands {
      let ending = try scene("\(command) --state broken.db")
      #expect(ending.status == 1, "\(command): \(ending.output)")
      #expect(ending.errors.contains(example.message), "\(command): \(ending.errors)")
      #expect(ending.errors.contains("broken.db"))
      #expect(try scene.bytes("broken.db") == bytes)
    }
    #expect(scene.folder.names() == ["broken.db", "circle.db", "club"])
  }

  @Test(arguments: [
    "CREATE TABLE more (x)", "CREATE INDEX more ON lock (host)", "CREATE VIEW more AS SELECT * FROM users",
    "CREATE TRIGGER more AFTER INSERT ON users BEGIN DELETE FROM users; END",
    "CREATE VIRTUAL TABLE more USING fts5(x)", "ALTER TABLE lock ADD COLUMN more TEXT AS (host || 'x')",
    "ALTER TABLE users RENAME COLUMN value TO more", "DROP TABLE marks",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '') WHERE name = 'users'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET tbl_name = 'more' WHERE name = 'marks'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = CAST(name AS BLOB) WHERE name = 'marks'",
  ])
  func `a state with anything else in its schema is refused and left as it is`(sql: String) throws {
    let scene = try Club.applied()
    try scene.copy("circle.db", to: "broken.db")
    // SQLite's own shell changes no schema of a database that is defensive.
    let made = try SpawnedProgram(
      "/usr/bin/sqlite3", ["broken.db", ".dbconfig defensive off", sql], in: scene.folder
    ).wait()
    #expect(made.status == 0, "\(made.errors)")
    let bytes = try scene.bytes("broken.db")
    for command in Self.commands {
      let ending = try scene("\(command) --state broken.db")
      #expect(ending.status == 1, "\(command): \(ending.output)")
      #expect(ending.complaints.count == 1)
      #expect(ending.errors.contains("is damaged"), "\(command): \(ending.errors)")
    }
    #expect(try scene.bytes("broken.db") == bytes)
    #expect(scene.folder.names() == ["broken.db", "circle.db", "club"])
  }

  @Test(arguments: [
    ("folder", "is a folder"), ("pipe", "is a FIFO"), ("/dev/null", "is a device"), ("/dev/zero", "is a device"),
    ("/dev/full", "is a device"), ("loop", "Too many levels of symbolic links"),
  ])
  func `a place that can't hold a state is told with 1`(path: String, message: String) throws {
    let scene = try Scene(["club/club.yaml": Club.manifest, "folder/x": ""])
    mkfifo(scene.folder.path("pipe"), 0o600)
    symlink("loop", scene.folder.path("loop"))
    let names = scene.folder.names()
    for command in Self.commands {
      let ending = try scene("\(command) --state \(path)")
      #expect(ending.status == 1, "\(command)")
      #expect(ending.complaints.count == 1)
      #expect(ending.errors.contains("'\(path)'") && ending.errors.contains(message), "\(command): \(ending.errors)")
    }
    #expect(scene.folder.names() == names)
  }

  @Test(
    arguments: [
      ("/nowhere/at/all.db", 1, "/nowhere/at/all.db"), ("/proc/circle.db", 1, "/proc/circle.db"),
      ("mysql://host/base", 64, "URL"), ("postgres://me:secret@host/base", 64, "password"),
    ] as [(String, Int32, String)])
  func `a state that can't be created is told`(path: String, status: Int32, message: String) throws {
    let scene = try Scene(["club/club.yaml": Club.manifest])
    let ending = try scene("apply club --yes --state \(path)")
    #expect(ending.status == status)
    #expect(ending.errors.contains(message))
    #expect(!ending.errors.contains("secret"))
  }

  @Test func `a missing or zero-length state counts as empty; reading creates none, writing does and says so`() throws {
    let scene = try Scene(["club/club.yaml": Club.manifest, "zero.db": ""])
    for state in ["zero.db", "missing.db"] {
      let diff = try scene("diff club --exit-code --state \(state)")
      #expect(diff.status == 2)
      #expect(diff.errors.contains(state))
      #expect(!scene.folder.exists("missing.db"))
      let ending = try scene("apply club --yes --state \(state)")
      #expect(ending.status == 0)
      #expect(ending.errors.contains("the state '\(state)' was created"))
      #expect(try scene("state verify --state \(state)").status == 0)
      #expect(try scene("state init --state \(state)").status == 3)
    }
  }

  @Test(arguments: [">/dev/full", ">&-"])
  func `a result that can't be written is told with 1, and that the state was changed`(output: String) throws {
    let scene = try Club.applied()
    for command in ["export", "diff club", "state info -o json", "events list", "validate club", "help", "version"] {
      let ending = try scene.shell("$circlectl \(command) \(output)")
      #expect(ending.status == 1, "\(command)")
      #expect(ending.errors.contains("can't write the result to standard output"), "\(command): \(ending.errors)")
    }
    try scene.edit("club/club.yaml", "      - u05\n", "")
    let ending = try scene.shell("$circlectl apply club --yes --report json=report.json \(output)")
    #expect(ending.status == 1)
    #expect(try scene.folder.read("report.json").contains("\"run\": {"))
    #expect(ending.errors.contains("The state was changed all the same: run 2 is written."))
    #expect(try scene("diff club --exit-code").status == 0)
    #expect(try scene("state verify").status == 0)
  }

  @Test(arguments: ["2>/dev/full", "2>&-", "<&-", "0<&- 2>&-"])
  func `closed streams that are not needed stop nothing`(streams: String) throws {
    let scene = try Scene(["club/club.yaml": Club.manifest])
    #expect(try scene.shell("$circlectl apply club --yes -o ndjson >out \(streams)").status == 0)
    #expect(try scene.folder.read("out").hasPrefix("{\"type\":\"header\""))
    #expect(try scene("state verify").status == 0)
  }

  @Test func `without an answer nothing is done`() throws {
    let scene = try Scene(["club/club.yaml": Club.manifest])
    let ending = try scene("apply club")
    #expect(ending.status == 64)
    #expect(ending.errors.contains("--yes"))
    #expect(!scene.folder.exists("circle.db"))
  }
}
