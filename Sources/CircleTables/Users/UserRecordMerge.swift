import CircleModel
package import Diagnostics

/// One sorted run of records on its way back into memory.
final class RunCursor {
  private static let piece = 256 << 10

  private let file: SpoolFile?
  /// What of the run was not read yet.
  private var rest: Range<Int>
  private var window: [UInt8]
  private var start = 0
  private(set) var head: UInt64 = 0
  private(set) var tail: UInt64 = 0
  private var length = 0

  init(_ file: SpoolFile, _ run: Range<Int>) {
    self.file = file
    rest = run
    window = []
    window.reserveCapacity(Self.piece + (8 << 10))
  }

  /// A run that is in memory as a whole, and not empty.
  init(_ records: [UInt8]) {
    file = nil
    rest = 0..<0
    window = records
    find()
  }

  /// Lends the record on which the cursor stands.
  func withRecord<R>(_ body: (UserRecord) -> R) -> R {
    window.withUnsafeBytes { body(UserRecord(UnsafeRawBufferPointer(rebasing: $0[start..<start + length]))) }
  }

  /// Goes to the next record; false at the end.
  func advance() throws(TableStop) -> Bool {
    start += length
    return try fill()
  }

  /// Sees that a whole record stands at `start`.
  func fill() throws(TableStop) -> Bool {
    if let file, !isWhole, !rest.isEmpty {
      window.removeFirst(start)
      start = 0
      while !isWhole, !rest.isEmpty {
        let count = min(Self.piece, rest.count)
        try file.read(at: rest.lowerBound, count: count, into: &window)
        rest = rest.lowerBound + count..<rest.upperBound
      }
    }
    guard isWhole else { return false }
    find()
    return true
  }

  private var isWhole: Bool {
    guard window.count - start >= 4 else { return false }
    let length = window.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt32.self) }
    return window.count - start >= Int(length)
  }

  private func find() {
    length = window.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: start, as: UInt32.self)) }
    (head, tail) = withRecord { FoldedID.words(of: $0.id) }
  }

  /// Whether this cursor's record comes first; runs in the order in which they were written where the user is the same.
  func precedes(_ other: RunCursor) -> Bool {
    if head != other.head { return head < other.head }
    if tail != other.tail { return tail < other.tail }
    return withRecord { mine in other.withRecord { compareIDs(mine.id, $0.id) } } <= 0
  }

  func isOfSameUser(_ other: UnsafeBufferPointer<UInt8>) -> Bool { withRecord { compareIDs($0.id, other) == 0 } }
}

/// Records from several sorted runs in one order, those of one user merged: the later wins cell by cell.
package final class UserRecordMerge {
  /// In the order of the runs.
  private var cursors: [RunCursor]
  /// Index of the cursor with the first record.
  private var first = 0
  /// Index of the cursor that would be first without that one, or -1.
  private var second = -1
  private var merged: [UInt8] = []
  private var other: [UInt8] = []
  private let folder: String
  /// The rows that later ones of the same user were merged into; those of one user stand together.
  private var earlier: SpoolFile?

  /// - Parameter folder: where unlinked files are made.
  init(cursors: [RunCursor], folder: String) {
    self.cursors = cursors
    self.folder = folder
    choose()
  }

  private func choose() {
    first = 0
    second = -1
    for index in cursors.indices.dropFirst() {
      if cursors[index].precedes(cursors[first]), !cursors[first].precedes(cursors[index]) {
        second = first
        first = index
      } else if second < 0 || !cursors[second].precedes(cursors[index]) {
        second = index
      }
    }
  }

  /// Goes behind the first record.
  private func advance() throws(TableStop) {
    if try cursors[first].advance() {
      if second < 0 { return }
      let (a, b) = (cursors[first], cursors[second])
      // The order of the runs decides between records of one user.
      if first < second ? a.precedes(b) : !b.precedes(a) { return }
    } else {
      cursors.remove(at: first)
    }
    choose()
  }

  /// Lends the next user's record.
  ///
  /// - Parameter duplicate: hears of each row that is about the same user as an earlier one: the earlier and its own place.
  /// - Returns: nil at the end.
  package func next<R>(
    duplicate: (Place, Place, UnsafeBufferPointer<UInt8>) -> Void, _ body: (UserRecord) -> R
  ) throws(TableStop) -> R? {
    guard !cursors.isEmpty else { return nil }
    let cursor = cursors[first]
    cursor.withRecord { record in
      merged.removeAll(keepingCapacity: true)
      merged.append(contentsOf: record.bytes)
    }
    try advance()
    while !cursors.isEmpty, merged.withUnsafeBytes({ cursors[first].isOfSameUser(UserRecord($0).id) }) {
      try merge(with: cursors[first], duplicate)
      try advance()
    }
    return merged.withUnsafeBytes { body(UserRecord($0)) }
  }

  private func merge(
    with cursor: RunCursor, _ duplicate: (Place, Place, UnsafeBufferPointer<UInt8>) -> Void
  ) throws(TableStop) {
    swap(&merged, &other)
    merged.removeAll(keepingCapacity: true)
    let (row, before) = other.withUnsafeBytes { (UserRecord($0).row, UserRecord($0).earlierRows) }
    let offset = try keep(row)
    let rows = UserRecord.EarlierRows(offset: before?.offset ?? offset, count: (before?.count ?? 0) + 1)
    cursor.withRecord { later in
      other.withUnsafeBytes { bytes in
        let earlier = UserRecord(bytes)
        duplicate(earlier.place, later.place, later.id)
        var writer = UserRecordWriter()
        writer.begin(&merged, later.row, id: earlier.id)
        var texts = [UnsafeBufferPointer<UInt8>?](repeating: nil, count: 16)
        earlier.forEachField { texts[$0] = $1 }
        later.forEachField { texts[$0] = $1 }
        for (field, text) in texts.enumerated() {
          if let text { writer.add(field, text, to: &merged) }
        }
        writer.end(&merged, earlier: rows)
      }
    }
  }

  private func keep(_ row: UserRecord.Row) throws(TableStop) -> Int {
    let file: SpoolFile
    if let earlier { file = earlier } else { file = try SpoolFile(in: folder) }
    earlier = file
    var words = row.words
    return try withUnsafeBytes(of: &words) { (bytes) throws(TableStop) in try file.append(bytes) }
  }

  /// All rows about a user whom `next` has lent, in their order.
  package func forEachRow(
    of record: UserRecord, _ body: (UserRecord.Row) throws(TableStop) -> Void
  ) throws(TableStop) {
    if let rows = record.earlierRows, let earlier {
      try earlier.flush()
      let end = rows.offset + rows.count * UserRecord.Row.size
      var offset = rows.offset
      var piece: [UInt8] = []
      while offset < end {
        piece.removeAll(keepingCapacity: true)
        try earlier.read(at: offset, count: min(Self.piece, end - offset), into: &piece)
        guard !piece.isEmpty else { break }
        for position in stride(from: 0, through: piece.count - UserRecord.Row.size, by: UserRecord.Row.size) {
          try body(piece.withUnsafeBytes { UserRecord.Row($0, at: position) })
        }
        offset += piece.count
      }
    }
    try body(record.row)
  }

  /// Bytes of earlier rows that are read at a time.
  private static let piece = 4096 * UserRecord.Row.size
}
