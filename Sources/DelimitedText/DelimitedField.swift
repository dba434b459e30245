/// Where one field of a record stands.
package struct DelimitedField: Equatable, Sendable {
  /// Its bytes in the reader's window, without the quotes around it; good until the reader moves on.
  var range: Range<Int>
  /// Whether it was in quotes, which tells an empty text from nothing.
  package var isQuoted: Bool
  /// Whether quotes in it are doubled still.
  var hasDoubledQuotes: Bool
  /// The line of its first character or its opening quote, from 1.
  package var line: Int
  /// The column of the same in code points, from 1.
  package var column: Int
}
