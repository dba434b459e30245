import CircleKit
import Testing

@Suite struct PagingTests {
  @Test func `a cursor stays right while members come and go`() async throws {
    let (store, managers) = try await community("alice", "b01")
    let alice = try #require(managers["alice"])
    let id = try await alice.createServer(.init(name: "A")).serverId
    for number in 10..<50 {
      try await store.registerUser("u\(number)")
      _ = try await CircleManager(store: store, userId: "u\(number)").joinServer(id)
    }
    let first = try await alice.fetchServerMembers(id, limit: 15)
    #expect(first.list.map(\.userId).prefix(2) == ["alice", "u10"])
    // One who was told goes, one before the cursor comes, one behind it goes.
    try await alice.removeUsers(fromServer: id, userIds: ["u12", "u40"])
    _ = try await managers["b01"]?.joinServer(id)
    var told = first.list.map(\.userId)
    var cursor = first.cursor
    while let next = cursor {
      let page = try await alice.fetchServerMembers(id, limit: 15, cursor: next)
      told += page.list.map(\.userId)
      cursor = page.cursor
    }
    let stayed = ["alice"] + (10..<50).filter { $0 != 40 }.map { "u\($0)" }
    #expect(told == stayed)
  }

  @Test func `a cursor of another list, and what is none, are refused`() async throws {
    let (_, managers) = try await community("alice", "bob", "carol")
    let alice = try #require(managers["alice"])
    let a = try await alice.createServer(.init(name: "A")).serverId
    let b = try await alice.createServer(.init(name: "B")).serverId
    _ = try await managers["bob"]?.joinServer(a)
    let cursor = try #require(try await alice.fetchServerMembers(a, limit: 1).cursor)
    for bad in [cursor + "00", String(cursor.dropLast()), "", "zz", cursor.uppercased() + "é", "00", "c3"] {
      #expect(await refusal { _ = try await alice.fetchServerMembers(a, limit: 1, cursor: bad) } != nil, "\(bad)")
    }
    #expect(await refusal { _ = try await alice.fetchServerMembers(b, cursor: cursor) } == .invalidParam)
    #expect(await refusal { _ = try await alice.fetchJoinedServers(cursor: cursor) } == .invalidParam)
  }

  @Test func `joined servers come by the time of joining, the owned ones included`() async throws {
    let (store, managers) = try await community("alice", "bob")
    let alice = try #require(managers["alice"])
    let bob = try #require(managers["bob"])
    var ids: Set<String> = []
    for number in 0..<25 { ids.insert(try await alice.createServer(.init(name: "S\(number)")).serverId) }
    let own = try await bob.createServer(.init(name: "Own")).serverId
    for id in ids { _ = try await bob.joinServer(id) }
    var told: [String] = []
    var cursor: String?
    repeat {
      let page = try await bob.fetchJoinedServers(20, cursor: cursor)
      told += page.list.map(\.serverId)
      cursor = page.cursor
    } while cursor != nil
    #expect(told == (ids.union([own])).sorted())
    _ = store
  }
}
