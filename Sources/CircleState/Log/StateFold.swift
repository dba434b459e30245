package import CircleModel

/// A state made again from its log alone, record by record, by the same function that made it.
package struct StateFold {
  package private(set) var snapshot = Snapshot()

  package init() {}

  /// Takes the next block of the log.
  ///
  /// - Parameters:
  ///   - before, after: told each record before and after it is applied, with the snapshot of that moment.
  package mutating func apply(
    _ bytes: UnsafeRawBufferPointer, of run: Run,
    before: (Record, Outcome, Snapshot) throws(StateError) -> Void = { _, _, _ throws(StateError) in },
    after: (Record, Outcome, Snapshot) throws(StateError) -> Void = { _, _, _ throws(StateError) in }
  ) throws(StateError) {
    let block = try LogBlock(bytes)
    let server = try server(of: block)
    let outcome = try outcome(of: block, server: server)
    let context = RunContext(kind: run.request.kind, time: run.time, ids: IDSource(seed: [], nextSeq: 0))
    for record in outcome.records {
      try before(record, outcome, snapshot)
      snapshot.apply(record, of: outcome, in: context)
      try after(record, outcome, snapshot)
    }
  }

  private func server(of block: LogBlock) throws(StateError) -> ServerIndex {
    if block.serverID.isEmpty { return .none }
    if block.kind == .createServer { return ServerIndex(snapshot.servers.count) }
    guard let server = snapshot.serverIDs[Text(block.serverID)] else {
      throw .damaged("the log changes the server \(Text(block.serverID)), which it never created")
    }
    return server
  }

  private mutating func outcome(of block: LogBlock, server: ServerIndex) throws(StateError) -> Outcome {
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
}
