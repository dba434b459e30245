import CircleModel
import Diagnostics
import Digest

/// A run's log as it is stored, with the run's entry complete.
struct EncodedLog {
  /// The blocks in order, each with its server's number, 0 for operations on users.
  var blocks: [(bytes: [UInt8], server: UInt32)] = []
  var run: Run
}

/// Makes the blocks of a run's log, and its hash, from an outcome that is there as a whole.
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
    var encoder = LogEncoder(run: run, path: path)
    let blocks = encoder.blocks(of: outcome, result: result)
    return EncodedLog(blocks: blocks, run: encoder.finish())
  }
}

/// Makes the blocks of a run's log, and its hash, from outcomes that come one after the other.
struct LogEncoder {
  private(set) var run: Run
  private let path: (FileIndex) -> String
  private var hash = SHA256()
  private var counts: [OperationKind: Int] = [:]

  /// - Parameter run: without counts and hash.
  init(run: Run, path: @escaping (FileIndex) -> String) {
    self.run = run
    self.path = path
    hash.update(run.canonicalHead)
  }

  /// The blocks that follow those before, each with its server's number, 0 for operations on users.
  ///
  /// - Parameter result: after the outcome, with all numbers assigned.
  mutating func blocks(of outcome: Outcome, result: Snapshot) -> [(bytes: [UInt8], server: UInt32)] {
    var made: [(bytes: [UInt8], server: UInt32)] = []
    var blocks = LogBlockWriter(outcome: outcome, names: result.names, path: path)
    var handles = Self.handlesBefore(outcome)
    var position = 0
    while position < outcome.records.count {
      let end = Self.endOfBlock(in: outcome.records, from: position)
      let first = outcome.records[position]
      let isAboutUsers = first.server == .none
      let handle = isAboutUsers ? "" : handles[first.server] ?? result.handle(of: first.server)
      var writer = PackedWriter()
      blocks.write(
        &writer, position..<end, firstSeq: run.firstSeq + Int64(run.eventCount),
        serverID: isAboutUsers ? "" : result.servers[first.server.position].id, handle: handle)
      hash.update(writer.bytes)
      made.append((writer.bytes, isAboutUsers ? 0 : result.servers[first.server.position].number))
      for record in outcome.records[position..<end] {
        run.eventCount += record.kind.eventCount(devices: record.devices)
      }
      counts[first.kind, default: 0] += end - position
      if case .handle(_, let after)? = outcome.detail(of: first) { handles[first.server] = after }
      position = end
    }
    run.recordCount += outcome.records.count
    run.blockCount += UInt32(truncatingIfNeeded: made.count)
    return made
  }

  /// The run with its counts and its hash.
  consuming func finish() -> Run {
    run.counts = counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { (kind: $0.key, count: $0.value) }
    hash.update(run.canonicalTail)
    run.hash = hash.finish()
    return run
  }

  /// The handle with which a server that this run renames began.
  private static func handlesBefore(_ outcome: Outcome) -> [ServerIndex: Text] {
    var handles: [ServerIndex: Text] = [:]
    for record in outcome.records where record.kind == .renameHandle {
      if case .handle(let before, _)? = outcome.detail(of: record), handles[record.server] == nil {
        handles[record.server] = before
      }
    }
    return handles
  }

  /// A block holds records of one kind and one server; of a rename just one, since the handle stands at its head.
  private static func endOfBlock(in records: ContiguousArray<Record>, from start: Int) -> Int {
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
