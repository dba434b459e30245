import CircleState

/// The commands on one table of rows. Keys go in as numbers of 64 bits, so that the ends of a range may lie beyond all keys.
struct RowSQL {
  let get: String
  let page: String
  let last: String
  let lastOfAll: String
  let put: String
  let remove: String
  let copy: String

  init(_ table: StateTable) {
    let name = Schema.name(of: table)
    let names = Schema.key(of: table)
    let key = names.joined(separator: ", ")
    let tuple = names.count == 1 ? key : "(\(key))"
    let backwards = names.map { "\($0) DESC" }.joined(separator: ", ")
    let placeholders = { (first: Int) in
      let list = names.indices.map { "$\($0 + first)" }.joined(separator: ", ")
      return names.count == 1 ? list : "(\(list))"
    }
    let range = "\(tuple) >= \(placeholders(1)) AND \(tuple) <= \(placeholders(names.count + 1))"
    let arrays = names.indices.map { "$\($0 + 1)::int4[]" }.joined(separator: ", ")
    get = "SELECT value FROM \(name) WHERE \(tuple) = \(placeholders(1))"
    page = "SELECT \(key), value FROM \(name) WHERE \(range) ORDER BY \(key) LIMIT $\(2 * names.count + 1)"
    last = "SELECT \(key), value FROM \(name) WHERE \(range) ORDER BY \(backwards) LIMIT 1"
    lastOfAll = "SELECT \(key) FROM \(name) ORDER BY \(backwards) LIMIT 1"
    put =
      "INSERT INTO \(name) (\(key), value) SELECT * FROM unnest(\(arrays), $\(names.count + 1)::bytea[]) "
      + "ON CONFLICT (\(key)) DO UPDATE SET value = excluded.value"
    remove = "DELETE FROM \(name) WHERE \(tuple) IN (SELECT * FROM unnest(\(arrays)))"
    copy = "COPY \(name) (\(key), value) FROM STDIN (FORMAT binary)"
  }

  /// Those of each table, in the order of the tables.
  static let all: [RowSQL] = StateTable.allCases.map(RowSQL.init)
}

/// The commands on the directories of names.
enum NameSQL {
  static let get = "SELECT number FROM \(Schema.names) WHERE kind = $1 AND name = $2"
  static let page = "SELECT name, number FROM \(Schema.names) WHERE kind = $1 AND name >= $2 ORDER BY name LIMIT $3"
  static let last = "SELECT name FROM \(Schema.names) WHERE kind = $1 ORDER BY name DESC LIMIT 1"
  static let known = "SELECT name FROM \(Schema.names) WHERE kind = $1 AND name = ANY($2)"
  static let put =
    "INSERT INTO \(Schema.names) (kind, name, number) SELECT $1, * FROM unnest($2::bytea[], $3::int8[]) "
    + "ON CONFLICT (kind, name) DO UPDATE SET number = excluded.number"
  static let remove = "DELETE FROM \(Schema.names) WHERE kind = $1 AND name = ANY($2)"
  static let copy = "COPY \(Schema.names) (kind, name, number) FROM STDIN (FORMAT binary)"
}
