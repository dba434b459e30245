import Glibc
import Testing
import Testkit

/// Manifests that want to break the program: one clear message with its place, the right code, and never a hang.
struct HostileManifestTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    /// How the first line of the message begins.
    var message: String

    init(_ name: String, _ text: String, _ message: String) {
      self.init(name, Array(text.utf8), message)
    }

    init(_ name: String, _ bytes: [UInt8], _ message: String) {
      testDescription = name
      self.bytes = bytes
      self.message = message
    }
  }

  private static let laughs =
    "version: 1\nusers: {al: {}}\nservers:\n  a:\n    name: A\n    owner: al\n    ext:\n      - &l0 [lol, lol]\n"
    + (1..<30).map { "      - &l\($0) [*l\($0 - 1), *l\($0 - 1), *l\($0 - 1)]\n" }.joined()

  private static func nested(_ levels: Int) -> String {
    // The document, its servers and the server are levels too.
    let lists = levels - 3
    return "version: 1\nusers: {al: {}}\nservers: {a: {name: A, owner: al, ext: "
      + String(repeating: "[", count: lists) + String(repeating: "]", count: lists) + "}}\n"
  }

  private static func listing(_ path: String) -> String {
    "version: 1\nusers: {al: {}}\nservers:\n  a:\n    name: A\n    owner: al\n    members:\n      - from: \(path)\n"
  }

  static let cases = [
    Case("65 levels", nested(65), "m.yaml:3:"),
    Case("a hundred thousand brackets", "version: 1\nusers: " + String(repeating: "[", count: 100_000), "m.yaml:2:"),
    Case(
      "invalid UTF-8", Array("version: 1\nusers: {al: {nickName: ".utf8) + [0xFF, 0x7D, 0x7D],
      "m.yaml:2:24: error: the text is not valid UTF-8"),
    Case("a NUL", "version: 1\nusers: {al: {nickName: a\u{0}b}}\n", "m.yaml:2:25: error: a NUL character"),
    Case("a tag of another language", "version: 1\nusers: !!python/object {al: {}}\n", "m.yaml:2:8: error: the tag"),
    Case("an alias of nothing", "version: 1\nusers: *nobody\n", "m.yaml:2:8: error: "),
    Case("an alias of itself", "version: 1\nusers: &a {al: *a}\n", "m.yaml:2:"),
    Case("circular groups", "version: 1\ngroups: {a: [\"@b\"], b: [\"@a\"]}\n", "m.yaml:2:"),
    Case("no content", "version: 1\n", "error: no server, no group and no user is named in 'm.yaml'"),
    Case("nothing at all", "", "error: no server, no group and no user is named in 'm.yaml'"),
    Case("no version", "users: {al: {}}\n", "m.yaml:1:1: error: "),
    Case("a later version", "version: 2\nusers: {al: {}}\n", "m.yaml:1:10: error: "),
    Case("a list", "- version: 1\n", "m.yaml:1:1: error: "),
    Case("random bytes", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ $0 >> 3) }, "m.yaml:1:"),
    Case("a from file that is missing", listing("no.csv"), "m.yaml:8:15: error: 'no.csv' cannot be read: No such file"),
    Case("a FIFO as from", listing("pipe"), "m.yaml:8:15: error: 'pipe' cannot be read: it is no regular file"),
    Case(
      "a folder as from", listing("folder.yaml"), "m.yaml:8:15: error: 'folder.yaml' cannot be read: it is a folder"),
    Case("a link out of the root as from", listing("link"), "m.yaml:8:15: error: 'link' leads outside the folder"),
    Case("a path out of the root as from", listing("../../etc/passwd"), "m.yaml:8:15: error: "),
    Case("/dev/zero as from", listing("zero"), "m.yaml:8:15: error: 'zero' leads outside the folder"),
    Case(
      "a file over the size bound as from", listing("big"), "m.yaml:8:15: error: 'big' cannot be read: it is larger"),
  ]

  private static func scene() throws -> Scene {
    let scene = try Scene(["folder.yaml/inner.yaml": "version: 1\nusers: {inner: {}}\n", "big": ""])
    mkfifo(scene.folder.path("pipe"), 0o600)
    symlink("/etc/hostname", scene.folder.path("link"))
    symlink("/dev/zero", scene.folder.path("zero"))
    truncate(scene.folder.path("big"), (1 << 30) + 1)
    return scene
  }

  @Test(arguments: cases)
  func `a hostile manifest is told with 65 and its place`(example: Case) throws {
    let scene = try Self.scene()
    try scene.folder.write(example.bytes, to: "m.yaml")
    for command in ["validate m.yaml", "apply m.yaml --yes"] {
      let ending = try scene(command)
      #expect(ending.status == 65, "\(ending.errors.prefix(500))")
      #expect(ending.output == "")
      #expect(ending.errors.hasPrefix(example.message), "\(ending.errors.prefix(500))")
      #expect(ending.errors.contains("in the manifests; nothing was done"))
    }
    #expect(!scene.folder.exists("circle.db"))
  }

  @Test func `a billion laughs end at a million values`() throws {
    let scene = try Scene(["m.yaml": Self.laughs])
    let ending = try scene("validate m.yaml", seconds: 60)
    #expect(ending.status == 65)
    #expect(ending.errors.hasPrefix("m.yaml:20:21: error: aliases bring in more than 1000000 values"))
  }

  @Test func `64 levels are fine`() throws {
    let scene = try Scene(["m.yaml": Self.nested(64)])
    #expect(try scene("validate m.yaml").status == 0)
  }

  @Test(arguments: [
    ("pipe", "error: 'pipe' cannot be read: it is no regular file"),
    ("zero", "error: 'zero' "), ("/dev/zero", "error: '/dev/zero' cannot be read: it is no regular file"),
    ("big", "error: 'big' cannot be read: it is larger than 1 GiB"),
    ("none", "error: 'none' cannot be read: No such file or directory"),
    ("empty", "error: there is no manifest (*.yaml, *.yml) in 'empty'"),
    ("linked", "error: 'linked/out.yaml' leads outside the folder"),
    ("-", "error: no server, no group and no user is named in '-'"),
  ])
  func `an input that is no manifest is named and told with 65`(path: String, message: String) throws {
    let scene = try Self.scene()
    mkdir(scene.folder.path("empty"), 0o755)
    mkdir(scene.folder.path("linked"), 0o755)
    symlink("/etc/hostname", scene.folder.path("linked/out.yaml"))
    for command in ["validate", "diff", "apply --yes"] {
      let ending = try scene("\(command) \(path)")
      #expect(ending.status == 65)
      #expect(ending.errors.hasPrefix(message), "\(ending.errors)")
    }
  }

  @Test func `a folder named like a manifest is a folder, and a FIFO among manifests is told`() throws {
    let scene = try Scene([
      "m/folder.yaml/inner.yaml": "version: 1\nusers: {inner: {}}\n", "m/a.yaml": "version: 1\nusers: {al: {}}\n",
    ])
    #expect(try scene("validate m").output.hasPrefix("2 files checked: 0 servers, 2 users"))
    mkfifo(scene.folder.path("m/pipe.yaml"), 0o600)
    let ending = try scene("validate m")
    #expect(ending.status == 65)
    #expect(ending.errors.hasPrefix("error: 'm/pipe.yaml' cannot be read: it is no regular file"))
  }

  @Test func `all faults are told in one run, the first hundred and a count`() throws {
    var text = "version: 1\nusers: {al: {}}\nservers:\n"
    for number in 0..<150 { text += "  s\(number): {name: N, owner: al, moderator: []}\n" }
    let scene = try Scene(["m.yaml": text])
    let ending = try scene("validate m.yaml")
    #expect(ending.status == 65)
    #expect(ending.errors.split(separator: "\n").count { $0.contains("did you mean 'moderators'?") } == 100)
    #expect(ending.errors.contains("150 faults"))
  }
}
