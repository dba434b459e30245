import CircleState

/// A range of a table's keys as the server compares them: unused parts are gone, and parts may lie beyond all keys.
struct KeyRange {
  /// The least key of the range.
  var from: [Int64]
  /// The greatest.
  let through: [Int64]

  init(_ from: RowKey, _ through: RowKey, in table: StateTable) {
    self.from = Self.parts(from, table)
    self.through = Self.parts(through, table)
    // Where an unused part is not 0, the key lies after the one that the server compares with.
    let isBeyond = table.arity == 1 ? from.b > 0 || from.c > 0 : table.arity == 2 && from.c > 0
    if isBeyond { self.from[table.arity - 1] += 1 }
  }

  /// Goes on after a key.
  mutating func begin(after key: RowKey, in table: StateTable) {
    from = Self.parts(key, table)
    from[table.arity - 1] += 1
  }

  var isEmpty: Bool { through.lexicographicallyPrecedes(from) }

  static func parts(_ key: RowKey, _ table: StateTable) -> [Int64] {
    Array([Int64(key.a), Int64(key.b), Int64(key.c)].prefix(table.arity))
  }
}
