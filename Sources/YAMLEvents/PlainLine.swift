/// Why `PlainScanner` leaves a text to libyaml: what comes next is not sure to be in the plain part of YAML.
struct Doubt: Error {}

/// A line of a plain text, read from left to right.
///
/// Looks at each byte once, and never past the end of the line. The text is one that `PlainText` lets through, so every
/// byte is part of a printable character.
struct PlainLine {
  struct Scalar {
    /// The text, without its quotes.
    var start: UnsafePointer<UInt8>
    var length: Int
    var isPlain: Bool
    var column: UInt32
    var endColumn: UInt32
  }

  /// From 1.
  let number: UInt32
  /// The next byte.
  private(set) var cursor: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  private let start: UnsafePointer<UInt8>
  /// The start of the line, moved on by one for each byte that is no character of its own: what lies between it and
  /// the cursor are as many bytes as there are characters before the cursor.
  private var origin: UnsafePointer<UInt8>

  @inline(__always)
  init(number: UInt32, start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.number = number
    self.start = start
    self.end = end
    cursor = start
    origin = start
    skipSpaces()
  }

  /// The column of the cursor, from 1.
  var column: UInt32 { UInt32(truncatingIfNeeded: cursor - origin) + 1 }

  /// Whether nothing but a comment is left. What is before the cursor is a space or the scalar that ended there; a `#`
  /// right behind a scalar is no comment.
  var isDone: Bool {
    cursor == end || cursor.pointee == UInt8(ascii: "#") && (cursor == start || cursor[-1] == UInt8(ascii: " "))
  }

  /// Whether the cursor is on the `-` of a list's entry.
  var isAtEntry: Bool { isAt(UInt8(ascii: "-")) }

  /// Whether the cursor is on the `:` after a key.
  var isAtColon: Bool { isAt(UInt8(ascii: ":")) }

  /// Whether the line is, or may be, a `---` or `...`.
  var mayBeDocumentMark: Bool {
    guard cursor == start, end - start >= 3 else { return false }
    let byte = start[0]
    return (byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")) && start[1] == byte && start[2] == byte
  }

  /// Whether the cursor is on this byte with a space or the end of the line after it.
  private func isAt(_ byte: UInt8) -> Bool {
    cursor < end && cursor.pointee == byte && (cursor + 1 == end || cursor[1] == UInt8(ascii: " "))
  }

  /// Whether the cursor is on this byte.
  func sees(_ byte: Unicode.Scalar) -> Bool { cursor < end && cursor.pointee == UInt8(ascii: byte) }

  mutating func skipSpaces() {
    while cursor < end, cursor.pointee == UInt8(ascii: " ") { cursor += 1 }
  }

  /// Goes past a byte of ASCII.
  mutating func skip() { cursor += 1 }

  /// Takes the scalar at the cursor, and the spaces after it.
  @inline(__always)
  mutating func scalar(inFlow: Bool = false) throws(Doubt) -> Scalar {
    guard cursor < end else { throw Doubt() }
    let column = column
    let first = cursor.pointee
    let isPlain = first != UInt8(ascii: "\"") && first != UInt8(ascii: "'")
    var text = cursor
    var length = 0
    if !isPlain {
      text += 1
      length = try skipQuoted(by: first)
    } else {
      guard canBeginPlain else { throw Doubt() }
      if inFlow { try skipPlainInFlow() } else { skipPlain() }
      length = cursor - text
    }
    let scalar = Scalar(start: text, length: length, isPlain: isPlain, column: column, endColumn: self.column)
    skipSpaces()
    return scalar
  }

  /// Whether the cursor's character can begin a plain scalar. More can in some places.
  @inline(__always)
  private var canBeginPlain: Bool {
    switch cursor.pointee {
    case UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"),
      UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "'"), UInt8(ascii: "\""),
      UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: " "):
      false
    case UInt8(ascii: "-"):
      !isAtEntry
    default:
      true
    }
  }

  /// Goes past a plain scalar, up to a comment, a key's colon or the end of the line, less the spaces before it.
  @inline(__always)
  private mutating func skipPlain() {
    var next = cursor
    while next < end {
      let byte = next.pointee
      next += 1
      if byte > UInt8(ascii: ":") {
        if byte & 0xC0 == 0x80 { origin += 1 }
      } else if byte == UInt8(ascii: " ") {
        continue
      } else if byte == UInt8(ascii: ":") {
        if next == end || next.pointee == UInt8(ascii: " ") { return }
      } else if byte == UInt8(ascii: "#"), next - 1 > cursor {
        return
      }
      cursor = next
    }
  }

  /// The same within brackets, where a `,` or closing bracket ends it too.
  private mutating func skipPlainInFlow() throws(Doubt) {
    var next = cursor
    while next < end {
      let byte = next.pointee
      next += 1
      switch byte {
      case UInt8(ascii: " "):
        continue
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
        return
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "?"):
        throw Doubt()
      case UInt8(ascii: ":"):
        guard next < end else { throw Doubt() }
        switch next.pointee {
        case UInt8(ascii: " "):
          return
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "{"),
          UInt8(ascii: "?"):
          throw Doubt()
        default: break
        }
      case UInt8(ascii: "#") where next - 1 > cursor:
        throw Doubt()
      case 0x80..<0xC0:
        origin += 1
      default:
        break
      }
      cursor = next
    }
    throw Doubt()
  }

  /// Goes past a quoted scalar without escapes, and tells how many bytes stand between its quotes.
  private mutating func skipQuoted(by quote: UInt8) throws(Doubt) -> Int {
    cursor += 1
    let text = cursor
    while cursor < end {
      let byte = cursor.pointee
      cursor += 1
      if byte == quote {
        if quote == UInt8(ascii: "'"), cursor < end, cursor.pointee == quote { throw Doubt() }
        return cursor - 1 - text
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { throw Doubt() }
      if byte & 0xC0 == 0x80 { origin += 1 }
    }
    throw Doubt()
  }
}
