/// One field of a record.
package struct DelimitedField: Equatable, Sendable {
  /// Its bytes in the reader's window, without the quotes around it; good until the reader moves on.
  package var range: Range<Int>
  /// Whether it was in quotes, which tells an empty text from nothing.
  package var isQuoted: Bool
  /// Whether quotes in it are doubled still.
  package var hasDoubledQuotes: Bool

  package var isEmpty: Bool { range.isEmpty }

  /// Where the field begins, its opening quote included.
  var begin: Int { isQuoted ? range.lowerBound - 1 : range.lowerBound }
}
