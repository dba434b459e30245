import CircleModel
import CircleState
import CircleStateSQLite
import Glibc
import SideThread
import Testing
import Testkit

/// Several processes at a time on one state, for a while: nothing that one of them did is lost, each ends as it should, and
/// the state is sound whenever one looks.
///
/// Here for a few seconds; `make soak` goes on for as long as `CIRCLE_SOAK_SECONDS` says, with the choices that
/// `CIRCLE_SOAK_SEED` gives. How the processes meet is up to the machine.
@Suite(.serialized)
struct SoakTests {
  private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
  private static let seconds = number("CIRCLE_SOAK_SECONDS") ?? 8
  private static let seed = number("CIRCLE_SOAK_SEED") ?? 1

  @Test func `processes on one file lose nothing of each other`() throws {
    try soak(Scene(), state: "circle.db")
  }

  @Test(.enabled(if: PostgresServer.shared != nil, "\(PostgresServer.reason)"))
  func `processes on one server lose nothing of each other`() throws {
    let server = try #require(PostgresServer.shared)
    try soak(Scene(), state: server.newSchema())
  }

  private func soak(_ scene: Scene, state: String) throws {
    for line in [
      "state init", "state set-limit joined 100000", "state set-limit created 100000", "user register boss",
      "server create Shared --owner boss",
    ] {
      let ending = try scene("\(line) --state \(state)")
      try #require(ending.status == 0, "\(line): \(ending.errors)")
    }
    let follower = try scene.start("events list --follow -o ndjson --state \(state)", output: "followed")
    let clock = ContinuousClock()
    let end = clock.now + .seconds(Int(Self.seconds))
    let threads = (0..<4).map { number in
      SideThread.start { () -> SoakWorker in
        var worker = SoakWorker(number, seed: Self.seed, scene: scene, state: state)
        while clock.now < end, worker.faults.isEmpty { worker.step() }
        return worker
      }
    }
    let checker = SideThread.start { () -> SoakWorker in
      var worker = SoakWorker(99, seed: Self.seed, scene: scene, state: state)
      while clock.now < end, worker.faults.isEmpty {
        worker.check()
        usleep(useconds_t(min(Self.seconds, 10) * 100_000))
      }
      return worker
    }
    let workers = threads.map { $0.join() }
    for fault in (workers + [checker.join()]).flatMap(\.faults) { Issue.record("seed \(Self.seed): \(fault)") }
    #expect(workers.allSatisfy { $0.writes > 0 }, "a worker has not come to write anything")
    if Self.seconds > 60 {
      print("\(state): \(workers.map(\.writes)) runs that wrote, \(workers.map(\.locked)) locked out")
    }
    var last = SoakWorker(100, seed: Self.seed, scene: scene, state: state)
    last.check()
    #expect(last.faults == [])
    try compare(workers, scene, state)
    try compareEvents(with: follower, scene, state)
  }

  /// What each worker knows that it did has to be there, and nothing else.
  private func compare(_ workers: [SoakWorker], _ scene: Scene, _ state: String) throws {
    let copied = try scene("state copy \(state) copy.db", seconds: 120)
    #expect(copied.status == 0, "\(copied.errors)")
    let rows = try SQLiteRows.open(path: scene.folder.path("copy.db"), mode: .write(create: false))
    let snapshot = try StateStore(rows).load(.everything).snapshot
    var expected: [String: Set<String>] = ["shared": ["boss"]]
    var users: Set<String> = ["boss"]
    for worker in workers {
      users.formUnion(worker.users)
      expected["shared"]?.formUnion(worker.shared)
      for (handle, members) in worker.servers { expected[handle] = members.union([worker.owner]) }
    }
    var found: [String: Set<String>] = [:]
    for server in snapshot.servers where !server.isDestroyed {
      found[server.handle.string] = Set(server.members.sorted().map { snapshot.names[$0.user] })
    }
    let registered = snapshot.users.indices.filter { snapshot.users[$0].isRegistered }
    let names = Set(registered.map { snapshot.names[UserIndex($0)] })
    for user in names.symmetricDifference(users) {
      Issue.record("\(user) is \(names.contains(user) ? "there" : "lost"); \(Self.journal(of: user, workers))")
    }
    for handle in Set(found.keys).union(expected.keys) where found[handle] != expected[handle] {
      let (found, expected) = (found[handle] ?? [], expected[handle] ?? [])
      Issue.record(
        "\(handle) has other members; \(Self.journal(of: handle, found == [] || expected == [] ? workers : []))")
      for user in found.symmetricDifference(expected) {
        Issue.record(
          "\(user) is \(found.contains(user) ? "in" : "not in") \(handle); \(Self.journal(of: user, workers))")
      }
    }
  }

  /// The commands that name something, as far as workers have typed it.
  private static func journal(of name: String, _ workers: [SoakWorker]) -> String {
    let lines = workers.flatMap(\.journal).filter {
      $0.split(separator: " ").contains { $0.utf8.elementsEqual(name.utf8) }
    }
    return "seed \(seed)\n\(lines.joined(separator: "\n"))"
  }

  /// Who followed the events has heard each of them once, in order.
  private func compareEvents(with follower: SpawnedProgram, _ scene: Scene, _ state: String) throws {
    let all = try scene("events list -o ndjson --state \(state)", seconds: 120).output
    for _ in 0..<1000 where try scene.folder.bytes("followed").count < all.utf8.count { usleep(10_000) }
    follower.send(SIGINT)
    let ending = try follower.wait()
    #expect(ending.status == 130, "\(ending.errors)")
    #expect(try scene.folder.read("followed") == all)
    var last = 0
    for line in all.split(separator: "\n") {
      let number = Records.value("seq", in: String(line)).flatMap { Int($0) } ?? -1
      #expect(number == last + 1)
      last = number
    }
  }
}

/// One who works on the state beside others, and remembers what has to be there in the end.
struct SoakWorker {
  private let name: String
  private let scene: Scene
  private let state: String
  private var random: SplitMix

  private(set) var users: Set<String> = []
  /// By handle, without the owner.
  private(set) var servers: [String: Set<String>] = [:]
  /// Who of `users` is in the server that all share.
  private(set) var shared: Set<String> = []
  private(set) var faults: [String] = []
  /// What was run, with how it ended.
  private(set) var journal: [String] = []
  private(set) var writes = 0
  private(set) var locked = 0
  private var serial = 0

  init(_ number: Int, seed: UInt64, scene: Scene, state: String) {
    name = "w\(number)"
    random = SplitMix(seed: seed &* 1000 &+ UInt64(number))
    self.scene = scene
    self.state = state
  }

  var owner: String { "\(name)-owner" }

  private mutating func newName() -> String {
    serial += 1
    return "\(name)-\(serial)"
  }

  private mutating func some(of all: Set<String>, atMost count: Int) -> [String] {
    Array(all.sorted().shuffled(using: &random).prefix(Int.random(in: 1...count, using: &random)))
  }

  /// Runs a command; one that ends otherwise than expected is a fault.
  ///
  /// - Parameter limit: words of `timeout`; a process that takes two minutes hangs.
  @discardableResult
  private mutating func run(
    _ words: [String], expecting codes: Set<Int32> = [0], limit: [String] = ["-s", "KILL", "120"]
  ) -> SpawnedProgram.Ending? {
    let program = "\(SpawnedProgram.binaries)/circlectl"
    do {
      let ending = try SpawnedProgram(
        "/usr/bin/timeout", limit + [program] + words + ["--state", state], in: scene.folder
      )
      .wait()
      journal.append("\(words.joined(separator: " ")) → \(ending.status) \(ending.errors)")
      if !codes.contains(ending.status) {
        faults.append("\(name): \(words.joined(separator: " ")) ended with \(ending.status): \(ending.errors)")
      }
      return ending
    } catch {
      faults.append("\(error)")
      return nil
    }
  }

  /// A run that waits for its turn as long as it takes, and writes.
  private mutating func write(_ words: [String]) -> Bool {
    let isWritten = run(words + ["--lock-timeout", "100s"])?.status == 0
    if isWritten { writes += 1 }
    return isWritten
  }

  /// Whether the state is sound, as any process sees it at any moment.
  mutating func check() {
    run(["state", "verify"])
    run(["events", "verify"])
    run(["state", "info"])
  }

  // MARK: Steps

  /// Does one thing at random.
  mutating func step() {
    guard users.contains(owner) else {
      if write(["user", "register", owner]) { users.insert(owner) }
      return
    }
    switch Int.random(in: 0..<16, using: &random) {
    case 0: register()
    case 1: create()
    case 2, 3: join()
    case 4: leave()
    case 5, 6: joinShared()
    case 7: leaveShared()
    case 8: importUsers()
    case 9, 10: apply()
    case 11: applyInterrupted()
    case 12: joinAndUndo()
    case 13: joinUnlessLocked()
    case 14: destroy()
    default: read()
    }
  }

  private mutating func register() {
    let new = (0..<3).map { _ in newName() }
    if write(["user", "register"] + new) { users.formUnion(new) }
  }

  private mutating func create() {
    let handle = newName()
    if write(["server", "create", "Server \(handle)", "--handle", handle, "--owner", owner]) { servers[handle] = [] }
  }

  /// A server of this worker's own that no manifest names.
  private mutating func someServer() -> String? {
    servers.keys.filter { $0 != stackServer }.sorted().randomElement(using: &random)
  }

  private mutating func join() {
    guard let handle = someServer() else { return create() }
    let new = some(of: users.subtracting([owner]).subtracting(servers[handle] ?? []), atMost: 3)
    guard !new.isEmpty else { return register() }
    if write(["member", "join", handle] + new) { servers[handle]?.formUnion(new) }
  }

  private mutating func leave() {
    guard let handle = someServer(), let user = servers[handle]?.sorted().randomElement(using: &random) else {
      return join()
    }
    if write(["member", "leave", handle, user]) { servers[handle]?.remove(user) }
  }

  private mutating func joinShared() {
    let new = some(of: users.subtracting(shared), atMost: 3)
    guard !new.isEmpty else { return register() }
    if write(["member", "join", "shared"] + new) { shared.formUnion(new) }
  }

  private mutating func leaveShared() {
    guard let user = shared.sorted().randomElement(using: &random) else { return joinShared() }
    if write(["member", "leave", "shared", user]) { shared.remove(user) }
  }

  private mutating func importUsers() {
    let new = (0..<20).map { _ in newName() }
    let table = "userId,nickName\n" + new.map { "\($0),Nick \($0)\n" }.joined()
    guard save(table, to: "\(name).csv") else { return }
    if write(["import", "users", "\(name).csv"]) { users.formUnion(new) }
  }

  private mutating func save(_ text: String, to file: String) -> Bool {
    do { try scene.folder.write(text, to: file) } catch {
      faults.append("\(error)")
      return false
    }
    return true
  }

  private var stackServer: String { "\(name)-stack" }

  /// Writes a manifest with members at random; the words that apply it.
  private mutating func manifest() -> (words: [String], members: Set<String>)? {
    let members = Set(some(of: users.subtracting([owner]), atMost: 30))
    let list = members.sorted().joined(separator: ", ")
    let text = """
      version: 1
      servers:
        \(stackServer): {name: "Stack of \(name)", owner: \(owner), members: [\(list)], membership: exact, join: direct}

      """
    guard save(text, to: "\(name).yaml") else { return nil }
    return (["apply", "\(name).yaml", "--stack", name, "--yes", "-q", "--max-removals", "100%"], members)
  }

  private mutating func apply() {
    guard let (words, members) = manifest() else { return }
    if write(words) { servers[stackServer] = members }
  }

  /// An apply that is ended at some moment, then the same again: whatever came of the first, the second brings the state to
  /// what the manifest asks for.
  private mutating func applyInterrupted() {
    guard let (words, members) = manifest() else { return }
    let signal = ["KILL", "TERM", "INT"].randomElement(using: &random) ?? "KILL"
    let seconds = "0.\(Int.random(in: 100...400, using: &random))"
    // 124 and 137 are timeout's own words for what it ended. It sends the signal twice, to the command and to the group of
    // both: of these the second may come when the run is written.
    let ending = run(
      words + ["--lock-timeout", "100s"], expecting: [0, 1, 124, 130, 137, 143, -SIGKILL],
      limit: ["--preserve-status", "-s", signal, "-k", "60", seconds])
    if let ending, ending.status == 1, !ending.errors.contains("the run is written") {
      faults.append("\(name): an apply that was interrupted ended with 1: \(ending.errors)")
    }
    if write(words) { servers[stackServer] = members }
  }

  private mutating func joinAndUndo() {
    guard let user = users.subtracting(shared).sorted().randomElement(using: &random) else { return register() }
    let joined = run(["member", "join", "shared", user, "-o", "ndjson", "--lock-timeout", "100s"])
    guard let joined, joined.status == 0 else { return }
    writes += 1
    shared.insert(user)
    guard let run = Records(joined)["run"].first.flatMap({ Records.value("number", in: $0) }) else {
      faults.append("\(name): the run has no number: \(joined.output)")
      return
    }
    if write(["state", "undo", run, "--yes", "-q", "--reason", "of \(user) "]) { shared.remove(user) }
  }

  private mutating func joinUnlessLocked() {
    guard let user = users.subtracting(shared).sorted().randomElement(using: &random) else { return register() }
    switch run(["member", "join", "shared", user, "--lock-timeout", "0"], expecting: [0, 5])?.status {
    case 0:
      writes += 1
      shared.insert(user)
    case 5: locked += 1
    default: break
    }
  }

  private mutating func destroy() {
    guard let handle = someServer() else { return create() }
    if write(["server", "destroy", handle, "--yes"]) { servers[handle] = nil }
  }

  /// Reads something, and looks for what has to be there.
  private mutating func read() {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: run(["export", "--all"])
    case 1: run(["events", "list", "-o", "ndjson"])
    case 2: run(["state", "dump"])
    case 3:
      let listed = run(["user", "list", "--prefix", owner, "-o", "ndjson"])?.output ?? ""
      if !listed.contains("\"\(owner)\"") { faults.append("\(name): \(owner) is lost: \(listed)") }
    default:
      guard let user = shared.sorted().randomElement(using: &random) else { return }
      let listed = run(["user", "memberships", user, "-o", "ndjson"])?.output ?? ""
      if !listed.contains("shared") { faults.append("\(name): \(user) is no longer in the shared server: \(listed)") }
    }
  }
}
