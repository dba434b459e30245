import CSQLite

/// The SQLite that is used.
package enum SQLiteLibrary {
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// The earliest version that has all that a state needs: tables that are strict about types.
  package static let earliest = "3.37.0"
  package static var isRecentEnough: Bool { sqlite3_libversion_number() >= 3_037_000 }
}
