import CircleState

/// The tables of a state on a server, and how each format came out of the one before.
///
/// They stand in one schema, the first of the search path, under names that nothing else there will have. Only types and
/// constraints that every engine has which speaks PostgreSQL's protocol.
enum Schema {
  /// What each format adds to the tables of the one before, in order; format 1 is the first. Append only: a state of any
  /// format gets those that it misses. The formats are those of a state in a file, and `StateFormat` tells of their rows.
  static let migrations: [[String]] = [
    StateTable.all(since: 1).map(create) + [
      "CREATE TABLE \(names) (kind INT4 NOT NULL, name BYTEA NOT NULL, number INT8 NOT NULL, "
        + "PRIMARY KEY (kind, name))",
      "CREATE TABLE \(lock) (key INT4 PRIMARY KEY CHECK (key = 0), format INT4 NOT NULL, host BYTEA, process INT4, "
        + "process_start INT8, since INT8)",
      "INSERT INTO \(lock) (key, format) VALUES (0, 1)",
    ],
    StateTable.all(since: 2).map(create),
  ]

  /// What PostgreSQL itself, and no other engine, is told of the tables of the newest format: that rows are packed already, and
  /// compressing them takes longer than writing them.
  static let tuning = StateTable.allCases.map { "ALTER TABLE \(name(of: $0)) ALTER COLUMN value SET STORAGE EXTERNAL" }

  static let names = "circlectl_names"
  /// One row: the format and who writes. A transaction that writes holds it from its beginning, so that others wait.
  static let lock = "circlectl_lock"

  static func name(of table: StateTable) -> String {
    switch table {
    case .head: "circlectl_head"
    case .users: "circlectl_users"
    case .servers: "circlectl_servers"
    case .members: "circlectl_members"
    case .invitations: "circlectl_invitations"
    case .marks: "circlectl_marks"
    case .runs: "circlectl_runs"
    case .log: "circlectl_log"
    case .logByServer: "circlectl_log_by_server"
    case .checkpoint: "circlectl_checkpoint"
    }
  }

  /// The columns of a table's key.
  static func key(of table: StateTable) -> [String] {
    Array(["a", "b", "c"].prefix(table.arity))
  }

  /// All tables of a format with their columns.
  static func columns(of format: Int) -> [(table: String, columns: String)] {
    tables(of: format).map { (name(of: $0), (key(of: $0) + ["value"]).joined(separator: ", ")) } + [
      (names, "kind, name, number"), (lock, "key, format, host, process, process_start, since"),
    ]
  }

  static func tables(of format: Int) -> [StateTable] { StateTable.allCases.filter { $0.firstFormat <= format } }

  private static func create(_ table: StateTable) -> String {
    let key = key(of: table)
    return "CREATE TABLE \(name(of: table)) (" + key.map { "\($0) INT4 NOT NULL, " }.joined()
      + "value BYTEA NOT NULL, PRIMARY KEY (\(key.joined(separator: ", "))))"
  }
}
