import CircleState

/// A statement that is prepared once a connection and then used again.
enum Query {
  case row(RowVerb, StateTable)
  case name(NameVerb)
  case lock(LockVerb)

  enum RowVerb: Int, CaseIterable {
    case get
    case scan
    case last
    case put
    /// `PendingPuts.capacity` rows.
    case putSeveral
    case remove
  }

  enum NameVerb: Int, CaseIterable {
    case get
    case scan
    case put
    case putSeveral
    case remove
  }

  enum LockVerb: Int, CaseIterable {
    case get
    case put
    case remove
  }

  private static let rowCount = StateTable.allCases.count * RowVerb.allCases.count

  /// How many slots there are.
  static let count = rowCount + NameVerb.allCases.count + LockVerb.allCases.count

  /// A small number of its own for each text.
  var slot: Int {
    switch self {
    case .row(let verb, let table): Int(table.rawValue) * RowVerb.allCases.count + verb.rawValue
    case .name(let verb): Self.rowCount + verb.rawValue
    case .lock(let verb): Self.rowCount + NameVerb.allCases.count + verb.rawValue
    }
  }

  var sql: String {
    switch self {
    case .row(let verb, let table):
      table.arity < 3 ? Self.packed(verb, Schema.name(of: table)) : Self.threefold(verb, Schema.name(of: table))
    case .name(.get): "SELECT number FROM names WHERE kind = ?1 AND name = ?2"
    case .name(.scan): "SELECT name, number FROM names WHERE kind = ?1 AND name >= ?2 ORDER BY name"
    case .name(.put): "REPLACE INTO names (kind, name, number) VALUES (?, ?, ?)"
    case .name(.putSeveral): Self.several("REPLACE INTO names (kind, name, number) VALUES ", "(?, ?, ?)")
    case .name(.remove): "DELETE FROM names WHERE kind = ?1 AND name = ?2"
    case .lock(.get): "SELECT host, process, processStart, since FROM lock"
    case .lock(.put): "REPLACE INTO lock (key, host, process, processStart, since) VALUES (0, ?1, ?2, ?3, ?4)"
    case .lock(.remove): "DELETE FROM lock"
    }
  }

  private static func several(_ beginning: String, _ row: String) -> String {
    beginning + [String](repeating: row, count: PendingPuts.capacity).joined(separator: ", ")
  }

  private static func packed(_ verb: RowVerb, _ table: String) -> String {
    switch verb {
    case .get: "SELECT value FROM \(table) WHERE key = ?1"
    case .scan: "SELECT key, value FROM \(table) WHERE key BETWEEN ?1 AND ?2 ORDER BY key"
    case .last: "SELECT key, value FROM \(table) WHERE key BETWEEN ?1 AND ?2 ORDER BY key DESC LIMIT 1"
    case .put: "REPLACE INTO \(table) (key, value) VALUES (?, ?)"
    case .putSeveral: several("REPLACE INTO \(table) (key, value) VALUES ", "(?, ?)")
    case .remove: "DELETE FROM \(table) WHERE key = ?1"
    }
  }

  private static func threefold(_ verb: RowVerb, _ table: String) -> String {
    switch verb {
    case .get: "SELECT value FROM \(table) WHERE a = ?1 AND b = ?2 AND c = ?3"
    case .scan:
      "SELECT a, b, c, value FROM \(table) WHERE (a, b, c) >= (?1, ?2, ?3) AND (a, b, c) <= (?4, ?5, ?6) "
        + "ORDER BY a, b, c"
    case .last:
      "SELECT a, b, c, value FROM \(table) WHERE (a, b, c) >= (?1, ?2, ?3) AND (a, b, c) <= (?4, ?5, ?6) "
        + "ORDER BY a DESC, b DESC, c DESC LIMIT 1"
    case .put: "REPLACE INTO \(table) (a, b, c, value) VALUES (?, ?, ?, ?)"
    case .putSeveral: several("REPLACE INTO \(table) (a, b, c, value) VALUES ", "(?, ?, ?, ?)")
    case .remove: "DELETE FROM \(table) WHERE a = ?1 AND b = ?2 AND c = ?3"
    }
  }
}
