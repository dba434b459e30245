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
  private var spilling: SideThread<(batch: RecordBatch, run: Result<Range<Int>, TableStop>)>?
  /// A batch whose room can be used again.
  private var spare: RecordBatch?
  private var runs: [Range<Int>] = []
  /// Records that were added.
  package private(set) var count = 0

  init(folder: String, runSize: Int = 16 << 20) {
    self.folder = folder
    self.runSize = runSize
    batch = RecordBatch(runSize)
  }

  /// Adds one record.
  func add(_ record: UserRecord) throws(TableStop) {
    batch.add(record)
    count += 1
    if batch.size >= runSize { try spill() }
  }

  private func spill() throws(TableStop) {
    try settle()
    let file: SpoolFile
    if let made = self.file { file = made } else { file = try SpoolFile(in: folder) }
    self.file = file
    var full = spare ?? RecordBatch(runSize)
    spare = nil
    swap(&batch, &full)
    spilling = SideThread.start { [full] in
      (full, Result { () throws(TableStop) in try full.append(to: file) })
    }
  }

  /// Waits until the batch before is in the file.
  private func settle() throws(TableStop) {
    guard let spilling else { return }
    self.spilling = nil
    let (batch, run) = spilling.join()
    batch.clear()
    spare = batch
    runs.append(try run.get())
  }

  /// All records in order, as often as it is called; nothing may be added any more.
  package func sorted() throws(TableStop) -> UserRecordMerge {
    if file == nil {
      return UserRecordMerge(cursors: batch.size == 0 ? [] : [RunCursor(batch.ordered())], folder: folder)
    }
    if batch.size > 0 { try spill() }
    try settle()
    batch = RecordBatch(0)
    spare = nil
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
private final class RecordBatch {
  private let records: ByteRoom
  private var keys = ContiguousArray<SortKey>()
  private var isSorted = true

  init(_ size: Int) {
    records = ByteRoom(size + (64 << 10))
  }

  var size: Int { records.count }

  func clear() {
    records.removeAll()
    keys.removeAll(keepingCapacity: true)
    isSorted = true
  }

  func add(_ record: UserRecord) {
    let key = SortKey(id: IDKey(record.id), offset: UInt32(truncatingIfNeeded: records.count))
    records.reserve(record.bytes.count)
    records.append(record.bytes)
    if isSorted, let last = keys.last, !last.precedes(key, in: records.bytes) { isSorted = false }
    keys.append(key)
  }

  /// Appends the records to the file in their order.
  func append(to file: SpoolFile) throws(TableStop) -> Range<Int> {
    let start = file.count
    if isSorted {
      try file.append(records.bytes)
    } else {
      for key in sortedKeys() { try file.append(record(key).bytes) }
    }
    return start..<file.count
  }

  /// The records in their order.
  func ordered() -> ByteRoom {
    let ordered = ByteRoom(records.count)
    if isSorted {
      ordered.append(records.bytes)
    } else {
      for key in sortedKeys() { ordered.append(record(key).bytes) }
    }
    return ordered
  }

  private func sortedKeys() -> [SortKey] {
    let bytes = records.bytes
    return keys.sorted { $0.precedes($1, in: bytes) }
  }

  private func record(_ key: SortKey) -> UserRecord { UserRecord(packed: records.bytes, at: Int(key.offset)) }
}

/// The first sixteen bytes of an id in lower case as two numbers, which settles nearly every comparison.
struct IDKey: Equatable {
  private var (head, tail): (UInt64, UInt64)

  init() { (head, tail) = (0, 0) }

  init(_ id: UnsafeBufferPointer<UInt8>) { (head, tail) = FoldedID.words(of: id) }

  @inline(__always)
  static func < (left: IDKey, right: IDKey) -> Bool {
    left.head != right.head ? left.head < right.head : left.tail < right.tail
  }
}

/// By what a record is sorted.
private struct SortKey {
  var id: IDKey
  /// Of the record.
  var offset: UInt32

  /// Whether the record of this key stands before, or is of the same user and came before.
  @inline(__always)
  func precedes(_ other: SortKey, in records: UnsafeRawBufferPointer) -> Bool {
    if id != other.id { return id < other.id }
    let order = compareIDs(
      UserRecord(packed: records, at: Int(offset)).id, UserRecord(packed: records, at: Int(other.offset)).id)
    return order == 0 ? offset < other.offset : order < 0
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
