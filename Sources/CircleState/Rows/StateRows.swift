/// The tables of a state. Keys are one to three numbers, values are bytes that only `CircleState` understands.
package enum StateTable: UInt8, CaseIterable, Sendable {
  /// One row, key 0: revision, counters, limits, head of the log.
  case head
  /// Key: the user's number.
  case users
  /// Key: the server's number.
  case servers
  /// Chunks of memberships. Key: server, first user of the chunk.
  case members
  /// Pending invitations. Key: server, invitee, inviter.
  case invitations
  /// What is remembered of users who are not members. Key: server, user.
  case marks
  /// History, one row a run. Key: run.
  case runs
  /// Blocks of the log. Key: run, part.
  case log
  /// Which blocks concern a server; the values are empty. Key: server, run, part.
  case logByServer
  /// What the state was where its log was cut, since format 2. Key: 0 for what is cut, then the parts of the state.
  case checkpoint

  /// The format of states that first had the table; those of an older one are read as if it were empty.
  package var firstFormat: Int { self == .checkpoint ? 2 : 1 }

  /// The tables of a state of this format.
  package static func all(since format: Int) -> [StateTable] { allCases.filter { $0.firstFormat == format } }

  /// How many parts of a `RowKey` the table uses; the others are 0.
  package var arity: Int {
    switch self {
    case .head, .users, .servers, .runs, .checkpoint: 1
    case .members, .marks, .log: 2
    case .invitations, .logByServer: 3
    }
  }
}

/// The key of a row, ordered by `a`, `b`, `c`. Each part is below 2^31, so that two fit a signed 64-bit integer.
package struct RowKey: Hashable, Comparable, Sendable {
  package var a: UInt32
  package var b: UInt32
  package var c: UInt32

  package init(_ a: UInt32, _ b: UInt32 = 0, _ c: UInt32 = 0) {
    self.a = a
    self.b = b
    self.c = c
  }

  package static let first = RowKey(0, 0, 0)
  package static let last = RowKey(0x7FFF_FFFF, 0x7FFF_FFFF, 0x7FFF_FFFF)

  package static func < (left: RowKey, right: RowKey) -> Bool {
    (left.a, left.b, left.c) < (right.a, right.b, right.c)
  }
}

/// The directories of names: bytes that lead to a number, each once in its directory.
package enum NameTable: UInt8, CaseIterable, Sendable {
  /// The user id in lower case.
  case users
  case handles
  case serverIDs
}

/// Who holds the lock of a state.
package struct StateLock: Equatable, Sendable {
  package var host: String
  package var process: Int32
  /// Tells a process from a later one with the same number: its start time as the system counts it.
  package var processStart: UInt64
  /// Unix milliseconds, UTC.
  package var since: Int64

  package init(host: String, process: Int32, processStart: UInt64, since: Int64) {
    self.host = host
    self.process = process
    self.processStart = processStart
    self.since = since
  }
}

/// One store of states: rows under small keys, transactions, a lock row. All that a state means is above it.
///
/// Calls are synchronous and from one thread at a time. Reads outside a transaction see what is committed.
package protocol StateRows: AnyObject {
  /// Whether this opening made the state.
  var isNew: Bool { get }
  /// The format of what is stored; an older one than the newest only where it was opened for reading. What is read has the newest form.
  var format: Int { get }
  /// What this opening did to a state of an older format; nil where there was nothing to do.
  var upgrade: StateUpgrade? { get }

  /// Calls `body` for each row with `from` ≤ key ≤ `through`, in key order, until it answers false. The bytes are valid
  /// during the call only; `body` may read other rows.
  func scan(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> Bool
  ) throws(StateError)

  /// Calls `body` with the row's bytes; nil when there is none.
  func withRow<R>(
    _ table: StateTable, _ key: RowKey, _ body: (UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R?

  /// Calls `body` with the last row with `from` ≤ key ≤ `through`; nil when there is none.
  func withLast<R>(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R?

  /// The number that the name leads to.
  func number(of name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError) -> UInt32?

  /// Calls `body` for each name of the table that begins with `prefix`, in byte order, until it answers false.
  func scanNames(
    _ table: NameTable, prefix: [UInt8],
    _ body: (UnsafeRawBufferPointer, UInt32) throws(StateError) -> Bool
  ) throws(StateError)

  /// Begins a transaction that sees one consistent state; a writing one keeps other writers out.
  /// - Throws: `.busy` when another process writes and does not end within `timeout` milliseconds.
  func begin(writing: Bool, timeout: Int) throws(StateError)
  /// Makes all writes since `begin` lasting, at once. After an error nothing is written.
  func commit() throws(StateError)
  /// Undoes all writes since `begin`; harmless without a transaction.
  func rollback()

  /// Inserts the row or replaces it. Only in a writing transaction, as all below.
  func put(_ table: StateTable, _ key: RowKey, _ value: UnsafeRawBufferPointer) throws(StateError)
  func remove(_ table: StateTable, _ key: RowKey) throws(StateError)
  func putName(_ name: UnsafeRawBufferPointer, _ number: UInt32, in table: NameTable) throws(StateError)
  func removeName(_ name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError)

  /// The lock row, or nil.
  func lock() throws(StateError) -> StateLock?
  /// Replaces the lock row; nil removes it. In a writing transaction, so that taking it is atomic.
  func setLock(_ lock: StateLock?) throws(StateError)

  /// Checks what the store itself can check (page structure, indexes), one sentence a fault, at most 100.
  func checkStore() throws(StateError) -> [String]

  /// Removes the state if this opening made it and no run has written into it or is about to, where that takes nothing
  /// from others who have seen it.
  func removeIfUnused()
}

extension StateRows {
  package var upgrade: StateUpgrade? { nil }

  package func put(_ table: StateTable, _ key: RowKey, bytes: [UInt8]) throws(StateError) {
    try bytes.withRaw { (bytes) throws(StateError) in try put(table, key, bytes) }
  }

  /// All rows whose key begins with `a`.
  package func scan(
    _ table: StateTable, of a: UInt32, _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> Bool
  ) throws(StateError) {
    try scan(table, from: RowKey(a), through: RowKey(a, RowKey.last.b, RowKey.last.c), body)
  }

  /// All rows.
  package func scan(
    _ table: StateTable, _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> Bool
  ) throws(StateError) {
    try scan(table, from: .first, through: .last, body)
  }
}
