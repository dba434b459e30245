package import CircleState

extension PostgresRows {
  /// The version of libpq.
  /// - Throws: `.io` where it is not there, or lacks something.
  package static func libraryVersion() throws(StateError) -> String { try LibPQ().version }

  /// Opens the state in the first schema of the connection's search path that has one.
  ///
  /// - Parameters:
  ///   - timeout: how many milliseconds an opening that makes or changes tables waits for another process.
  ///   - silence: how many milliseconds a server that owes an answer may say nothing.
  ///   - interrupted: the signal that has come, or 0; asked while waiting for the server and before a commit.
  /// - Throws: `.missing` where there are no tables, unless they may be made; `.newerFormat`, `.damaged`, `.notAState`,
  ///   `.io`, `.busy`, `.interrupted`.
  package static func open(
    _ url: ServerURL, mode: OpeningMode, timeout: Int = 10_000, silence: Int = 60_000,
    interrupted: @escaping @Sendable () -> Int32 = { 0 }
  ) throws(StateError) -> PostgresRows {
    let connection = try Connection.open(url, Patience(silence: silence, interrupted: interrupted))
    let deadline = Deadline(milliseconds: timeout)
    while true {
      let found = try connection.readFormat()
      if let found {
        guard found < StateFormat.newest else {
          guard found == StateFormat.newest else { throw .newerFormat(found: found, supported: StateFormat.newest) }
          return PostgresRows(connection)
        }
        if mode == .read { return PostgresRows(connection, format: found) }
      } else {
        guard mode == .write(create: true) else { throw .missing(url.text) }
      }
      do throws(StateError) {
        try connection.migrate(from: found)
        return PostgresRows(connection, isNew: found == nil, upgrade: found.map { StateUpgrade(from: $0) })
      } catch .conflict {
        // Another process does the same; the next look shows what it has done.
        guard deadline.left > 0 else { throw .busy }
        try connection.pause(milliseconds: 20)
      }
    }
  }
}

extension Connection {
  /// The state's format; nil where there are no tables of ours.
  fileprivate func readFormat() throws(StateError) -> Int? {
    let answer: Answer?
    do throws(StateError) {
      answer = try run("SELECT format, current_schema() FROM \(Schema.lock) WHERE key = 0", "open").last
    } catch .damaged {
      // No such table. Where the search path leads nowhere, none could be found or made.
      try reconnect()
      guard let schema = try run("SELECT current_schema()", "open").last, !schema.isNull(0, 0) else {
        throw .io("'\(url.text)': no schema of the search path is there, or may be used by this role")
      }
      return nil
    }
    guard let answer, answer.rowCount == 1, let found = answer.digits(0, 0) else {
      throw .damaged("'\(url.text)': the row of the format is missing")
    }
    return found
  }

  /// Makes the tables, or brings those of an older format and their rows to the newest, in one transaction.
  /// - Throws: `.conflict` when another process was faster.
  fileprivate func migrate(from found: Int?) throws(StateError) {
    let steps = Schema.migrations.dropFirst(found ?? 0).joined()
    let tuning = try ownVersion() == nil ? [] : Schema.tuning
    let format = "UPDATE \(Schema.lock) SET format = \(StateFormat.newest) WHERE key = 0"
    do throws(StateError) {
      _ = try run(
        (["BEGIN ISOLATION LEVEL SERIALIZABLE"] + steps + tuning + [format]).joined(separator: "; "),
        "make the tables of")
      if let found {
        try PostgresRows(writing: self).send { (rows) throws(StateError) in try rows.bringUpToDate(from: found) }
      }
      try commit()
    } catch {
      rollback()
      throw error
    }
  }
}
