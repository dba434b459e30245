import CSQLite
package import CircleState
import Glibc

/// A state in one SQLite file.
///
/// With a rollback journal, so that nothing but the file is there between transactions; a transaction that was cut off, by `kill -9` or by a
/// power failure, is rolled back by whoever opens the file next.
package final class SQLiteRows: StateRows {
  private enum Phase {
    case idle
    case reading
    case writing
  }

  /// The state's location, as it was given.
  package var path: String { connection.path }
  /// Whether this opening made the state.
  package let isNew: Bool
  /// Whether it made the file too.
  private let isNewFile: Bool
  package let upgrade: StateUpgrade?

  let connection: Connection
  private let patience: Int
  /// The file that was opened; a path may lead to another one later.
  private let file: FileIdentity?
  private var phase = Phase.idle
  /// Of what is in the file. Who only reads leaves an older one as it is.
  package private(set) var format: Int
  /// By the table's number; empty outside a writing transaction.
  var pendingRows = [PendingPuts](repeating: PendingPuts(), count: StateTable.allCases.count)
  var pendingNames = [PendingPuts](repeating: PendingPuts(), count: NameTable.allCases.count)

  init(
    _ connection: Connection, format: Int, isNew: Bool, isNewFile: Bool, upgrade: StateUpgrade?, patience: Int
  ) {
    self.connection = connection
    self.format = format
    self.isNew = isNew
    self.isNewFile = isNewFile
    self.upgrade = upgrade
    self.patience = patience
    file = FileIdentity(of: connection.path)
  }

  /// Rows within a transaction that the connection has begun to write in.
  convenience init(writing connection: Connection) {
    self.init(connection, format: StateFormat.newest, isNew: false, isNewFile: false, upgrade: nil, patience: 0)
    phase = .writing
  }

  package func begin(writing: Bool, timeout: Int) throws(StateError) {
    precondition(phase == .idle, "a transaction within a transaction")
    connection.wait(atMost: timeout)
    do throws(StateError) {
      connection.forgetFailure()
      try connection.begin(writing: writing)
      format = try connection.checkedFormat(writing: writing)
    } catch {
      connection.rollback()
      throw error
    }
    phase = writing ? .writing : .reading
    connection.wait(atMost: max(timeout, patience))
  }

  package func commit() throws(StateError) {
    precondition(phase != .idle, "a commit without a transaction")
    defer { rollback() }
    try connection.checkNothingFailed()
    connection.wait(atMost: patience)
    let writes = phase == .writing
    if writes {
      try checkFile("nothing was written")
      try settle()
    }
    try connection.commit()
    if writes { try checkFile("what was just written is not in it") }
  }

  /// Puts all that waits.
  func settle() throws(StateError) {
    for table in StateTable.allCases { try settle(table) }
    for table in NameTable.allCases { try settle(table) }
  }

  /// SQLite goes on with the file that it has open, whatever the path leads to meanwhile.
  private func checkFile(_ consequence: String) throws(StateError) {
    guard FileIdentity(of: path) == file else {
      throw .io("'\(path)' was removed or replaced while this ran; \(consequence)")
    }
  }

  package func rollback() {
    connection.rollback()
    for slot in pendingRows.indices { pendingRows[slot].clear() }
    for slot in pendingNames.indices { pendingNames[slot].clear() }
    phase = .idle
  }

  /// Removes the file if this opening made it and no run has written into it or is about to.
  package func removeIfUnused() {
    guard isNewFile, phase == .idle else { return }
    do throws(StateError) {
      try begin(writing: true, timeout: 0)
      let isUsed = try withRow(.head, .first) { (_) throws(StateError) in true } ?? false
      if !isUsed, try lock() == nil, FileIdentity(of: path) == file { FileIdentity.remove(path) }
    } catch {
      // An empty state stays, which does no harm.
    }
    rollback()
  }

  package func checkStore() throws(StateError) -> [String] {
    var faults: [String] = []
    connection.wait(atMost: patience)
    do throws(StateError) {
      try connection.checkSchema(of: format)
      try connection.checkSize(exactly: true)
      try connection.using(sql: "PRAGMA integrity_check(100)", "check") { (statement) throws(StateError) in
        while try statement.step() {
          let sentence = try statement.text(0)
          if sentence != "ok" && faults.count < 100 { faults.append(sentence) }
        }
      }
    } catch .damaged(let sentence) {
      // What it told before it could not go on counts too.
      if faults.count < 100 { faults.append(sentence) }
    }
    return faults
  }

  /// That a write may come now.
  func checkWriting() throws(StateError) {
    precondition(phase == .writing, "a write outside a writing transaction")
    try connection.checkNothingFailed()
  }

  /// Runs one statement of a writing transaction.
  func write(_ query: Query, _ body: (Statement) throws(StateError) -> Void) throws(StateError) {
    try checkWriting()
    try connection.using(query, "write") { (statement) throws(StateError) in
      try body(statement)
      _ = try statement.step()
    }
  }

  /// Answers with a reading statement's rows.
  func read<R>(_ query: Query, _ body: (Statement) throws(StateError) -> R) throws(StateError) -> R {
    if phase == .idle {
      // Each read waits for its own; within a transaction the file is held already.
      connection.wait(atMost: patience)
    } else {
      try connection.checkNothingFailed()
    }
    return try connection.using(query, "read", body)
  }
}
