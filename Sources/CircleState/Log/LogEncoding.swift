import CircleModel
import Diagnostics
import Digest

/// A run's log as it is stored, with the run's entry complete.
struct EncodedLog {
  /// The blocks in order, each with its server's number, 0 for operations on users.
  var blocks: [(bytes: [UInt8], server: UInt32)] = []
  var run: Run
}

/// Makes the blocks of a run's log, and its hash.
struct LogEncoding {
  private let run: Run
  private let outcome: Outcome
  private let result: Snapshot
  private let path: (FileIndex) -> String

  /// - Parameters:
  ///   - run: without counts and hash.
  ///   - result: after the outcome, with all numbers assigned.
  init(run: Run, outcome: Outcome, result: Snapshot, path: @escaping (FileIndex) -> String) {
    self.run = run
    self.outcome = outcome
    self.result = result
    self.path = path
  }

  func log() -> EncodedLog {
    var log = EncodedLog(run: run)
    var blocks = LogBlockWriter(outcome: outcome, names: result.names, path: path)
    var hash = SHA256()
    hash.update(run.canonicalHead)
    var handles = handlesBefore()
    var counts: [OperationKind: Int] = [:]
    var position = 0
    while position < outcome.records.count {
      let end = endOfBlock(from: position)
      let first = outcome.records[position]
      let server = first.server == .none ? nil : result[first.server]
      let handle = first.server == .none ? "" : handles[first.server] ?? result.handle(of: first.server)
      var writer = PackedWriter()
      blocks.write(
        &writer, position..<end, firstSeq: run.firstSeq + Int64(log.run.eventCount), serverID: server?.id ?? "",
        handle: handle)
      hash.update(writer.bytes)
      log.blocks.append((writer.bytes, server?.number ?? 0))
      for record in outcome.records[position..<end] {
        log.run.eventCount += record.kind.eventCount(devices: record.devices)
      }
      counts[first.kind, default: 0] += end - position
      if case .handle(_, let after)? = outcome.detail(of: first) { handles[first.server] = after }
      position = end
    }
    log.run.recordCount = outcome.records.count
    log.run.blockCount = UInt32(truncatingIfNeeded: log.blocks.count)
    log.run.counts = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { (kind: $0.key, count: $0.value) }
    hash.update(log.run.canonicalTail)
    log.run.hash = hash.finish()
    return log
  }

  /// The handle with which a server that this run renames began.
  private func handlesBefore() -> [ServerIndex: Text] {
    var handles: [ServerIndex: Text] = [:]
    for record in outcome.records where record.kind == .renameHandle {
      if case .handle(let before, _)? = outcome.detail(of: record), handles[record.server] == nil {
        handles[record.server] = before
      }
    }
    return handles
  }

  /// A block holds records of one kind and one server; of a rename just one, since the handle stands at its head.
  private func endOfBlock(from start: Int) -> Int {
    let records = outcome.records
    let first = records[start]
    let limit = min(records.count, start + (first.kind == .renameHandle ? 1 : LogBlockWriter.capacity))
    var end = start + 1
    while end < limit, records[end].kind == first.kind, records[end].server == first.server,
      records[end].isAdministrative == first.isAdministrative
    {
      end += 1
    }
    return end
  }
}
