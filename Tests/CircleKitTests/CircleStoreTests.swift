import CircleKit
import CircleModel
import CircleState
import CircleStateSQLite
import Dispatch
import Testing
import Testkit

@Suite struct CircleStoreTests {
  @Test func `two stores on one file see each other's events`() async throws {
    let folder = try TemporaryFolder()
    try await hearEachOther(at: folder.path("circle.db"))
  }

  @Test(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
  func `two stores on one server see each other's events`() async throws {
    try await hearEachOther(at: #require(PostgresServer.shared).newSchema())
  }

  @Test func `a location with a password is refused and not repeated`() throws {
    let refused = #expect(throws: CircleStoreError.self) { try CircleStore(path: "postgres://me:hush@host/base") }
    #expect(refused?.kind == .notAState && refused?.description.contains("hush") == false)
  }

  private func hearEachOther(at path: String) async throws {
    let first = try CircleStore(path: path)
    let second = try CircleStore(path: path)
    try await first.registerUser("alice")
    try await second.registerUser("bob")
    let alice = CircleManager(store: first, userId: "alice")
    let bob = CircleManager(store: second, userId: "bob")
    let id = try await alice.createServer(.init(name: "A")).serverId
    let events = try await alice.events()
    _ = try await bob.joinServer(id)
    try await bob.leaveServer(id)
    var iterator = events.makeAsyncIterator()
    let joined = try #require(await iterator.next())
    #expect(joined.name == .onMemberJoinedServer && joined.users == ["bob"] && joined.handle == "a")
    let left = try #require(await iterator.next())
    #expect(left.name == .onMemberLeftServer && left.seq == joined.seq + 1)
  }

  @Test func `who listens goes on when another process archives what was not heard yet`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("circle.db")
    let first = try CircleStore(path: path)
    let second = try CircleStore(path: path)
    try await first.registerUser("alice")
    try await second.registerUser("bob")
    let bob = CircleManager(store: second, userId: "bob")
    let alice = CircleManager(store: first, userId: "alice")
    let id = try await alice.createServer(.init(name: "A")).serverId
    let events = try await alice.events()
    _ = try await bob.joinServer(id)
    let other = StateStore(try SQLiteRows.open(path: path, mode: .write(create: false)))
    let cut = try #require(try other.prepareCut(before: .max) { (_) throws(StateError) in })
    let writer = RunRequest.Writer(host: "test", process: 1, version: "0")
    _ = try other.cut(cut, time: 0, request: RunRequest(kind: .archive, command: "events archive", writer: writer))
    // Long enough for the listener to look.
    try await Task.sleep(for: .milliseconds(600))
    try await bob.leaveServer(id)
    for await event in events where event.name == .onMemberLeftServer {
      #expect(event.users == ["bob"])
      break
    }
  }

  @Test func `what is no state is told, and stays as it was`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("notes.txt")
    try folder.write("not a state", to: "notes.txt")
    #expect(throws: CircleStoreError.self) { try CircleStore(path: path) }
    #expect(try folder.read("notes.txt") == "not a state")
  }

  @Test func `a delegate is called on its queue, and no more after it was removed`() async throws {
    let (_, managers) = try await community("alice", "bob")
    let alice = try #require(managers["alice"])
    let bob = try #require(managers["bob"])
    let id = try await alice.createServer(.init(name: "A")).serverId
    let queue = DispatchQueue(label: "test")
    let (heard, deaf) = (Recorder(), Deaf())
    try await alice.add(serverDelegate: heard, queue: queue)
    try await alice.add(serverDelegate: deaf)
    _ = try await bob.joinServer(id)
    queue.sync {}
    #expect(heard.calls == ["joined bob"])
    await alice.remove(serverDelegate: heard)
    try await bob.leaveServer(id)
    queue.sync {}
    #expect(heard.calls == ["joined bob"])
    await alice.remove(serverDelegate: deaf)
  }

  @Test func `a delegate that nobody holds is forgotten`() async throws {
    let (_, managers) = try await community("alice", "bob")
    let alice = try #require(managers["alice"])
    let id = try await alice.createServer(.init(name: "A")).serverId
    weak var gone: Recorder?
    do {
      let delegate = Recorder()
      gone = delegate
      try await alice.add(serverDelegate: delegate)
    }
    _ = try await managers["bob"]?.joinServer(id)
    #expect(gone == nil)
  }

  @Test func `a delegate is called on an executor, in order`() async throws {
    let (_, managers) = try await community("alice", "bob")
    let alice = try #require(managers["alice"])
    let bob = try #require(managers["bob"])
    let id = try await alice.createServer(.init(name: "A")).serverId
    let heard = Recorder()
    try await alice.add(serverDelegate: heard, executor: globalConcurrentExecutor)
    for _ in 0..<20 {
      _ = try await bob.joinServer(id)
      try await bob.leaveServer(id)
    }
    #expect(await heard.calls(40) == (0..<20).flatMap { _ in ["joined bob", "left bob"] })
  }

  @Test func `a sequence of events ends with its task`() async throws {
    let (_, managers) = try await community("alice", "bob")
    let alice = try #require(managers["alice"])
    let id = try await alice.createServer(.init(name: "A")).serverId
    let events = try await alice.events()
    let task = Task { await events.reduce(into: [CircleEvent.Name]()) { $0.append($1.name) } }
    _ = try await managers["bob"]?.joinServer(id)
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(await task.value == [.onMemberJoinedServer])
  }
}
