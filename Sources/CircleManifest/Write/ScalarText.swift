import InvisibleText
import JSONText

/// Where a scalar is written, which decides when it needs quotes.
enum ScalarPosition {
  /// A value on a line of its own key.
  case block
  /// Within `[ ]`, or as an entry of a block list.
  case flow
  /// A key of a block mapping.
  case key
}

extension ByteBuffer {
  /// Appends text as a YAML scalar that is read back as the same text: plain where that can be, else in single quotes,
  /// in double quotes with escapes where it holds line breaks or what YAML does not take as it is. Always on one line.
  mutating func append(scalar text: UnsafeBufferPointer<UInt8>, _ position: ScalarPosition) {
    switch ScalarForm(text, position) {
    case .plain: append(bytes: UnsafeRawBufferPointer(text))
    case .singleQuoted:
      append(UInt8(ascii: "'"))
      for byte in text {
        if byte == UInt8(ascii: "'") { append(byte) }
        append(byte)
      }
      append(UInt8(ascii: "'"))
    case .doubleQuoted: append(doubleQuoted: text)
    }
  }

  private mutating func append(doubleQuoted text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"": append("\\\"")
      case "\\": append("\\\\")
      case "\n": append("\\n")
      case "\t": append("\\t")
      case _ where ScalarForm.needsEscape(scalar.value): append(escapeOf: scalar.value)
      default:
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
      }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escapeOf scalar: UInt32) {
    let (letter, width): (UInt8, UInt32) =
      scalar < 0x100
      ? (UInt8(ascii: "x"), 2) : scalar < 0x1_0000 ? (UInt8(ascii: "u"), 4) : (UInt8(ascii: "U"), 8)
    append(UInt8(ascii: "\\"))
    append(letter)
    for place in stride(from: Int(width) - 1, through: 0, by: -1) {
      let digit = UInt8(scalar >> UInt32(4 * place) & 0xF)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
  }
}

/// The simplest form of a scalar that keeps its text.
enum ScalarForm: Equatable {
  case plain, singleQuoted, doubleQuoted

  init(_ text: UnsafeBufferPointer<UInt8>, _ position: ScalarPosition) {
    var isPlain = Self.beginsPlain(text) && Self.endsPlain(text) && !CoreScalar.isNull(text)
    var previous: UInt8 = 0
    for (index, byte) in text.enumerated() {
      switch byte {
      case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE1...0xE3, 0xEF, 0xF0...0xF4:
        if Self.hasEscape(text, at: index) {
          self = .doubleQuoted
          return
        }
      case UInt8(ascii: ":"):
        // Before a blank it ends a key; in brackets, older readers take it for one anywhere.
        let next = index + 1 < text.count ? text[index + 1] : 0x20
        if next == 0x20 || position != .block { isPlain = false }
      case UInt8(ascii: "#"):
        if previous == 0x20 { isPlain = false }
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "?"):
        if position != .block { isPlain = false }
      default: break
      }
      previous = byte
    }
    self = isPlain ? .plain : .singleQuoted
  }

  /// Whether the first characters can't be taken for an indicator.
  private static func beginsPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    switch first {
    case UInt8(ascii: "-"):
      return text.count > 1 && text[1] != 0x20 && !text.starts(with: "---".utf8)
    case UInt8(ascii: "."):
      return !text.starts(with: "...".utf8)
    case UInt8(ascii: "<"):
      return !text.elementsEqual("<<".utf8)
    case 0x20, UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"),
      UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "'"), UInt8(ascii: "\""),
      UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
      return false
    default: return true
    }
  }

  private static func endsPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.last != 0x20
  }

  /// Whether the character that begins at a byte must be escaped.
  private static func hasEscape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let lead = text[index]
    if lead < 0x80 { return true }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard index + length <= text.count else { return true }
    var scalar = UInt32(lead) & (0x7F >> UInt32(length))
    for byte in text[index + 1..<index + length] { scalar = scalar << 6 | UInt32(byte & 0x3F) }
    return needsEscape(scalar)
  }

  /// Controls, line breaks of all kinds, a byte order mark, what nobody sees, and what is no character.
  static func needsEscape(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: (scalar > 0xFFFF && scalar & 0xFFFE == 0xFFFE) || InvisibleText.contains(scalar)
    }
  }
}
