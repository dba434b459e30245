import CircleState

/// What is known of a table in the middle of a transaction.
struct TableKnowledge {
  /// The greatest key on the server, or none that is greater; nil when it was not asked for.
  var ceiling: Ceiling?
  /// How often the table was read in this transaction.
  var reads = 0
  /// Rows that were read ahead.
  var page: RowPage?
  /// The last key that was looked for alone, and how many were in a row ascending.
  var lastKey = RowKey.first
  var ascending = 0

  enum Ceiling {
    case empty
    case key(RowKey)

    /// Whether no row of the server can have a key of that size.
    func isBelow(_ key: RowKey) -> Bool {
      switch self {
      case .empty: true
      case .key(let last): last < key
      }
    }
  }
}

/// The greatest name of a directory.
enum NameCeiling {
  case empty
  case name([UInt8])

  /// Whether the server can have no name that is not less.
  func isBelow(_ name: [UInt8]) -> Bool {
    switch self {
    case .empty: true
    case .name(let last): last.lexicographicallyPrecedes(name)
    }
  }
}
