import CircleModel
import CircleState
import Testing

@Suite struct EventLogTests {
  @Test(arguments: [11, 12, 13, 14] as [UInt64])
  func `the audiences that the log gives have the counts that the events carry`(seed: UInt64) throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: seed)
    for _ in 0..<6 {
      var generator = world.generator
      try world.run { $0.random(80, &generator) }
      world.generator = generator
    }
    var count = 0
    try world.store.reading { () throws(StateError) in
      try EventLog(rows).forEachWithAudience { (event, audience) in
        count += 1
        #expect(event.seq == Int64(count))
        let users = audience.users()
        #expect(users.count == event.audience, "\(event.name) of event \(event.seq), seed \(seed)")
        #expect(Set(users).count == users.count)
        for user in (0..<24).map({ "user-\($0)" }) where event.name.audience != .otherDevices {
          #expect(audience.includes(user) == users.contains(user), "\(event.name) \(user)")
        }
        return true
      }
    }
    #expect(try world.store.head().nextSeq == Int64(count + 1))
    #expect(count > 100)
  }

  @Test func `events are numbered without a gap and can be read from any number`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 21)
    for _ in 0..<4 {
      var generator = world.generator
      try world.run { $0.random(80, &generator) }
      world.generator = generator
    }
    let last = try world.store.head().nextSeq - 1
    for since in [0, 1, last / 2, last - 1, last] {
      var seqs: [Int64] = []
      try world.store.reading { () throws(StateError) in
        try EventLog(rows).forEach(since: since) { (event, _) in
          seqs.append(event.seq)
          return true
        }
      }
      #expect(seqs == Array((since + 1)..<(last + 1)))
    }
  }

  @Test func `a reader that has enough stops the log`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 22)
    var generator = world.generator
    try world.run { $0.random(80, &generator) }
    var seen = 0
    try world.store.reading { () throws(StateError) in
      try EventLog(rows).forEach { (_, _) in
        seen += 1
        return seen < 3
      }
    }
    #expect(seen == 3)
  }
}
