import CircleState

/// Rows, or names, of one table that wait to be put together: one statement for several takes SQLite little more than half
/// the time.
struct PendingPuts {
  /// How many are put by one statement.
  static let capacity = 16
  /// Bytes from which on a value is not worth a copy.
  static let bigValue = 4096

  /// A name waits under its number, as the first part of the key.
  private(set) var keys = ContiguousArray<RowKey>()
  private var ends = ContiguousArray<Int>()
  private var bytes: [UInt8] = []

  var isEmpty: Bool { keys.isEmpty }
  var isFull: Bool { keys.count == Self.capacity }

  mutating func append(_ key: RowKey, _ value: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: value)
    keys.append(key)
    ends.append(bytes.count)
  }

  mutating func clear() {
    keys.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Lends them all, in the order in which they came.
  func withAll(
    _ body: ([(key: RowKey, value: UnsafeRawBufferPointer)]) throws(StateError) -> Void
  ) throws(StateError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      var start = 0
      var rows: [(key: RowKey, value: UnsafeRawBufferPointer)] = []
      rows.reserveCapacity(keys.count)
      for (key, end) in zip(keys, ends) {
        rows.append((key, UnsafeRawBufferPointer(rebasing: bytes[start..<end])))
        start = end
      }
      try body(rows)
    }
  }
}
