package import CircleModel
package import Digest

/// The one row that says how far a state has come.
package struct Head: Equatable, Sendable {
  /// Moves by one with each run that writes.
  package var revision: Int64 = 0
  /// The last run's number; 0: none yet.
  package var run: UInt32 = 0
  /// The number that the next event gets; the first event of a state is 1.
  package var nextSeq: Int64 = 1
  /// Time of the last run, Unix milliseconds.
  package var time: Int64 = 0
  /// The last run's hash, zero before the first: the head of the chain.
  package var hash = SHA256.Digest.zero
  package var nextUser: UInt32 = 1
  package var nextServer: UInt32 = 1
  package var limits = Limits()
  package var totals = Snapshot.Totals()

  package init() {}

  init(_ row: UnsafeRawBufferPointer) throws(StateError) {
    var reader = PackedReader(try Seal.opened(row))
    revision = try reader.serial()
    run = try reader.small()
    nextSeq = try reader.serial()
    time = try reader.signed()
    hash = try reader.digest()
    nextUser = try reader.small()
    nextServer = try reader.small()
    limits.created = Int(try reader.small())
    limits.joined = Int(try reader.small())
    totals.users = Int(try reader.small())
    totals.servers = Int(try reader.small())
    totals.memberships = Int(try reader.small())
    guard reader.isAtEnd, max(run, nextUser, nextServer) <= RowKey.last.a else { throw PackedReader.damaged }
  }

  var row: [UInt8] {
    var writer = PackedWriter()
    writer.signed(revision)
    writer.number(run)
    writer.signed(nextSeq)
    writer.signed(time)
    writer.raw(hash.bytes)
    writer.number(nextUser)
    writer.number(nextServer)
    for count in [limits.created, limits.joined, totals.users, totals.servers, totals.memberships] {
      writer.count(count)
    }
    return Seal.sealed(writer.bytes)
  }
}
