/// What one pass over a text's UTF-8 bytes tells, for rules that are checked a million times.
struct TextFacts {
  /// What `NSString.length` and Java's `String.length()` count.
  private(set) var codeUnits = 0
  /// Nothing, or nothing but white space (as Unicode has it).
  private(set) var isBlank = true
  private(set) var hasWhitespace = false
  /// A control character (general category Cc) other than LF and TAB.
  private(set) var hasControl = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var position = 0
    while position < bytes.count {
      if bytes.count - position >= 8, Self.isVisible(bytes, position) {
        codeUnits += 8
        isBlank = false
        position += 8
        continue
      }
      let byte = bytes[position]
      if byte < 0x80 {
        codeUnits += 1
        if byte > 0x20 && byte != 0x7F {
          isBlank = false
        } else {
          noteSpaceOrControl(byte)
        }
        position += 1
      } else {
        let length = Self.length(byte)
        codeUnits += length == 4 ? 2 : 1
        note(Self.scalar(bytes, position, length))
        position += length
      }
    }
  }

  /// Whether the eight bytes are visible ASCII. A borrow may deny it of some that are, never grant it.
  private static func isVisible(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Bool {
    let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    let delete = word ^ (ones &* 0x7F)
    let found = word | (word &- ones &* 0x21) | ((delete &- ones) & ~delete)
    return found & (ones &* 0x80) == 0
  }

  private mutating func noteSpaceOrControl(_ byte: UInt8) {
    switch byte {
    case 0x20, 0x09, 0x0A: hasWhitespace = true
    case 0x0B...0x0D:
      hasWhitespace = true
      hasControl = true
    default:
      isBlank = false
      hasControl = true
    }
  }

  private mutating func note(_ scalar: UInt32) {
    switch scalar {
    case 0x85:
      hasWhitespace = true
      hasControl = true
    case 0x80...0x9F:
      isBlank = false
      hasControl = true
    case 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
      hasWhitespace = true
    default:
      isBlank = false
    }
  }

  private static func length(_ lead: UInt8) -> Int {
    lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  }

  /// The scalar that begins at `position`; bytes beyond the end count as zero, so that no input can make it trap.
  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ length: Int) -> UInt32 {
    var scalar = UInt32(bytes[position]) & (0x7F >> UInt32(length))
    for next in position + 1..<position + length {
      scalar = scalar << 6 | (next < bytes.count ? UInt32(bytes[next] & 0x3F) : 0)
    }
    return scalar
  }
}
