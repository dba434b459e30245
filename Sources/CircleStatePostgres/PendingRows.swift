import CircleState

/// Rows of one table that a transaction has written and not sent yet, sorted by key, each key once.
struct PendingRows {
  struct Entry {
    var key: RowKey
    var start: Int
    /// Bytes; -1: the row is removed.
    var count: Int
    var isRemoval: Bool { count < 0 }
  }

  private(set) var entries: [Entry] = []
  private var bytes: [UInt8] = []

  /// So many are sent together.
  private static let mostBytes = 4 << 20
  private static let mostEntries = 16_384

  var isFull: Bool { bytes.count >= Self.mostBytes || entries.count >= Self.mostEntries }
  var isEmpty: Bool { entries.isEmpty }
  var byteCount: Int { bytes.count }

  mutating func put(_ key: RowKey, _ value: UnsafeRawBufferPointer) {
    set(Entry(key: key, start: bytes.count, count: value.count))
    bytes.append(contentsOf: value)
  }

  mutating func remove(_ key: RowKey) {
    set(Entry(key: key, start: 0, count: -1))
  }

  private mutating func set(_ entry: Entry) {
    guard let last = entries.last, last.key >= entry.key else { return entries.append(entry) }
    let position = position(of: entry.key)
    if entries[position].key == entry.key {
      entries[position] = entry
    } else {
      entries.insert(entry, at: position)
    }
  }

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Where the first entry stands whose key is not below `key`.
  func position(of key: RowKey) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func entry(_ key: RowKey) -> Entry? {
    let position = position(of: key)
    return position < entries.count && entries[position].key == key ? entries[position] : nil
  }

  /// The last entry of a range.
  func last(from: RowKey, through: RowKey) -> Entry? {
    var position = position(of: through)
    if position == entries.count || entries[position].key > through { position -= 1 }
    return position >= 0 && entries[position].key >= from ? entries[position] : nil
  }

  func value(_ entry: Entry) -> ArraySlice<UInt8> {
    bytes[entry.start..<entry.start + max(entry.count, 0)]
  }
}
