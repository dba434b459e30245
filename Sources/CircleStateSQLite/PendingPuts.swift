import CircleState

/// Rows, or names, of one table that wait to be put together: one statement for several takes SQLite little more than half
/// the time.
struct PendingPuts {
  /// How many are put by one statement.
  static let capacity = 16
  /// Bytes from which on a value is not worth a copy.
  static let bigValue = 4096

  /// A name waits under its number, as the first part of the key.
  private var keys = ContiguousArray<RowKey>()
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

  /// Hands all over, in the order in which they came, and forgets them.
  ///
  /// - Parameter put: takes them as a whole where there are `capacity` of them, else one by one.
  mutating func settle(
    _ put: ([(key: RowKey, value: UnsafeRawBufferPointer)], _ areSeveral: Bool) throws(StateError) -> Void
  ) throws(StateError) {
    defer { clear() }
    try bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in
      let bytes = UnsafeRawBufferPointer(bytes)
      var start = 0
      var rows: [(key: RowKey, value: UnsafeRawBufferPointer)] = []
      rows.reserveCapacity(keys.count)
      for (key, end) in zip(keys, ends) {
        rows.append((key, UnsafeRawBufferPointer(rebasing: bytes[start..<end])))
        start = end
      }
      if isFull { return try put(rows, true) }
      for row in rows { try put([row], false) }
    }
  }
}
