package import CircleModel
package import Diagnostics
import Glibc

/// A state in a store: loading, committing, history. What the command line, the library and tests go through.
package struct StateStore {
  package let rows: any StateRows
  /// How long a transaction waits for another process's, in milliseconds.
  package var timeout: Int

  package init(_ rows: any StateRows, timeout: Int = 10_000) {
    self.rows = rows
    self.timeout = timeout
  }

  /// Calls `body` in one transaction, so that all it reads is of one moment.
  package func reading<R>(_ body: () throws(StateError) -> R) throws(StateError) -> R {
    try rows.begin(writing: false, timeout: timeout)
    defer { rows.rollback() }
    return try body()
  }

  /// Calls `body`, and again where the store could not fit its transaction in between those of others. `body` begins and
  /// ends the transaction, and changes nothing else.
  ///
  /// - Throws: `.conflict` when that goes on for longer than `timeout`.
  func retrying<R>(_ body: () throws(StateError) -> R) throws(StateError) -> R {
    let deadline = Self.monotonicMilliseconds() + Int64(timeout)
    var pause: UInt32 = 1
    while true {
      do throws(StateError) {
        return try body()
      } catch .conflict {
        // The first few tries are free, so that no time limit is too short for them.
        guard pause < 16 || Self.monotonicMilliseconds() < deadline else { throw .conflict }
      }
      // Two that are in each other's way must not come again at the same moment.
      usleep(UInt32.random(in: 0..<pause * 1000))
      pause = min(pause * 2, 250)
    }
  }

  package func head() throws(StateError) -> Head {
    try retrying { () throws(StateError) in
      try reading { () throws(StateError) in try Head.read(rows) }
    }
  }

  /// What `scope` asks for, with the users of `names` first in the snapshot.
  package func load(_ scope: Scope, names: UserNames = UserNames()) throws(StateError) -> Loaded {
    try retrying { () throws(StateError) in
      try reading { () throws(StateError) in try StateLoader.load(rows, scope, names: names) }
    }
  }

  /// The names of a directory that begin so, in byte order; users' ids in lower case.
  package func names(in table: NameTable, prefix: [UInt8] = []) throws(StateError) -> [String] {
    try retrying { () throws(StateError) in
      var names: [String] = []
      try reading { () throws(StateError) in
        try rows.scanNames(table, prefix: prefix) { (name, _) throws(StateError) in
          names.append(String(decoding: name, as: UTF8.self))
          return true
        }
      }
      return names
    }
  }

  /// Whether a directory has the name; a user's id in lower case.
  package func contains(_ name: Text, in table: NameTable) throws(StateError) -> Bool {
    try reading { () throws(StateError) in try rows.number(of: name, in: table) } != nil
  }

  /// Calls `body` for each user by lower-cased id, with the id as registered, until it answers false; never more than
  /// one user is in memory.
  package func forEachUser(
    _ body: (UnsafeBufferPointer<UInt8>, UserDetail) -> Bool
  ) throws(StateError) {
    try reading { () throws(StateError) in
      try rows.scanNames(.users, prefix: []) { (_, number) throws(StateError) in
        let goesOn = try rows.withRow(.users, RowKey(number)) { (bytes) throws(StateError) in
          let row = try UserRow(bytes)
          return body(row.spelling, try UserDetail(packed: row.detail))
        }
        guard let goesOn else { throw .damaged("user \(number) is named but has no row") }
        return goesOn
      }
    }
  }

  /// Writes what a run decided on `loaded`, all or nothing, and gives up the lock in the same transaction.
  ///
  /// - Parameters:
  ///   - result: the snapshot after the outcome.
  ///   - path: shows an input file, for the places in the log.
  /// - Throws: `.stale` when the revision is no longer that of `loaded`; nothing is written then.
  package func commit(
    _ outcome: Outcome, result: Snapshot, on loaded: Loaded, time: Int64, request: RunRequest,
    path: @escaping (FileIndex) -> String = { _ in "" }
  ) throws(StateError) -> Run {
    try writing { () throws(StateError) in
      let found = try Head.read(rows).revision
      guard found == loaded.head.revision else { throw .stale(expected: loaded.head.revision, found: found) }
      let writer = StateWriter(
        rows: rows, loaded: loaded, outcome: outcome, result: result, time: time, request: request)
      try writer.write(path: path)
      try rows.setLock(nil)
      return writer.run
    }
  }

  /// Calls `body` in one transaction and commits it, all or nothing; `body` may be called again, from the beginning.
  func writing<R>(_ body: () throws(StateError) -> R) throws(StateError) -> R {
    try retrying { () throws(StateError) in
      try rows.begin(writing: true, timeout: timeout)
      do throws(StateError) {
        let result = try body()
        try rows.commit()
        return result
      } catch {
        rows.rollback()
        throw error
      }
    }
  }

  /// The runs, first to last.
  package func history(
    from run: UInt32 = 1, _ body: (HistoryEntry) throws(StateError) -> Bool
  ) throws(StateError) {
    try reading { () throws(StateError) in
      let cut = try Checkpoint.read(rows)?.run ?? 0
      try rows.scan(.runs, from: RowKey(run), through: .last) { (key, row) throws(StateError) in
        try body(try HistoryEntry(try Run(row, number: key.a), in: rows, cut: cut))
      }
    }
  }
}
