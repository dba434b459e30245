import CircleState

/// The tables of a state in SQLite, and how each format came out of the one before.
///
/// Keys of one or two numbers are one integer, `a` or `a << 32 | b`, which SQLite stores as the row's own number: no index, and the shortest
/// comparison. Keys of three numbers have their own columns.
enum Schema {
  /// Marks the file as a circlectl state in SQLite's header: "CIRC" in ASCII.
  static let applicationID: Int32 = 0x4349_5243

  struct Table: Equatable {
    var name: String
    var sql: String
    /// What SQLite notes beside them: its kind, and the table that it belongs to, itself.
    var type: String
    var table: String

    init(name: String, sql: String) {
      self.init(type: "table", name: name, table: name, sql: sql)
    }

    init(type: String, name: String, table: String, sql: String) {
      self.type = type
      self.name = name
      self.table = table
      self.sql = sql
    }
  }

  /// What each format adds to the tables of the one before, in order; format 1 is the first. Append only: a state of any format gets those
  /// that it misses. What becomes of the rows is in `StateFormat`.
  static let migrations: [[String]] = [
    tables(of: 1).map(\.sql),
    StateTable.all(since: 2).map(sql),
  ]

  /// All that a state of a format holds, word for word as SQLite keeps it.
  static func tables(of format: Int) -> [Table] {
    StateTable.allCases.filter { $0.firstFormat <= format }.map { table in
      Table(name: name(of: table), sql: sql(of: table))
    } + [
      Table(
        name: "names",
        sql: "CREATE TABLE names (kind INTEGER NOT NULL, name BLOB NOT NULL, number INTEGER NOT NULL, "
          + "PRIMARY KEY (kind, name)) STRICT, WITHOUT ROWID"),
      Table(
        name: "lock",
        sql: "CREATE TABLE lock (key INTEGER PRIMARY KEY CHECK (key = 0), host TEXT NOT NULL, "
          + "process INTEGER NOT NULL, processStart INTEGER NOT NULL, since INTEGER NOT NULL) STRICT"),
    ]
  }

  static func name(of table: StateTable) -> String {
    switch table {
    case .head: "head"
    case .users: "users"
    case .servers: "servers"
    case .members: "members"
    case .invitations: "invitations"
    case .marks: "marks"
    case .runs: "runs"
    case .log: "log"
    case .logByServer: "logByServer"
    case .checkpoint: "checkpoint"
    }
  }

  private static func sql(of table: StateTable) -> String {
    table.arity < 3
      ? "CREATE TABLE \(name(of: table)) (key INTEGER PRIMARY KEY, value BLOB NOT NULL) STRICT"
      : "CREATE TABLE \(name(of: table)) (a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL, "
        + "value BLOB NOT NULL, PRIMARY KEY (a, b, c)) STRICT, WITHOUT ROWID"
  }
}
