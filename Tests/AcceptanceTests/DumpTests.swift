import CircleState
import CircleStateSQLite
import Glibc
import Testing
import Testkit

/// Dumps that are whole, and dumps that are not.
struct DumpTests {
  private func dumped() throws -> (scene: Scene, lines: [Substring]) {
    let scene = try Club.applied()
    let ending = try scene("state dump club.ndjson")
    #expect(ending.status == 0, "\(ending.errors)")
    return (scene, try scene.folder.read("club.ndjson").split(separator: "\n"))
  }

  @Test func `a dump is for its owner alone, and replaces no state`() throws {
    let scene = try dumped().scene
    var status = stat()
    #expect(stat(scene.folder.path("club.ndjson"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(scene.folder.names() == ["circle.db", "club", "club.ndjson"])
    let refused = try scene("state dump circle.db")
    #expect(refused.status == 64 && refused.errors.contains("would replace the state"))
    #expect(try scene("state verify").status == 0)
    let piped = try scene.shell("$circlectl state dump | $circlectl state restore - --state piped.db")
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try scene("state verify --state piped.db").output == scene("state verify").output)
  }

  @Test func `a damaged dump is refused with the line and the reason, and makes no state`() throws {
    let (scene, lines) = try dumped()
    let count = lines.count
    func without(_ line: Int) -> [Substring] { Array(lines[..<(line - 1)] + lines[line...]) }
    func with(_ line: Int, _ text: String) -> [Substring] {
      var copy = lines
      copy[line - 1] = Substring(text)
      return copy
    }
    func changed(_ line: Int, _ old: String, _ new: String) -> [Substring] {
      let text = lines[line - 1]
      guard let range = text.firstRange(of: old) else { return [] }
      return with(line, String(text[..<range.lowerBound]) + new + text[range.upperBound...])
    }
    var swapped = lines
    swapped.swapAt(5, 6)
    let cases: [(text: [Substring], line: Int, reason: String)] = [
      (Array(lines.dropLast()), count, "the dump ends here, before its last line"),
      (Array(lines.prefix(3)), 4, "the dump ends here"),
      (without(4), 4, "missing"), (without(2), 2, "missing"), (swapped, 6, "was changed"),
      (changed(5, "\"value\":\"", "\"value\":\"AAAA"), 5, "was changed"),
      (changed(5, "\"value\":\"", "\"value\":\"*"), 5, "no base64"),
      (changed(5, "\"key\":[", "\"key\":[1,"), 5, "no row can have this key"),
      (changed(5, "\"table\":\"users\"", "\"table\":\"people\""), 5, "no table of that name"),
      (with(7, "{\"table\":"), 7, "ends within a JSON value"), (with(7, "[]"), 7, "no line of a dump"),
      (changed(1, "\"circlectlDump\":1", "\"circlectlDump\":2"), 1, "another version"),
      (changed(1, "\"revision\":1", "\"revision\":2"), count, "tells of another state"),
      (lines + [lines[1]], count + 1, "more follows"), (["{}"], 1, "no dump of a circlectl state"),
      (["version: 1"], 1, "no JSON"), ([], 1, "ends here"),
    ]
    for (number, damaged) in cases.enumerated() {
      try scene.folder.write(damaged.text.joined(separator: "\n") + "\n", to: "damaged.ndjson")
      let ending = try scene("state restore damaged.ndjson --state new.db")
      #expect(ending.status == 65, "case \(number): \(ending.errors)")
      #expect(ending.errors.contains("damaged.ndjson:\(damaged.line): "), "case \(number): \(ending.errors)")
      #expect(ending.errors.contains(damaged.reason), "case \(number): \(ending.errors)")
      #expect(!scene.folder.exists("new.db"))
    }
  }

  @Test func `a damaged state is not copied`() throws {
    let scene = try Club.applied()
    let copied = try scene("state copy circle.db copy.db")
    #expect(copied.status == 0)
    let missing = try scene("state copy nowhere.db other.db")
    #expect(missing.status == 3 && missing.errors.contains("there is no state at 'nowhere.db'"))
    let password = try scene("state copy circle.db postgres://me:hush@host/base")
    #expect(password.status == 64 && !password.errors.contains("hush"))
    let both = try scene("state copy circle.db b.db --state c.db")
    #expect(both.status == 64)
    #expect(scene.folder.names() == ["circle.db", "club", "copy.db"])
    // A row that the log does not know.
    var bytes = try scene.bytes("circle.db")
    guard let place = bytes.firstRange(of: Array("Olga".utf8)) else { return }
    bytes[place.lowerBound] = UInt8(ascii: "W")
    try scene.folder.write(bytes, to: "damaged.db")
    let damaged = try scene("state copy damaged.db other.db")
    #expect(damaged.status == 1 && damaged.errors.contains("'damaged.db' is damaged"), "\(damaged.errors)")
    #expect(!scene.folder.exists("other.db"))
    // A dump of it could not be restored.
    let dumped = try scene("state dump damaged.ndjson --state damaged.db")
    #expect(dumped.status == 1 && dumped.errors.contains("'damaged.db' is damaged"), "\(dumped.errors)")
    #expect(!scene.folder.exists("damaged.ndjson"))
    #expect(try scene("state dump --state damaged.db").output.isEmpty)
    #expect(try scene("state dump -").status == 64)
  }

  @Test func `nothing is taken back by a log that was changed`() throws {
    let scene = try Club.applied()
    #expect(try scene("user register newcomer").status == 0)
    #expect(try scene("state undo --dry-run").status == 0)
    let rows = try SQLiteRows.open(path: scene.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 0)
    let block = try rows.withRow(.log, RowKey(2, 0)) { (bytes) throws(StateError) in Array(bytes) } ?? []
    guard let place = block.firstRange(of: Array("newcomer".utf8)) else { throw StateError.missing("newcomer") }
    var changed = block
    changed[place.lowerBound] = UInt8(ascii: "m")
    try rows.put(.log, RowKey(2, 0), bytes: changed)
    try rows.commit()
    let ending = try scene("state undo --dry-run")
    #expect(ending.status == 1 && ending.errors.contains("run 2: its entry or its log was changed"), "\(ending.errors)")
  }

  @Test func `an empty file that becomes a state is its owner's alone`() throws {
    let scene = try Club.applied()
    for command in ["state init", "state restore club.ndjson", "apply club --yes"] {
      if !scene.folder.exists("club.ndjson") { _ = try scene("state dump club.ndjson") }
      try scene.folder.write("", to: "open.db")
      chmod(scene.folder.path("open.db"), 0o666)
      #expect(try scene("\(command) --state open.db").status == 0)
      var status = stat()
      #expect(stat(scene.folder.path("open.db"), &status) == 0 && status.st_mode & 0o777 == 0o600, "\(command)")
      unlink(scene.folder.path("open.db"))
    }
  }
}
