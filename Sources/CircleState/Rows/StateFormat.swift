/// What opening a state of an older format has made of it.
package struct StateUpgrade: Equatable, Sendable {
  /// The format that it had.
  package var from: Int
  /// The file in which the state is kept as it was; nil on a server, whose backups are its own.
  package var copy: String?
  /// The format that it has.
  package var to: Int { StateFormat.newest }

  package init(from: Int, copy: String? = nil) {
    self.from = from
    self.copy = copy
  }
}

/// The formats of a state, which all stores, dumps and archives share:
///
/// 1. The first.
/// 2. The head and the history's entries end with a `Seal`, and there is a table for the checkpoint of a log that was cut.
package enum StateFormat {
  /// What this version writes.
  package static let newest = 2

  /// Calls `body` with the row as the newest format has it.
  package static func withNewest<R, E>(
    _ table: StateTable, _ row: UnsafeRawBufferPointer, from format: Int,
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    guard changes(table, since: format) else { return try body(row) }
    return try Seal.sealed([UInt8](row)).withRaw(body)
  }

  fileprivate static func changes(_ table: StateTable, since format: Int) -> Bool {
    format < 2 && (table == .head || table == .runs)
  }
}

extension StateRows {
  /// Brings all rows of an older format to the newest, in the caller's writing transaction.
  package func bringUpToDate(from format: Int) throws(StateError) {
    for table in StateTable.allCases where StateFormat.changes(table, since: format) {
      var next: RowKey? = .first
      while let from = next {
        // A few at a time: rows are not to be written under a scan.
        var piece: [(key: RowKey, row: [UInt8])] = []
        next = nil
        try scan(table, from: from, through: .last) { (key, row) throws(StateError) in
          if piece.count == 1000 { next = key } else { piece.append((key, [UInt8](row))) }
          return next == nil
        }
        for (key, row) in piece {
          try row.withRaw { (row) throws(StateError) in
            try StateFormat.withNewest(table, row, from: format) { (row) throws(StateError) in try put(table, key, row)
            }
          }
        }
      }
    }
  }
}
