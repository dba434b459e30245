import CircleModel

/// Sorts any number of user records by lower-cased id with a fixed amount of memory: sorted runs go to an unlinked file and
/// are merged from there. Records of one user stay in the order in which they came.
package final class UserSpool {
  /// Bytes of records that are sorted in memory at a time.
  private let runSize: Int
  private let folder: String
  private var records: [UInt8] = []
  private var keys = ContiguousArray<SortKey>()
  private var isSorted = true
  private var file: SpoolFile?
  private var runs: [Range<Int>] = []
  /// Records that were added.
  package private(set) var count = 0

  init(folder: String, runSize: Int = 16 << 20) {
    self.folder = folder
    self.runSize = runSize
    records.reserveCapacity(runSize + (64 << 10))
  }

  /// Adds one record.
  func add(_ id: UnsafeBufferPointer<UInt8>, _ record: [UInt8]) throws(TableStop) {
    let key = SortKey(id, offset: UInt32(truncatingIfNeeded: records.count))
    if isSorted, let last = keys.last, !last.precedes(key, id, in: records) { isSorted = false }
    keys.append(key)
    records.append(contentsOf: record)
    count += 1
    if records.count >= runSize { try spill() }
  }

  private func spill() throws(TableStop) {
    let file: SpoolFile
    if let made = self.file { file = made } else { file = try SpoolFile(in: folder) }
    self.file = file
    sort()
    let start = file.count
    if isSorted {
      try append(records[...], to: file)
    } else {
      for key in keys {
        let offset = Int(key.offset)
        try append(records[offset..<offset + length(at: offset)], to: file)
      }
    }
    runs.append(start..<file.count)
    records.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    isSorted = true
  }

  private func append(_ bytes: ArraySlice<UInt8>, to file: SpoolFile) throws(TableStop) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(TableStop) in
      _ = try file.append(UnsafeRawBufferPointer(bytes))
    }
  }

  private func length(at offset: Int) -> Int {
    records.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  }

  private func sort() {
    guard !isSorted else { return }
    records.withUnsafeBufferPointer { records in
      keys.sort { $0.precedes($1, in: records) }
    }
  }

  /// All records in order; nothing may be added any more.
  package func sorted() throws(TableStop) -> UserRecordMerge {
    guard file != nil else {
      sort()
      var ordered = records
      if !isSorted {
        ordered.removeAll(keepingCapacity: true)
        for key in keys {
          let offset = Int(key.offset)
          ordered.append(contentsOf: records[offset..<offset + length(at: offset)])
        }
        isSorted = true
        records = ordered
      }
      keys = []
      return UserRecordMerge(cursors: ordered.isEmpty ? [] : [RunCursor(ordered)])
    }
    if !records.isEmpty { try spill() }
    records = []
    guard let file else { return UserRecordMerge(cursors: []) }
    try file.flush()
    var cursors: [RunCursor] = []
    for run in runs {
      let cursor = RunCursor(file, run)
      if try cursor.fill() { cursors.append(cursor) }
    }
    return UserRecordMerge(cursors: cursors)
  }
}

/// The first sixteen bytes of an id in lower case as two numbers, which settles nearly every comparison.
struct SortKey {
  var head: UInt64
  var tail: UInt64
  /// Of the record.
  var offset: UInt32

  init(_ id: UnsafeBufferPointer<UInt8>, offset: UInt32) {
    (head, tail) = FoldedID.words(of: id)
    self.offset = offset
  }

  /// Whether the record of this key stands before, or is of the same user and came before.
  func precedes(_ other: SortKey, in records: UnsafeBufferPointer<UInt8>) -> Bool {
    if head != other.head { return head < other.head }
    if tail != other.tail { return tail < other.tail }
    let order = compareIDs(Self.id(records, Int(offset)), Self.id(records, Int(other.offset)))
    return order == 0 ? offset < other.offset : order < 0
  }

  /// Likewise, where the other record is not written yet.
  func precedes(_ other: SortKey, _ id: UnsafeBufferPointer<UInt8>, in records: [UInt8]) -> Bool {
    if head != other.head { return head < other.head }
    if tail != other.tail { return tail < other.tail }
    return records.withUnsafeBufferPointer { compareIDs(Self.id($0, Int(offset)), id) <= 0 }
  }

  private static func id(_ records: UnsafeBufferPointer<UInt8>, _ offset: Int) -> UnsafeBufferPointer<UInt8> {
    let start = offset + UserRecord.idOffset
    return UnsafeBufferPointer(rebasing: records[start..<start + Int(records[start - 1])])
  }
}

/// Compares two ids by their bytes in lower case: negative, 0 or positive.
func compareIDs(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
  for position in 0..<min(left.count, right.count) {
    let (a, b) = (FoldedID.lowered(left[position]), FoldedID.lowered(right[position]))
    if a != b { return Int(a) - Int(b) }
  }
  return left.count - right.count
}
