import CircleState
import CircleStateSQLite
import Testing
import Testkit

@testable import CircleCLI

struct StateCommandTests {
  @Test func `init creates a state once`() throws {
    let run = try TestRun()
    #expect(try run("state init").status == 0)
    #expect(run.folder.names() == ["circle.db"])
    #expect(try run("state info --report json=./circle.db").status == 64)
    let bytes = try run.folder.read("circle.db")
    #expect(try run("state init").status == 3)
    #expect(try run.folder.read("circle.db") == bytes)
    #expect(try run("state init --state nowhere/x.db").status == 1)
  }

  @Test(arguments: ["state info", "state verify", "state history", "events list", "export", "state unlock"])
  func `what only reads does not create a state`(line: String) throws {
    let run = try TestRun()
    #expect(try run(line).status == 0)
    #expect(run.folder.names() == [])
  }

  @Test func `info tells counts, limits and the lock`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    _ = try run("state set-limit created 7")
    let json = try run("state info -o json").output
    for word in ["\"users\": 4", "\"servers\": 2", "\"created\": 7", "\"joined\": 100"] {
      #expect(json.contains(word), "\(word) in \(json)")
    }
  }

  @Test func `a limit that is the same already changes nothing`() throws {
    let run = try TestRun()
    #expect(try run("state set-limit joined 200").status == 0)
    let ending = try run("state set-limit joined 200")
    #expect(ending.status == 0)
    #expect(ending.output.contains("nothing changes"))
    #expect(try run.history().count == 1)
  }

  @Test func `history shows the last runs, the newest last`() throws {
    let run = try TestRun()
    for number in 1...4 { _ = try run("state set-limit joined \(number)") }
    #expect(try run.history().count == 4)
    #expect(try run("state history").output.contains("state set-limit joined 4"))
    let last = try run.history("--limit 2")
    #expect(last.count == 2)
    #expect(last.last?.contains("\"number\":4") == true)
    #expect(try run.history("--limit 0").isEmpty)
  }

  @Test func `a lock of another host is told with 5, and unlock removes it`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("state init")
    try lock(run, StateLock(host: "elsewhere", process: 77, processStart: 1, since: 1_735_787_045_678))
    let ending = try run("apply --yes --lock-timeout 0")
    #expect(ending.status == 5)
    for word in ["elsewhere", "77", "2025-01-02T03:04:05.678Z"] { #expect(ending.errors.contains(word)) }
    #expect(try run("state info").output.contains("elsewhere"))
    #expect(try run("state unlock").status == 0)
    #expect(try run("state unlock").output.contains("No run holds the lock"))
    #expect(try run("apply --yes").status == 0)
  }

  @Test func `a lock of a process of this host that has ended is no hindrance`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("state init")
    try lock(run, StateLock(host: StateLock.thisHost(), process: 1, processStart: 1, since: 0))
    #expect(try run("apply --yes --lock-timeout 0").status == 0)
  }

  @Test func `damage is told, with 1`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    let rows = try SQLiteRows.open(path: run.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 0)
    try rows.remove(.log, RowKey(1, 1))
    try rows.commit()
    let ending = try run("state verify")
    #expect(ending.status == 1)
    #expect(ending.errors.contains("damaged"))
  }

  private func lock(_ run: TestRun, _ lock: StateLock) throws {
    let rows = try SQLiteRows.open(path: run.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 0)
    try rows.setLock(lock)
    try rows.commit()
  }

  @Test(arguments: ["state set-limit joined 7", "server release garden", "apply --yes --prune"])
  func `a damaged state is not written to, not even its lock`(line: String) throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    let rows = try SQLiteRows.open(path: run.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 0)
    let garbage: [UInt8] = [1, 2, 3]
    try garbage.withUnsafeBytes { (bytes) throws in try rows.put(.head, .first, bytes) }
    try rows.commit()
    let bytes = try run.folder.read("circle.db")
    let ending = try run(line)
    #expect(ending.status == 1)
    #expect(ending.errors.contains("the state 'circle.db' is damaged: a stored row is cut or garbled"))
    #expect(try run.folder.read("circle.db") == bytes)
  }

  @Test func `a check of a damaged file tells what is wrong and does not send people to itself`() throws {
    let run = try TestRun(["manifests/a.yaml": twoServers])
    _ = try run("apply --yes")
    let bytes = try run.folder.bytes("circle.db")
    let garbled = bytes[..<5000] + [UInt8](repeating: 0x55, count: bytes.count - 5000)
    for damaged in [Array(bytes[..<(bytes.count / 2)]), Array(bytes[..<3000]), Array(garbled)] {
      try run.folder.write(damaged, to: "circle.db")
      let ending = try run("state verify")
      #expect(ending.status == 1)
      #expect(ending.errors.contains("damaged"), "\(ending.errors)")
      #expect(!ending.errors.contains("state verify"), "\(ending.errors)")
      #expect(ending.errors.contains("the way back"))
    }
    try run.folder.write(bytes, to: "circle.db")
    let rows = try SQLiteRows.open(path: run.folder.path("circle.db"), mode: .write(create: false))
    try rows.begin(writing: true, timeout: 0)
    let garbage: [UInt8] = [1, 2, 3]
    try garbage.withUnsafeBytes { (bytes) throws in try rows.put(.head, .first, bytes) }
    try rows.commit()
    let ending = try run("state verify")
    #expect(ending.status == 1)
    #expect(ending.output.contains("fault: a stored row is cut or garbled"))
    #expect(ending.errors.contains("is damaged: 1 fault\n"), "\(ending.errors)")
  }
}
