import CircleModel
import CircleState
import Testing

@Suite struct StateLockingTests {
  private func hold(_ rows: MemoryRows, _ lock: StateLock?) throws {
    try rows.begin(writing: true, timeout: 0)
    try rows.setLock(lock)
    try rows.commit()
  }

  @Test func `a lock of another host is respected and named`() throws {
    let rows = MemoryRows()
    let store = StateStore(rows, timeout: 0)
    let other = StateLock(host: "elsewhere", process: 1, processStart: 5, since: 1_000)
    try hold(rows, other)
    #expect(throws: StateError.locked(other)) { try store.takeLock(now: 2_000, timeout: 0) }
    #expect(throws: StateError.locked(other)) { try store.takeLock(now: 2_000, timeout: 60) }
    #expect(try store.clearLock() == other)
    try store.takeLock(now: 2_000, timeout: 0)
    #expect(try rows.lock()?.since == 2_000)
  }

  @Test func `a lock of a dead process on this host is cleared by the next run`() throws {
    let rows = MemoryRows()
    let store = StateStore(rows, timeout: 0)
    let dead = StateLock(host: StateLock.thisHost(), process: 2_000_000_000, processStart: 5, since: 1_000)
    try hold(rows, dead)
    #expect(dead.hasEnded)
    try store.takeLock(now: 2_000, timeout: 0)
  }

  @Test func `a process number that was given again does not keep a lock`() throws {
    var mine = StateLock.ofThisProcess(since: 1_000)
    #expect(!mine.hasEnded)
    mine.processStart += 1
    #expect(mine.hasEnded)
  }

  @Test func `a waiting run stops when a signal comes`() throws {
    let rows = MemoryRows()
    let store = StateStore(rows, timeout: 0)
    try hold(rows, StateLock(host: "elsewhere", process: 1, processStart: 5, since: 1_000))
    #expect(throws: StateError.interrupted(signal: 15)) {
      try store.takeLock(now: 2_000, timeout: 60_000) { 15 }
    }
  }

  @Test func `a run that does not commit gives its lock up and leaves another's`() throws {
    let rows = MemoryRows()
    let store = StateStore(rows, timeout: 0)
    try store.takeLock(now: 1, timeout: 0)
    store.releaseLock()
    #expect(try rows.lock() == nil)
    let other = StateLock(host: "elsewhere", process: 1, processStart: 5, since: 1_000)
    try hold(rows, other)
    store.releaseLock()
    #expect(try rows.lock() == other)
  }

  @Test func `a commit gives the lock up`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 1)
    try world.store.takeLock(now: 1, timeout: 0)
    var generator = world.generator
    try world.run { $0.random(10, &generator) }
    #expect(try rows.lock() == nil)
  }
}
