/// Characters that nobody sees, or that move what stands around them: written as escapes, lest two texts look alike or
/// a line tells something else than it holds.
package enum InvisibleText {
  /// Bidi controls, the line separators U+2028 and U+2029, format characters and fillers.
  ///
  /// Not the joiners U+200C and U+200D nor variation selectors, which words and emoji need.
  package static func contains(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xAD, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
      0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
      true
    default: false
    }
  }

  /// Whether a byte of UTF-8 may begin one of them, so that nearly all others need no second look.
  package static func mayBegin(with lead: UInt8) -> Bool {
    switch lead {
    case 0xC2, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3: true
    default: false
    }
  }

  /// Whether the character that begins at a byte of valid UTF-8 is one of them, and how many bytes it takes.
  package static func found(at start: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> (UInt32, Int)? {
    let lead = start[0]
    guard mayBegin(with: lead) else { return nil }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard end - start >= length else { return nil }
    var scalar = UInt32(lead) & (0x7F >> UInt32(length))
    for position in 1..<length { scalar = scalar << 6 | UInt32(start[position] & 0x3F) }
    return contains(scalar) ? (scalar, length) : nil
  }
}
