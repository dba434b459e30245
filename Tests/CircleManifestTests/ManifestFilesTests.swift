import CircleModel
import Diagnostics
import Glibc
import Testing

@testable import CircleManifest

/// Which files are read, and what is refused.
struct ManifestFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func server(_ handle: String) -> String { "version: 1\nservers: {\(handle): {}}\n" }

  private func codes(_ reading: Reading) -> [String] { reading.diagnostics.sorted().map(\.code) }

  @Test
  func `a folder gives its yaml and yml files in byte order of their paths`() {
    for name in ["b", "b/inner", "x.yaml", ".hidden"] { folder.makeFolder(name) }
    for name in ["b/inner/1.yml", "b/2.yaml", "a.yaml", "b-c.yaml", "x.yaml/3.yaml"] {
      folder.write(name, server("h" + name.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()))
    }
    for name in [".hidden/h.yaml", ".h.yaml", "circlectl.yaml", "b/circlectl.yaml", "notes.txt"] {
      folder.write(name, "not: [read")
    }
    let reading = Reading(paths: [folder.path])
    #expect(reading.printed == "")
    #expect(
      reading.state.servers.map(\.handle) == ["ha-yaml", "hb-c-yaml", "hb-2-yaml", "hb-inner-1-yml", "hx-yaml-3-yaml"])
  }

  @Test
  func `what is named twice is read once, links in a circle come to an end`() {
    folder.makeFolder("a")
    folder.write("a/1.yaml", server("one"))
    folder.link("a/loop", to: "..")
    folder.link("a/again.yaml", to: "1.yaml")
    folder.link("0-a", to: "a")
    let reading = Reading(paths: [folder.path, folder["a/1.yaml"], folder["a"]])
    #expect(reading.printed == "")
    #expect(reading.files.count == 1)
  }

  @Test
  func `files and their faults are merged, a file that is no YAML does not hide the next`() {
    folder.write("1.yaml", "version: 1\nservers: {a: {}}\n")
    folder.write("2.yaml", "version: 1\nservers: {b: {}\n")
    folder.write("3.yaml", "version: 1\nservers: {a: {}, c: {}}\n")
    folder.write("4.yaml", "# nothing\n")
    let reading = Reading(paths: [folder.path])
    #expect(codes(reading) == ["manifest.syntax", "manifest.duplicate-handle", "manifest.empty-file"])
    #expect(reading.state.servers.map(\.handle) == ["a", "b", "c"])
    #expect(reading.diagnostics.errors.last?.notes.first?.place == Place(file: 0, line: 2, column: 11))
  }

  @Test
  func `a group, a server and defaults know their files`() {
    folder.write("1.yaml", "version: 1\ngroups: {g: [x]}\ndefaults: {server: {desc: one}}\nservers: {a: {}}\n")
    folder.write("2.yaml", "version: 1\nservers: {b: {members: ['@g']}}\n")
    let reading = Reading(paths: [folder.path])
    #expect(reading.members("b") == ["x"])
    #expect(reading.server("a")?.attribute(.desc)?.value == "one")
    #expect(reading.server("b")?.attribute(.desc) == nil)
  }

  @Test
  func `places in a file of users show its path without detours`() {
    folder.makeFolder("a")
    folder.makeFolder("b")
    folder.write("b/ids", "x\nno user\n")
    folder.write("a/m.yaml", "version: 1\ngroups: {g: [{from: ./../a/../b/ids}]}\n")
    let reading = Reading(paths: [folder.path])
    #expect(reading.printed.contains("\(folder["b/ids"]):2:1: error:"))
  }

  @Test
  func `what can't be read is reported and never waited for`() {
    _ = mkfifo(folder["fifo.yaml"], 0o644)
    folder.link("broken.yaml", to: "nowhere")
    folder.write("ok.yaml", server("ok"))
    let reading = Reading(paths: [folder.path, folder["missing.yaml"], folder["missing"], "/dev/null"])
    #expect(codes(reading) == Array(repeating: "manifest.unreadable-file", count: 5))
    #expect(reading.state.servers.count == 1)
    #expect(reading.messages.contains { $0.hasSuffix("fifo.yaml' cannot be read: it is no regular file") })
  }

  @Test
  func `a file larger than 1 GiB is refused before it is read`() {
    folder.write("big.yaml", "")
    _ = truncate(folder["big.yaml"], (1 << 30) + 1)
    let reading = Reading(paths: [folder.path])
    #expect(reading.messages.contains { $0.hasSuffix("cannot be read: it is larger than 1 GiB") })
  }

  @Test
  func `a folder without manifests is an empty set`() {
    #expect(codes(Reading(paths: [folder.path])) == ["manifest.empty-set"])
  }

  @Test
  func `paths stay inside the root unless that is allowed`() throws {
    let other = try TemporaryFolder()
    other.write("o.yaml", server("outside"))
    other.write("ids", "alice\n")
    folder.link("link.yaml", to: other["o.yaml"])
    folder.link("folder", to: other.path)
    folder.makeFolder("sub")
    folder.write("ids", "bob\n")
    folder.write(
      "sub/m.yaml", "version: 1\ngroups: {g: [{from: ../ids}, {from: \(other["ids"])}, {from: ../folder/ids}]}\n")

    let strict = Reading(paths: [folder.path])
    #expect(codes(strict) == Array(repeating: "manifest.outside-root", count: 4))
    #expect(strict.state.names.count == 1)
    let narrow = Reading(paths: [folder["sub"]])
    #expect(codes(narrow) == Array(repeating: "manifest.outside-root", count: 3))
    let allowed = Reading(paths: [folder.path], allowOutside: true)
    #expect(allowed.printed == "")
    #expect(allowed.state.names.count == 2)
    #expect(allowed.server("outside") != nil)
  }

  @Test
  func `a link that is changed between a look and the reading leads nowhere else`() throws {
    let other = try TemporaryFolder()
    other.write("ids", "alice\n")
    folder.write("ids", "bob\n")
    let root = try #require(PathRoot(resolving: folder.path))
    #expect(try InputFile.read(folder["ids"], inside: root).bytes == Array("bob\n".utf8))
    // As if it had been a file of the folder when it was resolved.
    folder.link("link", to: other["ids"])
    let failure = #expect(throws: InputFile.Failure.self) { try InputFile.read(folder["link"], inside: root) }
    #expect(failure?.reason == "a link to it was changed, and leads outside the folder of the manifests")
    #expect(try InputFile.read(folder["link"], inside: .anywhere).bytes == Array("alice\n".utf8))
  }

  @Test
  func `no line of a file is quoted that has taken the place of the one that was read`() throws {
    folder.write("ids", "no user\n")
    folder.write("m.yaml", "version: 1\ngroups: {g: [{from: ids}]}\n")
    var reading = Reading(paths: [folder.path])
    #expect(reading.printed.contains("no user"))
    reading = Reading(paths: [folder.path])
    unlink(folder["ids"])
    let other = try TemporaryFolder()
    other.write("secret", "secret line\n")
    folder.link("ids", to: other["secret"])
    #expect(!reading.printed.contains("secret"))
    #expect(reading.printed.contains("ids:1:1: error:"))
  }

  @Test
  func `a path that leads outside by its words is told as that, also where nothing is there`() throws {
    folder.makeFolder("sub")
    folder.write("sub/m.yaml", "version: 1\ngroups: {g: [{from: ../no/ids}, {from: /nowhere/ids}, {from: none}]}\n")
    let reading = Reading(paths: [folder["sub"]])
    #expect(codes(reading) == ["manifest.outside-root", "manifest.outside-root", "manifest.unreadable-file"])
    #expect(reading.printed.contains("to '/nowhere/ids'"))
  }

  // MARK: Files of users

  private func users(of text: String) -> Reading {
    users(of: Array(text.utf8))
  }

  private func users(of bytes: [UInt8]) -> Reading {
    folder.write("list", bytes)
    folder.write("m.yaml", "version: 1\nservers: {s: {members: [x, {from: list}]}}\n")
    return Reading(paths: [folder["m.yaml"]])
  }

  @Test(arguments: [
    "alice\nbob\n", "\u{FEFF}alice\r\nbob", "# all\n\n  alice  # lead\n\t# more\nbob\nALICE\nx\n",
    "user\nalice\nbob\n", "userId,name\nalice,A\nbob,\"B, b\"\n",
    "# c\nname,userId\n\"A\nb\",\"alice\"\n\n# x,y\nB,bob\n",
  ])
  func `a file lists users one a line or in a column`(_ text: String) {
    let reading = users(of: text)
    #expect(reading.printed == "")
    #expect(reading.members("s") == ["alice", "bob", "x"])
  }

  @Test
  func `a user from a file has his place in that file`() throws {
    let reading = users(of: "name,user\nA,alice\n")
    let listed = try #require(reading.server("s")?.members?.value.last)
    #expect(reading.state.names[listed.user] == "alice")
    #expect(listed.place == Place(file: 1, line: 2, column: 3))
    #expect(reading.files.path(of: 1) == folder["list"])
  }

  @Test(arguments: [
    ("alice\nb b\n", ["2:1 manifest.invalid-user"]),
    ("alice\n@core\n", ["2:1 manifest.invalid-user"]),
    ("alice,bob\n", ["1:1 manifest.from-file"]),
    ("alice\nbob,carol\n", ["2:5 manifest.from-file"]),
    ("name,user\nx\n", ["2:1 manifest.from-file"]),
    ("name,User\nx,a\n", []), ("USERID\na\n", []), ("user,UserId\na,b\n", ["1:6 manifest.from-file"]),
    ("users\na\n", ["1:1 manifest.from-file"]),
    ("name,user\nx,\n", ["2:3 manifest.invalid-user"]),
    ("user\n\"a\nb\n", ["2:1 manifest.from-file"]),
    ("a\u{0}b\n", ["1:2 manifest.encoding"]),
  ])
  func `a fault in a file of users is reported in that file`(_ text: String, _ expected: [String]) {
    #expect(users(of: text).findings.map(\.description) == expected)
  }

  @Test
  func `a file of users is UTF-8`() {
    #expect(users(of: [0xFF, 0xFE, 0x61, 0]).findings.map(\.description) == ["1:1 manifest.encoding"])
    #expect(users(of: [0x61, 0x0A, 0x62, 0xFF]).findings.map(\.description) == ["2:2 manifest.encoding"])
  }

  @Test
  func `a name that is not valid UTF-8 is refused where it can matter`() throws {
    folder.write("a.yaml", server("one"))
    // U+0001 stands for a byte that no UTF-8 holds.
    let paths = ["b\u{1}.yaml", "c\u{1}.txt", "d\u{1}"].map { name in
      folder[name].utf8.map { $0 == 1 ? CChar(-1) : CChar(bitPattern: $0) } + [0]
    }
    for path in paths.dropLast() { close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)) }
    mkdir(paths[2], 0o755)
    defer {
      for path in paths.dropLast() { unlink(path) }
      rmdir(paths[2])
    }
    let reading = Reading(paths: [folder.path])
    #expect(codes(reading) == ["manifest.unreadable-file", "manifest.unreadable-file"])
    #expect(reading.messages.allSatisfy { $0.hasSuffix("its name is not valid UTF-8") })
  }

  @Test(arguments: [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF], []] as [[UInt8]])
  func `UTF-32 is called by its name`(mark: [UInt8]) {
    let isLittle = mark.first != 0
    let text: [UInt8] = server("one").utf8.flatMap { (byte) -> [UInt8] in
      isLittle ? [byte, 0, 0, 0] : [0, 0, 0, byte]
    }
    let reading = Reading(bytes: mark + text)
    #expect(reading.messages.first == "the file is UTF-32; manifests are read as UTF-8 or UTF-16")
    folder.write("a.txt", mark + text)
    folder.write("a.yaml", "version: 1\nservers: {a: {members: [{from: a.txt}]}}\n")
    #expect(Reading(paths: [folder["a.yaml"]]).messages == ["the file is UTF-32; lists of users are read as UTF-8"])
  }

  @Test
  func `a header that names no users tells what the columns are, and a doubtful one is doubted`() {
    folder.write("a.csv", "id, \"name\"\nx,y\n")
    folder.write("b.csv", "Members\nx\n")
    folder.write("a.yaml", "version: 1\nservers: {a: {members: [{from: a.csv}, {from: b.csv}]}}\n")
    let printed = Reading(paths: [folder["a.yaml"]]).printed
    #expect(printed.contains("= help: the first line names the columns, and here these are id, \"name\""))
    #expect(printed.contains("warning: 'Members' is read as a user id [manifest.from-file]"))
    #expect(printed.contains("^~~~~~~"))
  }
}
