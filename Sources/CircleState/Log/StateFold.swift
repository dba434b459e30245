import CircleModel

/// A state made again from its log alone, record by record, by the same function that made it.
struct StateFold {
  private(set) var snapshot: Snapshot

  /// - Parameter snapshot: where the fold begins: nothing, or what a state was when its log had come so far. All its
  ///   servers are in it, and what is asked of the fold: who is not loaded is no member.
  init(from snapshot: Snapshot = Snapshot()) {
    self.snapshot = snapshot
  }

  /// What the next block of the log says, in terms of the snapshot.
  mutating func outcome(of block: LogBlock) throws(StateError) -> Outcome {
    let server = try server(of: block)
    var snapshot = self.snapshot
    self.snapshot = Snapshot()
    defer { self.snapshot = snapshot }
    var outcome = try block.outcome(server: server) { snapshot.intern($0) }
    if block.kind == .createServer {
      for position in outcome.records.indices {
        outcome.records[position].server = ServerIndex(server.position + position)
      }
    }
    return outcome
  }

  mutating func apply(_ record: Record, of outcome: Outcome, in run: Run) {
    let context = RunContext(kind: run.request.kind, time: run.time, ids: IDSource(seed: [], nextSeq: 0))
    snapshot.apply(record, of: outcome, in: context)
  }

  private func server(of block: LogBlock) throws(StateError) -> ServerIndex {
    if block.serverID.isEmpty { return .none }
    if block.kind == .createServer { return ServerIndex(snapshot.servers.count) }
    guard let server = snapshot.serverIDs[Text(block.serverID)] else {
      throw .damaged("the log changes the server \(Text(block.serverID)), which it never created")
    }
    return server
  }
}
