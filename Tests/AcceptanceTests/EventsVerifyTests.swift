import CircleState
import CircleStateSQLite
import Testing
import Testkit

/// A log that proves itself: edits that leave a hash as it was, a cut end, and a chain that was computed anew.
struct EventsVerifyTests {
  private static func head(_ scene: Scene, _ state: String = "circle.db") throws -> String {
    let info = try scene("state info -o ndjson --state \(state)").output
    return String(info.firstRange(of: "\"head\":\"").map { info[$0.upperBound...].prefix(64) } ?? "")
  }

  @Test func `a sound log contains each head that it had`() throws {
    let scene = try Club.applied()
    let first = try Self.head(scene)
    #expect(try scene("state set-limit joined 7").status == 0)
    let second = try Self.head(scene)
    #expect(first != second)
    let whole = try scene("events verify")
    #expect(whole.status == 0 && whole.output.hasPrefix("The log is sound: 2 runs, "), "\(whole)")
    for (head, sentence) in [
      (first, "of run 1; 1 run came after it"), (second, "of run 2; 0 runs came after it"),
      (String(repeating: "0", count: 64), "of run 0; 2 runs"),
    ] {
      let ending = try scene("events verify --head \(head)")
      #expect(ending.status == 0 && ending.output.contains(sentence), "\(ending)")
    }
    #expect(try scene("events verify --head \(first) -o json").output.contains("\"sound\": true"))
    #expect(try scene("events verify --head \(first.prefix(12).uppercased())").status == 0)
    for wrong in ["abc", String(first.prefix(11)), first + "0", first.prefix(12) + "x"] {
      #expect(try scene("events verify --head \(wrong)").status == 64)
    }
  }

  @Test func `a log that was cut off, or made anew, does not contain the old head`() throws {
    let scene = try Club.applied()
    #expect(try scene.shell("cp circle.db cut.db").status == 0)
    #expect(try scene("state set-limit joined 7").status == 0)
    let head = try Self.head(scene)
    // Sound in itself, but the last run is gone.
    let cut = try scene("events verify --head \(head) --state cut.db")
    #expect(cut.status == 1 && cut.errors.contains("is not what was written"), "\(cut)")
    #expect(cut.output.contains("the head \(head) is no part of the log"))
    #expect(try scene("events verify --state cut.db").status == 0)
    // The same changes with another reason: another chain.
    #expect(try scene("state set-limit joined 8 --state cut.db").status == 0)
    #expect(try scene("events verify --head \(head) --state cut.db").status == 1)
  }

  @Test(arguments: [(.runs, true), (.runs, false), (.log, false)] as [(StateTable, Bool)])
  func `an edit that does not compute the chain anew is found, and its run named`(
    table: StateTable, makesCheck: Bool
  ) throws {
    let scene = try Club.applied()
    #expect(try scene("state set-limit joined 7").status == 0)
    let rows = try SQLiteRows.open(path: scene.folder.path("circle.db"), mode: .write(create: false))
    let key = RowKey(1)
    var bytes = try rows.withRow(table, key) { (bytes) in [UInt8](bytes) } ?? []
    #expect(bytes.count > 60)
    // In an entry: within what the hash covers, behind the hash itself.
    bytes[table == .runs ? 40 : bytes.count - 1] ^= 1
    if makesCheck { bytes = Seal.sealed(bytes.dropLast(Seal.byteCount)) }
    try rows.begin(writing: true, timeout: 1000)
    try bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in
      try rows.put(table, key, UnsafeRawBufferPointer(bytes))
    }
    try rows.commit()
    for command in ["events verify", "state verify"] {
      let ending = try scene(command)
      #expect(ending.status == 1, "\(command): \(ending)")
      #expect(ending.output.contains("run 1: "), "\(command): \(ending.output)")
    }
  }
}
