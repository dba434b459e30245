import CircleModel
import Testing

@testable import CircleState

/// A run that is written batch by batch.
struct StreamedRunTests {
  /// Registers so many users, or gives those who are there another nickname, in batches of a size.
  private final class Users: UserBatches {
    let count: Int
    let size: Int
    let nickname: String
    var commits = true
    private var position = 0

    init(_ count: Int, size: Int, nickname: String = "Nick") {
      self.count = count
      self.size = size
      self.nickname = nickname
    }

    func next() -> UserNames? {
      guard position < count else { return nil }
      var names = UserNames()
      for number in position..<min(position + size, count) {
        let digits = String(100_000 + number)
        _ = names.intern("user\(digits)")
      }
      position += names.count
      return names
    }

    func decide(in snapshot: Snapshot) -> (outcome: Outcome, result: Snapshot) {
      var (result, outcome) = (snapshot, Outcome())
      var context = RunContext(kind: .import, time: 1000, ids: IDSource(seed: [], nextSeq: 0))
      for position in snapshot.users.indices {
        let user = UserIndex(position)
        var profile = UserProfile()
        profile[.nickName] = Text(nickname)
        let operation: CircleModel.Operation =
          snapshot[user].isRegistered
          ? .updateUser(user, [FieldSetting(.nickName, Text(nickname))]) : .registerUser(user, profile, devices: [])
        let first = outcome.records.count
        do throws(CircleError) {
          try CircleModel.decide(
            operation, by: .administrator, from: .command, in: result, context: &context, into: &outcome)
        } catch {
          Issue.record("\(error.reason)")
        }
        for record in outcome.records[first...] { result.apply(record, of: outcome, in: context) }
      }
      return (outcome, result)
    }

    func mayCommit() -> Bool { commits }
  }

  private let request = RunRequest(
    kind: .import, command: "import users", writer: .init(host: "h", process: 1, version: "v"))

  private func commit(_ users: Users, to store: StateStore) throws -> Run? {
    try store.commit(users, time: 1000, request: request) { _ in "u.csv" }
  }

  @Test func `batches add up to one run, from which the log gives the state again`() throws {
    let store = StateStore(MemoryRows())
    let run = try #require(try commit(Users(10_000, size: 1000), to: store))
    #expect(run.recordCount == 10_000)
    #expect(run.blockCount == 10)
    let head = try store.head()
    #expect(head.totals.users == 10_000)
    #expect(head.revision == 1)
    #expect(head.hash == run.hash)
    let changed = try #require(try commit(Users(4500, size: 4096, nickname: "Other"), to: store))
    #expect(changed.counts.map(\.count) == [4500])
    #expect(changed.previous == run.hash)
    let all = try store.load(.everything).snapshot
    #expect(all.details.count { $0.value.profile[.nickName] == "Other" } == 4500)
    #expect(try store.verify().isEmpty)
  }

  @Test func `nothing is written where nothing changes or the batches may not be`() throws {
    let store = StateStore(MemoryRows())
    _ = try commit(Users(100, size: 30), to: store)
    #expect(try commit(Users(100, size: 50), to: store) == nil)
    let forbidden = Users(200, size: 50)
    forbidden.commits = false
    #expect(try commit(forbidden, to: store) == nil)
    #expect(try store.head().revision == 1)
    #expect(try store.head().totals.users == 100)
    #expect(try store.rehearse(Users(100, size: 50)) == false)
    #expect(try store.rehearse(Users(101, size: 50)) == true)
    #expect(try store.head().revision == 1)
  }

  @Test func `the same users give the same bytes however they are cut into blocks of the same size`() throws {
    let (one, other) = (StateStore(MemoryRows()), StateStore(MemoryRows()))
    let first = try commit(Users(5000, size: 1000), to: one)
    let second = try commit(Users(5000, size: 1000), to: other)
    #expect(first?.hash == second?.hash)
  }

  @Test func `members keep their servers when their profiles change`() throws {
    let store = StateStore(MemoryRows())
    _ = try commit(Users(3, size: 10), to: store)
    var names = UserNames()
    for user in ["user100000", "user100001"] { _ = names.intern(user) }
    let loaded = try store.load(Scope(everyUser: true, userDetails: true), names: names)
    var (result, outcome) = (loaded.snapshot, Outcome())
    var context = RunContext(kind: .command, time: 2000, ids: IDSource(seed: [1], nextSeq: 1))
    var attributes = ServerAttributes()
    attributes[.name] = "S"
    for operation in [
      CircleModel.Operation.createServer(NewServer(handle: "s", attributes: attributes, owner: UserIndex(0))),
      .joinServer(ServerIndex(0), UserIndex(1)),
    ] {
      let first = outcome.records.count
      try CircleModel.decide(
        operation, by: .administrator, from: .command, in: result, context: &context, into: &outcome)
      for record in outcome.records[first...] { result.apply(record, of: outcome, in: context) }
    }
    _ = try store.commit(outcome, result: result, on: loaded, time: 2000, request: request)
    _ = try commit(Users(3, size: 10, nickname: "New"), to: store)
    let all = try store.load(.everything).snapshot
    #expect(all.servers[0].memberCount == 2)
    #expect(try store.verify().isEmpty)
  }
}
