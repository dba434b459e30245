/// What opening a state may do to it.
package enum OpeningMode: Equatable, Sendable {
  /// Never writes, except that what a killed process has left may be rolled back.
  case read
  /// Reads and writes, and brings an older format to this one's; `create` makes a state where none is.
  case write(create: Bool)
}
