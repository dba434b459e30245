/// A state that lives as long as the process: for tests, for planning on a scratch state, and for programs that keep none.
///
/// Instances made with `init(sharing:)` see one state, as several connections to one database do, all from one thread.
package final class MemoryRows: StateRows {
  /// A name compared by its bytes.
  private struct Name: Comparable {
    var bytes: [UInt8]

    static func < (left: Name, right: Name) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
  }

  /// All of a state, as a value: a transaction works on a copy.
  private struct Content {
    var tables = [SortedRows<RowKey, [UInt8]>](repeating: .init(), count: StateTable.allCases.count)
    var names = [SortedRows<Name, UInt32>](repeating: .init(), count: NameTable.allCases.count)
    var lock: StateLock?
  }

  private final class Committed {
    var content = Content()
    weak var writer: MemoryRows?
  }

  private enum Phase {
    case idle
    case reading
    case writing
  }

  package var isNew: Bool { false }
  package var format: Int { StateFormat.newest }

  private let committed: Committed
  private var phase = Phase.idle
  /// What the transaction sees and has written.
  private var working = Content()

  package init() {
    committed = Committed()
  }

  /// Another connection to the state of `other`.
  package init(sharing other: MemoryRows) {
    committed = other.committed
  }

  private var content: Content { phase == .idle ? committed.content : working }

  package func scan(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> Bool
  ) throws(StateError) {
    let rows = content.tables[Int(table.rawValue)]
    var position = rows.position(of: from)
    while let row = rows.row(at: position), row.key <= through {
      let goesOn = try row.value.withUnsafeBufferPointer { (bytes) throws(StateError) in
        try body(row.key, UnsafeRawBufferPointer(bytes))
      }
      guard goesOn else { return }
      position = rows.position(after: position)
    }
  }

  package func withRow<R>(
    _ table: StateTable, _ key: RowKey, _ body: (UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R? {
    guard let value = content.tables[Int(table.rawValue)][key] else { return nil }
    return try value.withUnsafeBufferPointer { (bytes) throws(StateError) in
      try body(UnsafeRawBufferPointer(bytes))
    }
  }

  package func withLast<R>(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R? {
    guard let row = content.tables[Int(table.rawValue)].last(through: through), row.key >= from else { return nil }
    return try row.value.withUnsafeBufferPointer { (bytes) throws(StateError) in
      try body(row.key, UnsafeRawBufferPointer(bytes))
    }
  }

  package func number(of name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError) -> UInt32? {
    content.names[Int(table.rawValue)][Name(bytes: [UInt8](name))]
  }

  package func scanNames(
    _ table: NameTable, prefix: [UInt8],
    _ body: (UnsafeRawBufferPointer, UInt32) throws(StateError) -> Bool
  ) throws(StateError) {
    let names = content.names[Int(table.rawValue)]
    var position = names.position(of: Name(bytes: prefix))
    while let row = names.row(at: position), row.key.bytes.starts(with: prefix) {
      let goesOn = try row.key.bytes.withUnsafeBufferPointer { (bytes) throws(StateError) in
        try body(UnsafeRawBufferPointer(bytes), row.value)
      }
      guard goesOn else { return }
      position = names.position(after: position)
    }
  }

  /// Never waits: the other writer is on the same thread, so waiting for it would not end.
  package func begin(writing: Bool, timeout: Int) throws(StateError) {
    precondition(phase == .idle, "a transaction within a transaction")
    if writing {
      guard committed.writer == nil else { throw .busy }
      committed.writer = self
    }
    phase = writing ? .writing : .reading
    working = committed.content
  }

  package func commit() throws(StateError) {
    precondition(phase != .idle, "a commit without a transaction")
    if phase == .writing { committed.content = working }
    rollback()
  }

  package func rollback() {
    if phase == .writing { committed.writer = nil }
    phase = .idle
    working = Content()
  }

  package func put(_ table: StateTable, _ key: RowKey, _ value: UnsafeRawBufferPointer) throws(StateError) {
    try table.check(key)
    change { $0.tables[Int(table.rawValue)].put(key, [UInt8](value)) }
  }

  package func remove(_ table: StateTable, _ key: RowKey) throws(StateError) {
    change { $0.tables[Int(table.rawValue)].remove(key) }
  }

  package func putName(
    _ name: UnsafeRawBufferPointer, _ number: UInt32, in table: NameTable
  ) throws(StateError) {
    change { $0.names[Int(table.rawValue)].put(Name(bytes: [UInt8](name)), number) }
  }

  package func removeName(_ name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError) {
    change { $0.names[Int(table.rawValue)].remove(Name(bytes: [UInt8](name))) }
  }

  package func lock() throws(StateError) -> StateLock? {
    content.lock
  }

  package func setLock(_ lock: StateLock?) throws(StateError) {
    change { $0.lock = lock }
  }

  package func checkStore() throws(StateError) -> [String] { [] }

  package func removeIfUnused() {}

  private func change(_ body: (inout Content) -> Void) {
    precondition(phase == .writing, "a write outside a writing transaction")
    body(&working)
  }
}
