import CircleModel
import SideThread

/// Sorts any number of user records by lower-cased id with a fixed amount of memory: sorted runs go to an unlinked file and
/// are merged from there. Records of one user stay in the order in which they came.
package final class UserSpool {
  /// Bytes of records that are sorted in memory at a time.
  private let runSize: Int
  private let folder: String
  private var batch: RecordBatch
  private var file: SpoolFile?
  /// The batch before, on its way into the file beside what is added now.
  private var spilling: SideThread<Result<Range<Int>, TableStop>>?
  private var runs: [Range<Int>] = []
  /// Records that were added.
  package private(set) var count = 0

  init(folder: String, runSize: Int = 16 << 20) {
    self.folder = folder
    self.runSize = runSize
    batch = RecordBatch(runSize)
  }

  /// Adds one record.
  ///
  /// - Parameter write: appends the record to the bytes; answers whether it is to be kept.
  func add(_ id: UnsafeBufferPointer<UInt8>, _ write: (inout [UInt8]) -> Bool) throws(TableStop) {
    guard batch.add(id, write) else { return }
    count += 1
    if batch.size >= runSize { try spill() }
  }

  private func spill() throws(TableStop) {
    try settle()
    let file: SpoolFile
    if let made = self.file { file = made } else { file = try SpoolFile(in: folder) }
    self.file = file
    var full = RecordBatch(runSize)
    swap(&batch, &full)
    spilling = SideThread.start { [full] in
      Result { () throws(TableStop) in try full.append(to: file) }
    }
  }

  /// Waits until the batch before is in the file.
  private func settle() throws(TableStop) {
    guard let spilling else { return }
    self.spilling = nil
    runs.append(try spilling.join().get())
  }

  /// All records in order, as often as it is called; nothing may be added any more.
  package func sorted() throws(TableStop) -> UserRecordMerge {
    if file == nil {
      let ordered = batch.ordered()
      return UserRecordMerge(cursors: ordered.isEmpty ? [] : [RunCursor(ordered)], folder: folder)
    }
    if batch.size > 0 { try spill() }
    try settle()
    batch = RecordBatch(0)
    guard let file else { return UserRecordMerge(cursors: [], folder: folder) }
    try file.flush()
    var cursors: [RunCursor] = []
    for run in runs {
      let cursor = RunCursor(file, run)
      if try cursor.fill() { cursors.append(cursor) }
    }
    return UserRecordMerge(cursors: cursors, folder: folder)
  }
}

/// Records that are sorted in memory.
private struct RecordBatch {
  private var records: [UInt8] = []
  private var keys = ContiguousArray<SortKey>()
  private var isSorted = true

  init(_ size: Int) {
    if size > 0 { records.reserveCapacity(size + (64 << 10)) }
  }

  var size: Int { records.count }

  /// - Returns: whether the record is kept.
  mutating func add(_ id: UnsafeBufferPointer<UInt8>, _ write: (inout [UInt8]) -> Bool) -> Bool {
    let start = records.count
    guard write(&records) else {
      records.removeSubrange(start...)
      return false
    }
    let key = SortKey(id, offset: UInt32(truncatingIfNeeded: start))
    if isSorted, let last = keys.last, !last.precedes(key, in: records) { isSorted = false }
    keys.append(key)
    return true
  }

  /// Appends the records to the file in their order.
  func append(to file: SpoolFile) throws(TableStop) -> Range<Int> {
    let start = file.count
    if isSorted {
      try Self.append(records[...], to: file)
    } else {
      for key in sortedKeys() { try Self.append(record(key), to: file) }
    }
    return start..<file.count
  }

  /// The records in their order.
  func ordered() -> [UInt8] {
    guard !isSorted else { return records }
    var ordered: [UInt8] = []
    ordered.reserveCapacity(records.count)
    for key in sortedKeys() { ordered.append(contentsOf: record(key)) }
    return ordered
  }

  private func sortedKeys() -> [SortKey] {
    records.withUnsafeBufferPointer { records in keys.sorted { $0.precedes($1, in: records) } }
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to file: SpoolFile) throws(TableStop) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(TableStop) in
      _ = try file.append(UnsafeRawBufferPointer(bytes))
    }
  }

  private func record(_ key: SortKey) -> ArraySlice<UInt8> {
    let offset = Int(key.offset)
    let length = records.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    return records[offset..<offset + length]
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

  func precedes(_ other: SortKey, in records: [UInt8]) -> Bool {
    records.withUnsafeBufferPointer { precedes(other, in: $0) }
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
