import CircleModel
import CircleState
import CircleStatePostgres
import CircleStateSQLite
import Diagnostics
import Glibc
import Synchronization
import Testing
import Testkit

@Suite struct StateStoreTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `random runs leave a state that its log gives again`(seed: UInt64) throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: seed)
    let kinds: [RunKind] = [.command, .apply, .import]
    for step in 0..<12 {
      var generator = world.generator
      try world.run(kinds[step % 3]) { $0.random(60, &generator) }
      world.generator = generator
      let faults = try world.store.verify()
      #expect(faults == [], "seed \(seed), after run \(step + 1): \(faults)")
    }
    #expect(try world.store.head().run == 12)
  }

  @Test func `the same runs give the same hash in memory and in a file`() throws {
    try withTemporaryFile { path in
      let file = try SQLiteRows.open(path: path, mode: .write(create: true))
      var inMemory = TestWorld(MemoryRows(), seed: 42)
      var inFile = TestWorld(file, seed: 42)
      for _ in 0..<5 {
        var generator = inMemory.generator
        try inMemory.run { $0.random(80, &generator) }
        inMemory.generator = generator
        generator = inFile.generator
        try inFile.run { $0.random(80, &generator) }
        inFile.generator = generator
      }
      #expect(try inMemory.store.head() == inFile.store.head())
      #expect(try inFile.store.verify() == [])
    }
  }

  @Test(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
  func `the same runs give the same hash on a server`() throws {
    let url = try ServerURL(#require(PostgresServer.shared).newSchema())
    var inMemory = TestWorld(MemoryRows(), seed: 43)
    var onServer = TestWorld(try PostgresRows.open(url, mode: .write(create: true)), seed: 43)
    for _ in 0..<5 {
      var generator = inMemory.generator
      try inMemory.run { $0.random(80, &generator) }
      inMemory.generator = generator
      generator = onServer.generator
      try onServer.run { $0.random(80, &generator) }
      onServer.generator = generator
    }
    #expect(try inMemory.store.head() == onServer.store.head())
    #expect(try onServer.store.verify() == [])
  }

  @Test(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
  func `a commit that a server can't fit in is tried again, and written once`() throws {
    let server = try #require(PostgresServer.shared)
    let url = try ServerURL(server.newSchema())
    var world = TestWorld(try PostgresRows.open(url, mode: .write(create: true)), seed: 1)
    var generator = world.generator
    try world.run { $0.random(20, &generator) }
    let loaded = try world.store.load(.everything)
    var run = TestWorld.Run(
      snapshot: loaded.snapshot,
      context: RunContext(
        kind: .command, time: loaded.head.time, ids: IDSource(seed: [1], nextSeq: loaded.head.nextSeq)))
    run.do(
      .setLimit(.joined, 7), by: .administrator,
      Origin(.manifest, at: Place(file: FileIndex(0), line: 1, column: 1)))
    let tries = Atomic<Int>(0)
    let schema = PostgresServer.schema(of: url.text)
    let written = try world.store.commit(
      run.outcome, result: run.snapshot, on: loaded, time: loaded.head.time,
      request: RunRequest(kind: .command, command: "test", writer: TestWorld.writer),
      path: { _ in
        // In the middle of the transaction another session touches a row that is about to be written.
        if tries.wrappingAdd(1, ordering: .relaxed).newValue == 1 {
          _ = try? server.sql("UPDATE \(schema).circlectl_head SET value = value")
        }
        return "file.yaml"
      })
    #expect(tries.load(ordering: .relaxed) == 2)
    #expect(written.number == loaded.head.run + 1)
    #expect(try world.store.head().run == written.number)
    #expect(try world.store.verify() == [])
  }

  @Test func `chunks split and empty as members come and go`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 1)
    try world.run(.apply) { run in
      let users = (0..<3000).map { run.snapshot.intern("u\($0 * 7919 % 3001)") }
      for user in users { run.do(.registerUser(user, UserProfile(), devices: [])) }
      var attributes = ServerAttributes()
      attributes[.name] = "Big"
      run.do(.createServer(NewServer(handle: "big", attributes: attributes, owner: users[0])))
      for user in users.dropFirst().prefix(1500) { run.do(.joinServer(ServerIndex(0), user)) }
    }
    #expect(try world.store.verify() == [])
    try world.run { run in
      for user in run.snapshot.users.indices { run.do(.joinServer(ServerIndex(0), UserIndex(user))) }
    }
    #expect(try world.store.verify() == [])
    #expect(try world.store.load(.everything).snapshot.servers[0].memberCount == 3000)
    try world.run { run in
      let all = run.snapshot.users.indices.dropFirst(2).map { Removal(UserIndex($0)) }
      run.do(.removeUsers(ServerIndex(0), all))
    }
    #expect(try world.store.verify() == [])
    #expect(try world.store.load(.everything).snapshot.servers[0].memberCount == 2)
  }

  @Test func `a narrow load gives the same outcome as a whole one and reads a handful of rows`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 9)
    try world.run { run in
      let users = (0..<400).map { run.snapshot.intern("u\($0)") }
      for user in users { run.do(.registerUser(user, UserProfile(), devices: [])) }
      for server in 0..<20 {
        var attributes = ServerAttributes()
        attributes[.name] = Text("S\(server)")
        run.do(.createServer(NewServer(handle: Text("s\(server)"), attributes: attributes, owner: users[server])))
        for user in users.dropFirst(20).prefix(300) { run.do(.joinServer(ServerIndex(server), user)) }
      }
    }
    let scope = Scope(servers: ["s7"], members: .named)
    try world.run(scope: scope, names: ["U399", "u30", "stranger"]) { run in
      #expect(run.snapshot.servers.count == 1)
      #expect(run.snapshot.users.count == 4, "the three named, and the owner")
      run.do(.joinServer(ServerIndex(0), UserIndex(0)))
      run.do(.removeUsers(ServerIndex(0), [Removal(UserIndex(1))]))
    }
    #expect(try world.store.verify() == [])
    let after = try world.store.load(.everything).snapshot
    #expect(after.totals.memberships == 20 * 301)
  }

  @Test func `servers with pending invitations are loaded where a scope asks for them`() throws {
    var world = TestWorld(MemoryRows(), seed: 3)
    try world.run { run in
      let users = ["a", "b", "c", "d"].map { run.snapshot.intern($0) }
      for user in users { run.do(.registerUser(user, UserProfile(), devices: [])) }
      for position in 0..<4 {
        var attributes = ServerAttributes()
        attributes[.name] = "S"
        run.do(.createServer(NewServer(handle: Text("s\(position)"), attributes: attributes, owner: users[0])))
      }
      run.do(.inviteUser(ServerIndex(0), users[1], welcome: nil))
      run.do(.inviteUser(ServerIndex(2), users[2], welcome: nil))
    }
    func handles(_ names: [String], _ invitations: Scope.Invitations, serversOfUsers: Bool = false) throws -> [String] {
      var interned = UserNames()
      for name in names { _ = interned.intern(name) }
      let scope = Scope(members: .named, serversOfUsers: serversOfUsers, invitations: invitations)
      let servers = try world.store.load(scope, names: interned).snapshot.servers
      return servers.filter { $0.invitations.count == 1 }.map(\.handle.string)
    }
    #expect(try handles(["a", "b"], .ofServers) == [])
    #expect(try handles(["B"], .ofUsers) == ["s0"])
    #expect(try handles(["a"], .ofUsers) == ["s0", "s2"])
    #expect(try handles(["d", "nobody"], .ofUsers) == [])
    #expect(try handles([], .everything) == ["s0", "s2"])
    #expect(try handles(["a"], .ofUsers, serversOfUsers: true) == ["s0", "s2"])
  }

  @Test func `a commit on a moved state is refused and writes nothing`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 3)
    var generator = world.generator
    try world.run { $0.random(20, &generator) }
    let loaded = try world.store.load(.everything)
    try world.run { $0.random(20, &generator) }
    let head = try world.store.head()
    #expect(throws: StateError.stale(expected: 1, found: 2)) {
      _ = try world.store.commit(
        Outcome(), result: loaded.snapshot, on: loaded, time: 0,
        request: RunRequest(kind: .command, command: "x", writer: TestWorld.writer))
    }
    #expect(try world.store.head() == head)
  }

  @Test func `any changed bit of a row is found, and a row that is elsewhere, gone or one too many`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 5)
    var generator = world.generator
    for _ in 0..<3 { try world.run { $0.random(60, &generator) } }
    try world.run { run in
      for server in run.snapshot.servers.indices where !run.snapshot.servers[server].isDestroyed {
        let (server, owner) = (ServerIndex(server), run.snapshot.servers[server].owner)
        for user in run.snapshot.users.indices.map(UserIndex.init) {
          run.do(.inviteUser(server, user, welcome: nil))
          if user.raw % 2 == 0 { run.do(.declineInvitation(server, inviter: owner, invitee: user)) }
        }
      }
    }
    // Part of the log has gone into an archive, and some of it has been kept.
    try world.store.cutLog(runs: 2)
    for table in StateTable.allCases {
      var all: [(RowKey, [UInt8])] = []
      try rows.scan(table) { (key, bytes) in
        all.append((key, Array(bytes)))
        return true
      }
      #expect(!all.isEmpty, "\(table)")
      for (key, bytes) in all.shuffled(using: &generator).prefix(12) {
        for position in bytes.indices.shuffled(using: &generator).prefix(12) {
          var flipped = bytes
          flipped[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
          try put(rows, table, key, flipped)
          #expect(!faults(world.store).isEmpty, "\(table) \(key) byte \(position)")
        }
        try put(rows, table, key, bytes + [0])
        #expect(!faults(world.store).isEmpty, "\(table) \(key): a byte too many")
        try put(rows, table, key, nil)
        #expect(!faults(world.store).isEmpty, "\(table) \(key): gone")
        for other in [
          RowKey(key.a + 1, key.b, key.c), RowKey(key.a, key.b + 1, key.c), RowKey(key.a, key.b, key.c + 1),
        ]
        where table.admits(other) && !all.contains(where: { $0.0 == other }) {
          try put(rows, table, other, bytes)
          #expect(!faults(world.store).isEmpty, "\(table) \(key): at \(other)")
          try put(rows, table, key, bytes)
          #expect(!faults(world.store).isEmpty, "\(table) \(key): at \(other) too")
          try put(rows, table, other, nil)
          try put(rows, table, key, nil)
        }
        try put(rows, table, key, bytes)
      }
    }
    #expect(try world.store.verify() == [])
  }

  private func faults(_ store: StateStore) -> [String] {
    do { return try store.verify() } catch { return ["\(error)"] }
  }

  /// - Parameter bytes: nil removes the row.
  private func put(_ rows: MemoryRows, _ table: StateTable, _ key: RowKey, _ bytes: [UInt8]?) throws {
    try rows.begin(writing: true, timeout: 0)
    if let bytes {
      try bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in
        try rows.put(table, key, UnsafeRawBufferPointer(bytes))
      }
    } else {
      try rows.remove(table, key)
    }
    try rows.commit()
  }
}

func withTemporaryFile(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/circle-state-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { return }
  let folder = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  defer {
    unlink(folder + "/state.db")
    unlink(folder + "/state.db-journal")
    rmdir(folder)
  }
  try body(folder + "/state.db")
}
