import Digest
package import JSONText

/// The form of an archive: NDJSON, a line for the whole, then each run with its blocks, then a line that ends it.
///
///     {"circlectlArchive":1,"format":2,"run":1,"through":120,"firstSeq":1,"events":3456,"previous":"…","head":"…"}
///     {"table":"runs","key":[1],"value":"…","check":"5f0a9c11"}
///     {"table":"log","key":[1,0],"value":"…","check":"…"}
///     {"end":true,"lines":1204,"digest":"…"}
///
/// Lines are those of a dump. The hash of each run can be computed anew from them, so that an archive proves what it
/// holds to whoever knows the head of the log at that time, or a later one.
enum ArchiveForm {
  static let version = 1
}

/// The runs that go into an archive, as the state still has them.
package struct LogArchiveSource {
  let rows: any StateRows
  package let extent: CutExtent

  /// Writes the archive. To be called within the transaction that gave it.
  ///
  /// - Parameter drain: takes what has been written so far out of the buffer, now and then and at the end.
  package func write(_ drain: (inout ByteBuffer) throws(StateError) -> Void) throws(StateError) {
    var writer = JSONWriter()
    writer.object {
      $0.field("circlectlArchive", ArchiveForm.version)
      $0.field("format", StateFormat.newest)
      $0.field("run", Int(extent.runs.lowerBound))
      $0.field("through", Int(extent.runs.upperBound))
      $0.field("firstSeq", Int(extent.firstSeq))
      $0.field("events", extent.eventCount)
      $0.field("previous", extent.previous.hex)
      $0.field("head", extent.hash.hex)
    }
    writer.endLine()
    var content = StateContent()
    try rows.scan(.runs, from: RowKey(extent.runs.lowerBound), through: RowKey(extent.runs.upperBound)) {
      (key, row) throws(StateError) in
      try writer.line(.row(.runs, key, row), &content)
      try rows.scan(.log, of: key.a) { (key, bytes) throws(StateError) in
        try writer.line(.row(.log, key, bytes), &content)
        if writer.buffer.count >= ByteBuffer.piece { try drain(&writer.buffer) }
        return true
      }
      return true
    }
    writer.endLines(of: content)
    try drain(&writer.buffer)
  }
}

/// One archive or several that follow each other, read back: the runs with their log, as a state that has nothing else.
package struct LogArchive {
  /// For `EventLog`.
  package let store: StateStore
  /// What each archive holds, in the order of reading.
  package private(set) var extents: [CutExtent] = []
  private var hashes: [UInt32: SHA256.Digest] = [:]
  private let memory = MemoryRows()

  package init() {
    store = StateStore(memory)
  }

  /// Reads one more archive. What its lines hold is checked against their checks, and the hash of each run computed anew.
  ///
  /// - Parameter read: gives the next bytes; none at the end.
  /// - Returns: what it holds.
  package mutating func add(_ read: () throws(StateError) -> [UInt8]) throws(RestoreError) -> CutExtent {
    var lines = ItemLines("archive", of: "log", version: ArchiveForm.version)
    var expected: [String] = []
    var runs: [Run] = []
    let memory = memory
    do throws(StateError) { try memory.begin(writing: true, timeout: 0) } catch { throw .state(error) }
    defer { memory.rollback() }
    try lines.read(read) { (first, _) throws(RestoreError) in
      expected = Self.keys.map { key in
        first[key].map { $0.string ?? $0.integer.map { String($0) } ?? "" } ?? ""
      }
    } put: { (item, lines) throws(RestoreError) in
      do throws(StateError) {
        switch item {
        case .row(.runs, let key, let row):
          let run = try Run(row, number: key.a)
          guard key.a == run.number, runs.last.map({ $0.number + 1 == run.number }) ?? true else {
            throw PackedReader.damaged
          }
          runs.append(run)
        case .row(.log, let key, _) where key.a == runs.last?.number: break
        default: throw PackedReader.damaged
        }
        try memory.put(item)
      } catch {
        throw lines.fault("it is no run, or no part of the run before it")
      }
    }
    let extent = try Self.check(runs, in: memory, expected, lines)
    do throws(StateError) {
      // The log of this state goes as far as the last archive does.
      var head = try Head.read(memory)
      head.run = max(head.run, extent.runs.upperBound)
      head.revision = Int64(head.run)
      head.nextSeq = max(head.nextSeq, extent.firstSeq + Int64(extent.eventCount))
      try memory.put(.head, .first, bytes: head.row)
      try memory.commit()
    } catch {
      throw .state(error)
    }
    for run in runs { hashes[run.number] = run.hash }
    extents.append(extent)
    return extent
  }

  private static let keys = ["run", "through", "firstSeq", "events", "previous", "head"]

  /// Computes the chain anew and compares it with what the first line says.
  private static func check(
    _ runs: [Run], in memory: MemoryRows, _ expected: [String], _ lines: ItemLines
  ) throws(RestoreError) -> CutExtent {
    guard let first = runs.first, let last = runs.last else { throw lines.fault("the archive holds no run") }
    var chain = RunChain(at: first)
    do throws(StateError) {
      for run in runs { chain.add(run, number: run.number, hash: try memory.hash(of: run)) }
    } catch .damaged(let sentence) {
      throw lines.fault(sentence)
    } catch {
      throw .state(error)
    }
    if let fault = chain.faults.first { throw lines.fault(fault) }
    let extent: CutExtent
    do throws(StateError) {
      extent = try CutExtent(first: first, last: last, eventCount: runs.reduce(0) { $0 + $1.eventCount })
    } catch {
      throw .state(error)
    }
    let found = [
      String(extent.runs.lowerBound), String(extent.runs.upperBound), String(extent.firstSeq),
      String(extent.eventCount), extent.previous.hex, extent.hash.hex,
    ]
    guard found == expected else { throw lines.fault("the first line tells of other runs than these") }
    return extent
  }

  // MARK: What the archives are to a state

  /// Whether the archives, taken together, hold all runs from the first of the log to the last of theirs: only then can it be
  /// told who received an event.
  package var isFromBeginning: Bool {
    var next: UInt32 = 1
    for extent in extents.sorted(by: { $0.runs.lowerBound < $1.runs.lowerBound }) {
      guard extent.runs.lowerBound <= next else { return false }
      next = max(next, extent.runs.upperBound + 1)
    }
    return !extents.isEmpty
  }

  /// Whether the archives hold the run.
  package func contains(_ run: UInt32) -> Bool { hashes[run] != nil }

  /// The first run of the archives that is not one of the state's history.
  package func firstForeignRun(in store: StateStore) throws(StateError) -> UInt32? {
    try store.reading { () throws(StateError) in
      for (number, hash) in hashes.sorted(by: { $0.key < $1.key }) {
        let run = try store.rows.withRow(.runs, RowKey(number)) { (row) throws(StateError) in
          try Run(row, number: number)
        }
        if run?.hash != hash { return number }
      }
      return nil
    }
  }
}
