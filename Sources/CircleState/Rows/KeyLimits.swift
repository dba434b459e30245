extension StateTable {
  /// Whether a row of this table can have the key: parts below 2^31, those that the table does not use 0.
  package func admits(_ key: RowKey) -> Bool {
    let limit = RowKey.last.a
    guard key.a <= limit, key.b <= limit, key.c <= limit else { return false }
    return (arity > 1 || key.b == 0) && (arity > 2 || key.c == 0)
  }

  /// Refuses to store a row under a key that no row can have.
  package func check(_ key: RowKey) throws(StateError) {
    guard admits(key) else {
      throw .damaged("no row of '\(self)' can have the key (\(key.a), \(key.b), \(key.c))")
    }
  }
}
