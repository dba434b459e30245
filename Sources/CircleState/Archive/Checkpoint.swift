package import Digest

/// Where the log of a state was cut: the runs up to there have gone into archives, and what they made is kept as the
/// state that the log goes on from.
///
/// Of the runs that were cut their entries stay, with their hashes, and of their log what last changed each thing that
/// is still there.
package struct Checkpoint: Equatable, Sendable {
  /// The last run that was cut.
  package var run: UInt32
  /// That run's hash.
  package var hash: SHA256.Digest
  /// That run's time, Unix milliseconds.
  package var time: Int64
  /// The number of the first event that the log still has, or will have.
  package var nextSeq: Int64
  /// The first run that went into the latest archive; those before are in earlier ones.
  package var firstRun: UInt32
  /// The number of the first event that went into the latest archive.
  package var firstSeq: Int64
  /// When the log was cut, Unix milliseconds.
  package var cutAt: Int64
  /// How many rows hold the state.
  var parts: UInt32 = 0
  /// SHA-256 over all of the above and what is kept of the runs that were cut.
  package var digest = SHA256.Digest.zero

  /// The number of the last event that was cut.
  package var lastSeq: Int64 { nextSeq - 1 }

  /// What the digest covers first.
  var canonical: [UInt8] {
    var writer = PackedWriter()
    writer.byte(1)
    writer.number(run)
    writer.raw(hash.bytes)
    writer.signed(time)
    writer.signed(nextSeq)
    writer.number(firstRun)
    writer.signed(firstSeq)
    writer.signed(cutAt)
    writer.number(parts)
    return writer.bytes
  }

  var row: [UInt8] { Seal.sealed(canonical + digest.bytes) }

  init(run: Run, firstRun: UInt32, firstSeq: Int64, cutAt: Int64) {
    self.run = run.number
    hash = run.hash
    time = run.time
    nextSeq = run.firstSeq + Int64(run.eventCount)
    self.firstRun = firstRun
    self.firstSeq = firstSeq
    self.cutAt = cutAt
  }

  init(_ row: UnsafeRawBufferPointer) throws(StateError) {
    var reader = PackedReader(try Seal.opened(row))
    guard try reader.byte() == 1 else { throw PackedReader.damaged }
    run = try reader.small()
    hash = try reader.digest()
    time = try reader.signed()
    nextSeq = try reader.serial()
    firstRun = try reader.small()
    firstSeq = try reader.serial()
    cutAt = try reader.signed()
    parts = try reader.small()
    digest = try reader.digest()
    guard reader.isAtEnd, run > 0, run < RowKey.last.a, parts < RowKey.last.a, nextSeq > 0 else {
      throw PackedReader.damaged
    }
  }
}

extension Checkpoint {
  /// Nil for a log that was never cut. The caller is in a transaction, or content with whatever is there.
  package static func read(_ rows: any StateRows) throws(StateError) -> Checkpoint? {
    do throws(StateError) {
      return try rows.withRow(.checkpoint, .first) { (row) throws(StateError) in try Checkpoint(row) }
    } catch .damaged(let what) {
      throw .damaged("the checkpoint: \(what)")
    }
  }

  /// The digest that the checkpoint ought to have, from what is stored beside it: the state, the entries of the runs that
  /// were cut, and what is left of their log.
  func digest(in rows: any StateRows) throws(StateError) -> SHA256.Digest {
    var hash = SHA256()
    hash.update(canonical)
    var count: UInt32 = 0
    try rows.scan(.checkpoint, from: RowKey(1), through: .last) { (key, bytes) throws(StateError) in
      count += 1
      guard key.a == count else { throw .damaged("part \(count) of the checkpoint is missing") }
      hash.update(bytes.count)
      hash.update(bytes)
      return true
    }
    guard count == parts else { throw .damaged("the checkpoint has \(count) parts and not \(parts)") }
    try rows.scan(.runs, from: RowKey(1), through: RowKey(run)) { (key, row) throws(StateError) in
      let run = try Run(row, number: key.a)
      hash.update(run.hash.bytes)
      let entry = run.canonicalHead + run.canonicalTail
      hash.update(entry.count)
      hash.update(entry)
      return true
    }
    try rows.scan(.log, from: RowKey(1), through: RowKey(run, RowKey.last.b)) { (key, bytes) throws(StateError) in
      for number in [Int(key.a), Int(key.b), bytes.count] { hash.update(number) }
      hash.update(bytes)
      return true
    }
    return hash.finish()
  }
}

extension StateStore {
  /// Where the log was cut; nil when it never was.
  package func checkpoint() throws(StateError) -> Checkpoint? {
    try retrying { () throws(StateError) in
      try reading { () throws(StateError) in try Checkpoint.read(rows) }
    }
  }
}
