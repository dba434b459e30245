package import CircleState

/// A state in a schema of a PostgreSQL database, or of an engine that speaks its protocol.
///
/// Transactions are serializable. One that writes begins with the one row of the lock table and keeps it, so that others
/// see that somebody writes; reads never wait. What is written is gathered and sent in pieces, many rows through COPY.
package final class PostgresRows: StateRows {
  enum Phase {
    case idle
    case reading
    case writing
  }

  /// The state's location, as it was given.
  package var location: String { connection.url.text }
  /// Whether this opening made the state.
  package let isNew: Bool
  package let upgrade: StateUpgrade?

  let connection: Connection
  var phase = Phase.idle
  /// Of what is on the server. Who only reads leaves an older one as it is.
  package private(set) var format: Int
  /// What the transaction has written and not sent, table by table.
  var pending = [PendingRows](repeating: PendingRows(), count: StateTable.allCases.count)
  var pendingNames = [PendingNames](repeating: PendingNames(), count: NameTable.allCases.count)
  /// What is known of each table in this transaction.
  var known = [TableKnowledge](repeating: TableKnowledge(), count: StateTable.allCases.count)
  /// The greatest name of each directory on the server, or none that is greater; nil when it was not asked for.
  var nameCeilings = [NameCeiling?](repeating: nil, count: NameTable.allCases.count)
  /// The entry of the history that this transaction writes: found again, it proves that the transaction was committed.
  private var proof: (key: RowKey, value: [UInt8])?

  init(
    _ connection: Connection, format: Int = StateFormat.newest, isNew: Bool = false, upgrade: StateUpgrade? = nil
  ) {
    self.connection = connection
    self.format = format
    self.isNew = isNew
    self.upgrade = upgrade
  }

  /// Rows within a transaction that the connection has begun to write in.
  convenience init(writing connection: Connection) {
    self.init(connection)
    phase = .writing
  }

  /// Calls `body`, which writes, and sends what it has written; the transaction goes on.
  func send(_ body: (PostgresRows) throws(StateError) -> Void) throws(StateError) {
    try body(self)
    try sendAll()
  }

  // MARK: Transactions

  package func begin(writing: Bool, timeout: Int) throws(StateError) {
    precondition(phase == .idle, "a transaction within a transaction")
    let deadline = Deadline(milliseconds: timeout)
    var tries = 0
    while true {
      do throws(StateError) {
        try connection.reconnect()
        format = try connection.begin(writing: writing)
        phase = writing ? .writing : .reading
        return
      } catch {
        connection.rollback()
        // Who has just committed may be in the way of one who began a moment before: that is not waiting yet.
        guard error == .busy || error == .conflict, deadline.left > 0 || (error == .conflict && tries < 5) else {
          throw error == .conflict ? .busy : error
        }
      }
      tries += 1
      try connection.pause(milliseconds: min(20, tries))
    }
  }

  package func commit() throws(StateError) {
    precondition(phase != .idle, "a commit without a transaction")
    defer { rollback() }
    if phase == .writing { try sendAll() }
    do throws(StateError) {
      try connection.commit()
    } catch {
      guard connection.isLost, phase == .writing else { throw error }
      try checkWritten(error)
    }
  }

  package func rollback() {
    connection.rollback()
    phase = .idle
    proof = nil
    for table in pending.indices { pending[table].clear() }
    for table in pendingNames.indices { pendingNames[table].clear() }
    for table in known.indices { known[table] = TableKnowledge() }
    for table in nameCeilings.indices { nameCeilings[table] = nil }
  }

  /// Remembers what tells afterwards whether this transaction was committed.
  func note(_ key: RowKey, _ value: UnsafeRawBufferPointer) {
    proof = (key, [UInt8](value))
  }

  /// After a connection that was lost in the middle of a commit: looks whether it was written.
  private func checkWritten(_ lost: StateError) throws(StateError) {
    if case .interrupted = lost { throw lost }
    guard let proof else { throw lost }
    let found: [UInt8]?
    do throws(StateError) {
      try connection.reconnect()
      phase = .idle
      found = try withRow(.runs, proof.key) { (bytes) in [UInt8](bytes) }
    } catch {
      throw .io(
        "the connection to '\(location)' was lost at the very end: run \(proof.key.a) may be written or not; "
          + "'circlectl state history' tells once the server is there again")
    }
    if found != proof.value { throw lost }
  }

  // MARK: The lock row

  package func lock() throws(StateError) -> StateLock? {
    let sql = "SELECT host, process, process_start, since FROM \(Schema.lock) WHERE key = 0"
    let answer = try read(sql, Parameters())
    guard answer.rowCount == 1 else { throw .damaged("'\(location)': the row of the lock is missing") }
    guard !answer.isNull(0, 0) else { return nil }
    return StateLock(
      host: String(decoding: answer.bytes(0, 0), as: UTF8.self),
      process: Int32(truncatingIfNeeded: answer.integer(0, 1)), processStart: UInt64(bitPattern: answer.integer(0, 2)),
      since: answer.integer(0, 3))
  }

  package func setLock(_ lock: StateLock?) throws(StateError) {
    precondition(phase == .writing, "a write outside a writing transaction")
    var parameters = Parameters()
    var values = "NULL, NULL, NULL, NULL"
    if let lock {
      parameters.add(lock.host.utf8)
      parameters.add(UInt32(bitPattern: lock.process))
      parameters.add(Int64(bitPattern: lock.processStart))
      parameters.add(lock.since)
      values = "$1, $2, $3, $4"
    }
    _ = try connection.run(
      "UPDATE \(Schema.lock) SET (host, process, process_start, since) = (\(values)) WHERE key = 0", parameters, "write"
    )
  }

  /// Does nothing: whoever has seen the tables may be about to write, and tables without rows do no harm.
  package func removeIfUnused() {}

  // MARK: Checking

  package func checkStore() throws(StateError) -> [String] {
    var faults: [String] = []
    let isAlone = phase == .idle
    if isAlone { try begin(writing: false, timeout: 0) }
    defer { if isAlone { rollback() } }
    for (table, columns) in Schema.columns(of: format) {
      do throws(StateError) {
        _ = try connection.run("SELECT \(columns) FROM \(table) LIMIT 0", Parameters(), "check")
      } catch .damaged(let sentence) {
        // The transaction is over for the server; what else is wrong will be seen when this is mended.
        return faults + [sentence]
      }
    }
    for table in Schema.tables(of: format) {
      let below = Schema.key(of: table).map { "\($0) < 0" }.joined(separator: " OR ")
      let sql = "SELECT count(*) FROM \(Schema.name(of: table)) WHERE \(below)"
      let count = try connection.run(sql, Parameters(), "check").integer(0, 0)
      if count > 0 { faults.append("\(Schema.name(of: table)) holds \(count) rows under keys that no row has") }
    }
    return faults
  }

  // MARK: Reading

  /// One command; outside a transaction it is one of its own.
  func read(_ sql: String, _ parameters: Parameters) throws(StateError) -> Answer {
    if phase == .idle { try connection.reconnect() }
    return try connection.run(sql, parameters, "read")
  }
}
