import Glibc
import Testing
import Testkit

/// States that an earlier version has made: read as they are, and brought up to date by the first command that writes.
struct OldFormatTests {
  private static func scene() throws -> Scene {
    let scene = try Scene(["more.yaml": "version: 1\nusers: {zoe: {sign: more}}\n"])
    try FormatOne.write(into: scene)
    return scene
  }

  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `an older format is read without being changed`() throws {
    let scene = try Self.scene()
    let bytes = try scene.bytes("one.db")
    for command in ["state verify", "state info", "state history", "events list", "events verify", "diff more.yaml"] {
      let ending = try scene("\(command) --state one.db")
      #expect(ending.status == 0, "\(command): \(ending.errors)")
    }
    #expect(try scene("export --state one.db").output == FormatOne.export)
    #expect(try scene("why readers --state one.db").status == 0)
    #expect(try scene("state info --state one.db").output.contains("format       1\n"))
    #expect(try scene("doctor --state one.db").output.contains("1, and the newest is 2"))
    #expect(try scene.bytes("one.db") == bytes)
    #expect(scene.folder.names() == ["more.yaml", "one.db", "one.ndjson"])
  }

  @Test func `the first command that writes brings it up to date, and keeps a copy for its owner alone`() throws {
    let scene = try Self.scene()
    let bytes = try scene.bytes("one.db")
    let history = try scene("state history --state one.db").output
    let ending = try scene.shell("umask 0; $circlectl apply more.yaml --yes --state one.db")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "the state 'one.db' was brought from format 1 to 2; as it was it is kept in 'one.db.format-1'"))
    #expect(try scene.bytes("one.db.format-1") == bytes)
    #expect(Self.mode(scene.folder.path("one.db.format-1")) == 0o600)
    #expect(try scene("state info --state one.db").output.contains("format       2\n"))
    #expect(try scene("state verify --state one.db").status == 0)
    #expect(try scene("state verify --state one.db.format-1").status == 0)
    #expect(try scene("state history --state one.db").output.hasPrefix(history))
    #expect(try scene("state undo --yes -q --state one.db").status == 0)
    #expect(try scene("export --state one.db").output == FormatOne.export)
    #expect(try !scene("apply more.yaml --yes --state one.db").errors.contains("format"))
  }

  @Test func `a copy that is there already is never written over`() throws {
    let scene = try Self.scene()
    let bytes = try scene.bytes("one.db")
    try scene.copy("one.db", to: "two.db")
    try scene.copy("one.db", to: "three.db")
    try scene.folder.write("mine", to: "two.db.format-1")
    try scene.folder.write(bytes, to: "three.db.format-1")
    symlink("../away", scene.folder.path("two.db.format-1.part"))
    for state in ["two.db", "three.db"] { #expect(try scene("apply more.yaml --yes -q --state \(state)").status == 0) }
    #expect(try scene.folder.read("two.db.format-1") == "mine")
    #expect(try scene.bytes("two.db.format-1.2") == bytes)
    #expect(!scene.folder.exists("three.db.format-1.2"))
    #expect(!scene.folder.exists("../away"))
    #expect(!scene.folder.exists("two.db.format-1.part"))
  }

  @Test func `a link leads to the state, and the copy stands beside that`() throws {
    let scene = try Self.scene()
    mkdir(scene.folder.path("real"), 0o755)
    try scene.folder.write(try scene.bytes("one.db"), to: "real/one.db")
    symlink("real/one.db", scene.folder.path("link.db"))
    #expect(try scene("apply more.yaml --yes -q --state link.db").status == 0)
    #expect(scene.folder.exists("real/one.db.format-1"))
    #expect(!scene.folder.exists("link.db.format-1"))
  }

  @Test func `where no copy can be kept, nothing is changed`() throws {
    let scene = try Self.scene()
    let bytes = try scene.bytes("one.db")
    let ending = try scene.shell("ulimit -f 40; $circlectl apply more.yaml --yes --state one.db")
    #expect(ending.status == 1, "\(ending.errors)")
    #expect(ending.errors.contains("can't keep a copy of the state in 'one.db.format-1': File too large"))
    #expect(try scene.bytes("one.db") == bytes)
    #expect(scene.folder.names() == ["more.yaml", "one.db", "one.ndjson"])
  }

  @Test func `a dump of an older format is restored into the newest`() throws {
    let scene = try Self.scene()
    let ending = try scene("state restore one.ndjson --state new.db")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(try scene("state verify --state new.db").status == 0)
    #expect(try scene("export --state new.db").output == FormatOne.export)
    #expect(try scene("state dump --state one.db").output == scene("state dump --state new.db").output)
    let text = try scene.folder.read("one.ndjson")
    for format in [0, 2, 3] {
      try scene.folder.write(text, to: "one.ndjson")
      try scene.edit("one.ndjson", "\"format\":1", "\"format\":\(format)")
      #expect(try scene("state restore one.ndjson --state other.db").status == 65, "format \(format)")
    }
  }

  @Test func `a newer format is refused and left as it is`() throws {
    let scene = try Self.scene()
    var bytes = try scene.bytes("one.db")
    bytes[63] = 3
    try scene.folder.write(bytes, to: "one.db")
    for command in ["export", "state verify", "apply more.yaml --yes", "state init"] {
      let ending = try scene("\(command) --state one.db")
      #expect(ending.status == 1, "\(command)")
      #expect(ending.errors.contains("has format 3"))
      #expect(ending.errors.contains("A later version of circlectl reads it."))
    }
    #expect(try scene.bytes("one.db") == bytes)
    #expect(scene.folder.names() == ["more.yaml", "one.db", "one.ndjson"])
  }
}
