import CircleModel
import CircleState
import Testing

@Suite struct RunEffectTests {
  @Test(arguments: [31, 32, 33] as [UInt64])
  func `what a run did is the state before it and the state after it`(seed: UInt64) throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: seed)
    var states = [try world.store.load(.everything).snapshot]
    for _ in 0..<5 {
      var generator = world.generator
      try world.run { $0.random(60, &generator) }
      world.generator = generator
      states.append(try world.store.load(.everything).snapshot)
    }
    for number in 1..<states.count {
      let effect = try #require(try world.store.effect(ofRun: UInt32(number)))
      #expect(effect.stack == "default")
      #expect(lines(effect.before) == lines(states[number - 1]), "run \(number), seed \(seed)")
      #expect(lines(effect.after) == lines(states[number]), "run \(number), seed \(seed)")
      let untouched = effect.before.servers.indices.filter { !effect.servers.contains(ServerIndex($0)) }
      for position in untouched {
        #expect(effect.before.servers[position].memberCount == effect.after.servers[position].memberCount)
        #expect(effect.before.servers[position].isDestroyed == effect.after.servers[position].isDestroyed)
      }
    }
  }

  private func lines(_ snapshot: Snapshot) -> [String] {
    snapshot.servers.filter { !$0.isDestroyed }.map { server in
      let members = server.members.sorted().map { "\(snapshot.names[$0.user]) \($0.role) \($0.joinedAt)" }.sorted()
      return "\(server.id) \(server.handle) \(server.attributes.entries.map(\.value)) \(members)"
    }.sorted()
  }

  @Test func `a run that is not there, or whose log is gone, has none`() throws {
    let rows = MemoryRows()
    var world = TestWorld(rows, seed: 34)
    for _ in 0..<3 {
      var generator = world.generator
      try world.run { $0.random(40, &generator) }
      world.generator = generator
    }
    for number in [0, 4, 99] as [UInt32] { #expect(try world.store.effect(ofRun: number)?.run == nil) }
    #expect(try world.store.effect(ofRun: 3)?.run == 3)
    try rows.begin(writing: true, timeout: 0)
    try rows.remove(.log, RowKey(2, 0))
    try rows.commit()
    #expect(try world.store.effect(ofRun: 1)?.run == 1)
    for number in [2, 3] as [UInt32] { #expect(try world.store.effect(ofRun: number)?.run == nil) }
  }
}
