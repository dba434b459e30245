import CircleModel
import CircleState
import CircleStatePostgres
import CircleStateSQLite
import Diagnostics
import Digest
import JSONText
import Testing
import Testkit

/// A log whose beginning has gone into an archive, beside the same log as a whole.
@Suite struct LogCutTests {
  private static let seeds: [UInt64] = [51, 52, 53, 54, 55, 56]

  /// A state of random runs.
  private func world(_ rows: any StateRows, _ seed: UInt64, runs: Int = 8) throws -> TestWorld {
    var world = TestWorld(rows, seed: seed)
    for _ in 0..<runs { try more(&world) }
    return world
  }

  private func more(_ world: inout TestWorld) throws {
    var generator = world.generator
    try world.run { $0.random(60, &generator) }
    world.generator = generator
  }

  private func copy(of store: StateStore) throws -> StateStore {
    let copy = StateStore(MemoryRows())
    _ = try store.copy(to: copy)
    return copy
  }

  private func read(_ archives: [UInt8]...) throws -> LogArchive {
    var archive = LogArchive()
    for bytes in archives {
      var isRead = false
      _ = try archive.add { () throws(StateError) in
        defer { isRead = true }
        return isRead ? [] : bytes
      }
    }
    return archive
  }

  // MARK: What goes on as before

  @Test(arguments: seeds)
  func `a state verifies after one cut, and after further runs and cuts`(seed: UInt64) throws {
    var world = try world(MemoryRows(), seed)
    for round in 1...3 {
      let head = try world.store.head()
      let run = try world.store.cutLog(runs: round * 3).run
      #expect(run.number == head.run + 1 && run.eventCount == 0 && run.previous == head.hash)
      #expect(try world.store.head().revision == head.revision + 1)
      #expect(try world.store.verify() == [], "seed \(seed), cut \(round)")
      let check = try world.store.verifyLog(earlier: head.hash.hex)
      #expect(check.faults == [] && check.run == head.run)
      for _ in 0..<3 { try more(&world) }
      #expect(try world.store.verify() == [], "seed \(seed), after cut \(round)")
    }
    #expect(try self.copy(of: world.store).verify() == [])
  }

  @Test(arguments: seeds)
  func `what last changed each thing is told as by the whole log`(seed: UInt64) throws {
    let cutWorld = try world(MemoryRows(), seed)
    let whole = try copy(of: cutWorld.store)
    let before = try rowCount(of: .log, in: whole)
    try cutWorld.store.cutLog(runs: 4)
    #expect(try answers(of: cutWorld.store) == answers(of: whole))
    try cutWorld.store.cutLog(runs: 7)
    #expect(try answers(of: cutWorld.store) == answers(of: whole))
    #expect(try rowCount(of: .log, in: cutWorld.store) < before)
  }

  private func rowCount(of table: StateTable, in store: StateStore) throws -> Int {
    var count = 0
    try store.rows.scan(table) { (_, _) throws(StateError) in
      count += 1
      return true
    }
    return count
  }

  private func answers(of store: StateStore) throws -> [String] {
    let snapshot = try store.load(.everything).snapshot
    var lines: [String] = []
    func take(_ answers: [Provenance], _ subject: String) {
      for answer in answers {
        lines.append(
          "\(subject) \(answer.aspect) \(answer.kind) \(answer.value ?? "-") \(answer.rule) \(answer.actor) "
            + "\(answer.isAdministrative) \(answer.path ?? "-"):\(answer.line):\(answer.column) \(answer.run.number)")
      }
    }
    try store.reading { () throws(StateError) in
      for server in snapshot.servers {
        var reader = ProvenanceReader(store.rows, server: server.number)
        take(try reader.ofServer(), "\(server.handle)")
        for number in 0..<12 {
          var reader = ProvenanceReader(store.rows, server: server.number)
          take(try reader.ofTag(Text("tag-\(number)")), "\(server.handle) tag")
        }
        for number in 0..<24 {
          var reader = ProvenanceReader(store.rows, server: server.number)
          take(try reader.ofUser(Text("user-\(number)")), "\(server.handle) user-\(number)")
        }
      }
    }
    return lines
  }

  @Test(arguments: seeds)
  func `events after the cut, who hears them and what runs did are as in the whole log`(seed: UInt64) throws {
    let cutWorld = try world(MemoryRows(), seed)
    let whole = try copy(of: cutWorld.store)
    let archive = try read(cutWorld.store.cutLog(runs: 5).archive)
    let last = try #require(try cutWorld.store.checkpoint()?.lastSeq)
    let all = try events(of: whole)
    #expect(try events(of: cutWorld.store) == all.filter { $0.seq > last })
    #expect(try events(of: cutWorld.store, since: last) == all.filter { $0.seq > last })
    #expect(try events(of: archive.store) == all.filter { $0.seq <= last })
    #expect(archive.isFromBeginning)
    #expect(throws: StateError.archived(through: last)) { try events(of: cutWorld.store, since: last - 1) }
    for number in 1...5 as ClosedRange<UInt32> { #expect(try cutWorld.store.effect(ofRun: number)?.run == nil) }
    for number in 6...8 as ClosedRange<UInt32> {
      let effect = try #require(try cutWorld.store.effect(ofRun: number))
      let expected = try #require(try whole.effect(ofRun: number))
      #expect(effect.after.totals == expected.after.totals && effect.before.totals == expected.before.totals)
      #expect(handles(effect) == handles(expected))
    }
  }

  private func handles(_ effect: RunEffect) -> Set<String> {
    Set(effect.servers.map { "\(effect.after.handle(of: $0))" })
  }

  private struct Heard: Equatable {
    var seq: Int64
    var text: String
  }

  private func events(of store: StateStore, since: Int64? = nil) throws -> [Heard] {
    var heard: [Heard] = []
    try store.reading { () throws(StateError) in
      try EventLog(store.rows).forEachWithAudience(since: since) { (event, audience) in
        let handle = String(decoding: event.handle, as: UTF8.self)
        heard.append(Heard(seq: event.seq, text: "\(event.name) \(handle) \(event.run) \(audience.users())"))
        return true
      }
    }
    var plain: [Int64] = []
    try store.reading { () throws(StateError) in
      try EventLog(store.rows).forEach(since: since) { (event, _) in
        plain.append(event.seq)
        return true
      }
    }
    #expect(plain == heard.map(\.seq))
    return heard
  }

  @Test func `a follower goes on over a cut of what it has read, and is told when it has not`() throws {
    var world = try world(MemoryRows(), 61, runs: 3)
    var follower = EventFollower()
    func news() throws -> Int {
      try world.store.reading { () throws(StateError) in
        var count = 0
        // That they began before the cut matters no more once they have been read.
        try follower.forEachNew(in: EventLog(world.store.rows), since: 1) { (_, _) in
          count += 1
          return true
        }
        return count
      }
    }
    #expect(try news() > 0)
    try world.store.cutLog(runs: 2)
    #expect(try news() == 0)
    // The run of the cut itself has no events, and is read.
    try more(&world)
    try world.store.cutLog(runs: 4)
    #expect(try news() > 0)
    try more(&world)
    try more(&world)
    try world.store.cutLog(runs: 7)
    let last = try #require(try world.store.checkpoint()?.lastSeq)
    #expect(throws: StateError.archived(through: last)) { try news() }
  }

  // MARK: All stores alike

  @Test func `a file leaves the same archive, checkpoint and hash as memory`() throws {
    let folder = try TemporaryFolder()
    try compare(with: try SQLiteRows.open(path: folder.path("circle.db"), mode: .write(create: true)))
  }

  @Test(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
  func `a server leaves the same archive, checkpoint and hash as memory`() throws {
    let url = try ServerURL(#require(PostgresServer.shared).newSchema())
    try compare(with: try PostgresRows.open(url, mode: .write(create: true)))
  }

  private func compare(with rows: any StateRows) throws {
    var one = try world(MemoryRows(), 71)
    var other = try world(rows, 71)
    for runs in [3, 6] {
      let (expected, found) = (try one.store.cutLog(runs: runs), try other.store.cutLog(runs: runs))
      #expect(expected.archive == found.archive)
      #expect(expected.run.hash == found.run.hash)
      #expect(try one.store.checkpoint() == other.store.checkpoint())
      #expect(try one.store.head() == other.store.head())
      try more(&one)
      try more(&other)
      #expect(try other.store.verify() == [])
      #expect(try answers(of: one.store) == answers(of: other.store))
    }
    #expect(try copy(of: other.store).head() == other.store.head())
  }

  @Test func `a dump of a cut log is restored as it was`() throws {
    let world = try world(MemoryRows(), 72)
    try world.store.cutLog(runs: 4)
    var dump: [UInt8] = []
    _ = try world.store.dump { (buffer) throws(StateError) in
      buffer.withBytes { dump += $0 }
      buffer.removeAll()
    }
    let restored = StateStore(MemoryRows())
    var isRead = false
    _ = try restored.restore { () throws(StateError) in
      defer { isRead = true }
      return isRead ? [] : dump
    }
    #expect(try restored.head() == world.store.head())
    #expect(try restored.checkpoint() == world.store.checkpoint())
  }

  // MARK: What is found

  /// Which row of a cut log is changed, and where.
  @Test(arguments: [
    (StateTable.checkpoint, UInt32(0)), (.checkpoint, 1), (.runs, 1), (.runs, 3), (.runs, 8), (.log, 3), (.log, 6),
  ])
  func `an edit before or after the cut is found`(table: StateTable, run: UInt32) throws {
    let rows = MemoryRows()
    let world = try world(rows, 81)
    try world.store.cutLog(runs: 4)
    var found: RowKey?
    try rows.scan(table, of: run) { (key, _) throws(StateError) in
      found = key
      return false
    }
    let key = try #require(found)
    let bytes = try #require(try rows.withRow(table, key) { [UInt8]($0) })
    for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 24)) {
      var changed = bytes
      changed[position] ^= 1
      try put(changed, rows, table, key)
      #expect(try !faults(of: world.store).isEmpty, "\(table) \(run), byte \(position)")
      // Where the log was cut is never believed to be elsewhere.
      if table == .checkpoint, run == 0 { #expect(throws: StateError.self) { try world.store.checkpoint() } }
    }
    try put(bytes, rows, table, key)
    #expect(try faults(of: world.store) == [])
  }

  /// A state whose head can't be read is damaged too.
  private func faults(of store: StateStore) throws -> [String] {
    do throws(StateError) {
      let faults = try store.verify()
      let log = try store.verifyLog().faults
      #expect(faults.isEmpty == log.isEmpty)
      return faults
    } catch .damaged(let sentence) {
      return [sentence]
    }
  }

  private func put(_ bytes: [UInt8], _ rows: any StateRows, _ table: StateTable, _ key: RowKey) throws {
    try rows.begin(writing: true, timeout: 0)
    try bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in
      try rows.put(table, key, UnsafeRawBufferPointer(bytes))
    }
    try rows.commit()
  }

  @Test func `a checkpoint that was taken away, or is that of another cut, is found`() throws {
    let rows = MemoryRows()
    var world = try world(rows, 82)
    try world.store.cutLog(runs: 2)
    let first = try #require(try rows.withRow(.checkpoint, .first) { [UInt8]($0) })
    try more(&world)
    try world.store.cutLog(runs: 5)
    let second = try #require(try rows.withRow(.checkpoint, .first) { [UInt8]($0) })
    try put(first, rows, .checkpoint, .first)
    #expect(try world.store.verify() != [])
    try rows.begin(writing: true, timeout: 0)
    try rows.remove(.checkpoint, .first)
    try rows.commit()
    #expect(try world.store.verify() != [])
    try put(second, rows, .checkpoint, .first)
    #expect(try world.store.verify() == [])
  }

  @Test func `no run begins to write into a state whose checkpoint is damaged`() throws {
    let rows = MemoryRows()
    let world = try world(rows, 84)
    try world.store.cutLog(runs: 2)
    var bytes = try #require(try rows.withRow(.checkpoint, .first) { [UInt8]($0) })
    bytes[5] ^= 1
    try put(bytes, rows, .checkpoint, .first)
    #expect(throws: StateError.self) { try world.store.takeLock(now: 0, timeout: 0) }
    #expect(try rows.lock() == nil)
  }

  @Test func `a damaged log is not cut`() throws {
    let rows = MemoryRows()
    let world = try world(rows, 83)
    var bytes = try #require(try rows.withRow(.log, RowKey(2)) { [UInt8]($0) })
    bytes[bytes.count - 1] ^= 1
    try put(bytes, rows, .log, RowKey(2))
    #expect(throws: StateError.self) { try world.store.cutLog(runs: 4) }
    #expect(try world.store.checkpoint() == nil)
    // What comes after the cut is left to 'verify'.
    #expect(try world.store.cutLog(runs: 1).run.number == 9)
  }

  @Test func `a cut of a state that has changed meanwhile is stale`() throws {
    var world = try world(MemoryRows(), 84)
    let cut = try #require(try world.store.prepareCut(before: .max) { (_) throws(StateError) in })
    try more(&world)
    #expect(throws: StateError.stale(expected: 8, found: 9)) {
      try world.store.cut(cut, time: 0, request: TestWorld.cut)
    }
    #expect(try world.store.verify() == [])
  }

  @Test func `archives know whether they begin with the log, and whose they are`() throws {
    var world = try world(MemoryRows(), 85)
    let first = try world.store.cutLog(runs: 3).archive
    try more(&world)
    let second = try world.store.cutLog(runs: 6).archive
    #expect(try !read(second).isFromBeginning)
    #expect(try read(second, first).isFromBeginning)
    #expect(try read(first, second).firstForeignRun(in: world.store) == nil)
    let other = try self.world(MemoryRows(), 86)
    #expect(try read(first).firstForeignRun(in: other.store) == 1)
    let all = try read(first, second)
    #expect(try all.extents.map(\.runs) == [1...3, 4...6] && all.store.head().run == 6)
  }
}
