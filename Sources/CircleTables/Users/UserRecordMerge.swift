import CircleModel
package import Diagnostics

/// One sorted run of records on its way back into memory.
final class RunCursor {
  private static let piece = 256 << 10

  private let file: SpoolFile?
  /// What of the run was not read yet.
  private var rest: Range<Int>
  private let window: ByteRoom
  private var start = 0
  private(set) var key = IDKey()
  private var length = 0

  init(_ file: SpoolFile, _ run: Range<Int>) {
    self.file = file
    rest = run
    window = ByteRoom(Self.piece + (8 << 10))
  }

  /// A run that is in memory as a whole, and not empty.
  init(_ records: ByteRoom) {
    file = nil
    rest = 0..<0
    window = records
    find()
  }

  /// The record on which the cursor stands, lent until it moves.
  @inline(__always)
  var record: UserRecord { UserRecord(UnsafeRawBufferPointer(rebasing: window.bytes[start..<start &+ length])) }

  /// Goes to the next record; false at the end.
  func advance() throws(TableStop) -> Bool {
    start += length
    return try fill()
  }

  /// Sees that a whole record stands at `start`.
  func fill() throws(TableStop) -> Bool {
    if !isWhole, let file, !rest.isEmpty {
      window.removeFirst(start)
      start = 0
      while !isWhole, !rest.isEmpty {
        try window.append(atMost: min(Self.piece, rest.count)) { (room) throws(TableStop) in
          try file.read(at: rest.lowerBound, into: room)
        }
        rest = min(rest.lowerBound + Self.piece, rest.upperBound)..<rest.upperBound
      }
    }
    guard isWhole else { return false }
    find()
    return true
  }

  private var isWhole: Bool {
    guard window.count - start >= 4 else { return false }
    return window.count - start >= UserRecord.byteCount(of: window.bytes, at: start)
  }

  private func find() {
    length = UserRecord.byteCount(of: window.bytes, at: start)
    key = IDKey(record.id)
  }

  /// Whether this cursor's record comes first; runs in the order in which they were written where the user is the same.
  func precedes(_ other: RunCursor) -> Bool {
    if key != other.key { return key < other.key }
    return compareIDs(record.id, other.record.id) <= 0
  }
}

/// Records from several sorted runs in one order, those of one user merged: the later wins cell by cell.
package final class UserRecordMerge {
  /// In the order of the runs.
  private var cursors: [RunCursor]
  /// Index of the cursor with the first record.
  private var first = 0
  /// Index of the cursor that would be first without that one, or -1.
  private var second = -1
  /// Of the records of both.
  private var (key, rival): (IDKey?, IDKey?)
  /// The record that is lent, and one that it is merged from.
  private var current = UserRecordWriter()
  private var other = UserRecordWriter()
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
    key = cursors.isEmpty ? nil : cursors[first].key
    rival = second < 0 ? nil : cursors[second].key
  }

  /// Goes behind the first record.
  private func advance() throws(TableStop) {
    let cursor = cursors[first]
    if try cursor.advance() {
      key = cursor.key
      guard let rival else { return }
      if cursor.key != rival {
        if cursor.key < rival { return }
      } else if first < second ? cursor.precedes(cursors[second]) : !cursors[second].precedes(cursor) {
        // The order of the runs decides between records of one user.
        return
      }
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
    let user = key
    var record = current.copy(cursors[first].record)
    try advance()
    while key == user, compareIDs(cursors[first].record.id, record.id) == 0 {
      record = try merge(record, with: cursors[first].record, duplicate)
      try advance()
    }
    return body(record)
  }

  /// The earlier record is in the room of the current one, which both rooms take turns in being.
  private func merge(
    _ earlier: UserRecord, with later: UserRecord, _ duplicate: (Place, Place, UnsafeBufferPointer<UInt8>) -> Void
  ) throws(TableStop) -> UserRecord {
    swap(&current, &other)
    let offset = try keep(earlier.row)
    let before = earlier.earlierRows
    let rows = UserRecord.EarlierRows(offset: before?.offset ?? offset, count: (before?.count ?? 0) + 1)
    duplicate(earlier.place, later.place, later.id)
    var texts = [UnsafeBufferPointer<UInt8>?](repeating: nil, count: 16)
    earlier.forEachField { texts[$0] = $1 }
    later.forEachField { texts[$0] = $1 }
    current.begin(later.row, id: earlier.id)
    for (field, text) in texts.enumerated() {
      if let text { current.add(field, text) }
    }
    return current.end(earlier: rows)
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
