/// Why bytes are no JSON that is taken, and where.
package struct JSONFault: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// Something else stands here than JSON allows.
    case syntax
    /// The text ends within a value.
    case unexpectedEnd
    /// Something follows the value.
    case textAfterValue
    /// The bytes from here on are not valid UTF-8.
    case invalidUTF8
    /// A NUL character, written or escaped.
    case nulCharacter
    /// An object gives a key a second time.
    case duplicateKey
    /// An integer beyond 64 bits, or a number beyond a double's range.
    case numberTooBig
    /// Nested deeper than `JSONDocument.deepest` levels.
    case tooDeep
    /// A line, or an element of a list, is longer than its reader takes.
    case tooLong
    /// The whole is no list, though one is asked for.
    case noList
    case outOfMemory
  }

  package var kind: Kind
  /// From 1.
  package var line: Int
  /// In code points, from 1; invalid bytes count one each.
  package var column: Int

  package init(_ kind: Kind, line: Int, column: Int) {
    self.kind = kind
    self.line = line
    self.column = column
  }

  /// For a person, without a full stop.
  package var sentence: String {
    switch kind {
    case .syntax: "the text is no JSON from here"
    case .unexpectedEnd: "the text ends within a JSON value"
    case .textAfterValue: "more text follows the JSON value"
    case .invalidUTF8: "the text is not valid UTF-8 from here"
    case .nulCharacter: "a NUL character can't stand here"
    case .duplicateKey: "the key stands twice in one object"
    case .numberTooBig: "the number is too big"
    case .tooDeep: "the values are nested deeper than \(JSONDocument.deepest) levels"
    case .tooLong: "the value is longer than is taken"
    case .noList: "a list in square brackets has to stand here"
    case .outOfMemory: "there is not enough memory for it"
    }
  }
}
