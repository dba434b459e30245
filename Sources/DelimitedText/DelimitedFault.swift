/// What is wrong in delimited text, and where.
package struct DelimitedFault: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A quote was opened, here, and never closed.
    case unterminatedQuote
    /// Something other than a delimiter or a line break follows a closing quote.
    case textAfterQuote
    case nulByte
    case invalidUTF8
    /// A record, or a field in quotes that begins here, is longer than the reader's limit.
    case recordTooLong
  }

  package var kind: Kind
  /// From 1.
  package var line: Int
  /// In code points, from 1.
  package var column: Int

  package init(_ kind: Kind, line: Int, column: Int) {
    self.kind = kind
    self.line = line
    self.column = column
  }
}
