package import CircleModel

/// The source of a run that is too long to be decided as a whole: batches of operations on users alone.
package protocol UserBatches: AnyObject {
  /// The ids of the users that the next batch is about, at most `LogBlockWriter.capacity`; no user is in two batches.
  /// - Returns: nil at the end.
  func next() -> UserNames?

  /// Decides the operations of the batch that `next` gave last, registrations in the order of the names.
  ///
  /// Both calls come from one thread at a time, but not always from the same.
  /// - Parameter snapshot: holds these users, with what the state has of them, and nothing else.
  /// - Returns: what was decided, and the snapshot after it.
  func decide(in snapshot: Snapshot) -> (outcome: Outcome, result: Snapshot)

  /// Whether all that was decided may be written; asked once, after the last batch.
  func mayCommit() -> Bool
}

/// The users of one batch as the state has them.
struct LoadedBatch {
  var snapshot = Snapshot()
  /// Of those who are in servers, the list of them as it is stored.
  var joined: [UserIndex: ContiguousArray<UInt64>] = [:]

  /// - Parameter head: of the state before the run.
  init(_ names: UserNames, from rows: any StateRows, head: Head) throws(StateError) {
    var snapshot = Snapshot()
    snapshot.adopt(names)
    snapshot.limits = head.limits
    snapshot.totals = head.totals
    if head.totals.users > 0 {
      for position in 0..<names.count {
        let user = UserIndex(position)
        let number = try names.folded(user).withRaw { (id) throws(StateError) in try rows.number(of: id, in: .users) }
        guard let number else { continue }
        let found: Void? = try rows.withRow(.users, RowKey(number)) { (bytes) throws(StateError) in
          let row = try UserRow(bytes)
          snapshot.names.respell(user, row.spelling)
          snapshot[user].number = number
          snapshot[user].isRegistered = true
          snapshot[user].managed = row.managed
          if !row.joined.isEmpty { joined[user] = row.joined }
          if !row.detail.isEmpty { snapshot.details[user] = try UserDetail(packed: row.detail) }
        }
        guard found != nil else { throw .damaged("user \(number) is named but has no row") }
      }
    }
    self.snapshot = snapshot
  }
}

/// A batch that was decided, as rows that are ready to be put.
struct EncodedBatch {
  var blocks: [(bytes: [UInt8], server: UInt32)] = []
  /// The rows of new and changed users, one after the other, with where each ends.
  var rows: [UInt8] = []
  var users = ContiguousArray<(number: UInt32, end: Int)>()
  /// The ids of new users in lower case, one after the other, with where each ends.
  var ids: [UInt8] = []
  var names = ContiguousArray<(number: UInt32, end: Int)>()

  /// - Parameters:
  ///   - result: after the outcome; new users get their numbers here.
  ///   - head: counts them.
  init(
    _ outcome: Outcome, _ result: Snapshot, on loaded: LoadedBatch, _ log: inout LogEncoder, _ head: inout Head
  ) {
    var result = result
    var isTouched = ContiguousArray<Bool>(repeating: false, count: result.users.count)
    for record in outcome.records {
      if record.kind == .registerUser {
        result[record.user].number = head.nextUser
        head.nextUser += 1
        head.totals.users += 1
        result.names.withSpelling(of: record.user) { FoldedID.append($0, to: &ids) }
        names.append((result[record.user].number, ids.count))
      }
      isTouched[record.user.position] = true
    }
    blocks = log.blocks(of: outcome, result: result)
    var writer = PackedWriter()
    for position in isTouched.indices where isTouched[position] {
      let user = UserIndex(position)
      result.names.withSpelling(of: user) {
        UserRow.write(&writer, spelling: $0, managed: result[user].managed, joined: loaded.joined[user] ?? [])
      }
      result.details[user]?.write(&writer)
      users.append((result[user].number, writer.bytes.count))
    }
    rows = writer.bytes
  }
}
