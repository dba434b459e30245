/// Tells the texts that `PlainScanner` may begin with, by their characters alone.
enum PlainText {
  /// Whether the text is UTF-8 without byte order mark that libyaml can read to its end, in lines that end with LF
  /// alone, and without tabs.
  ///
  /// libyaml decodes ahead of what it scans, so a character that it refuses stops it earlier than where the character
  /// stands; hence all of the text is looked at first.
  static func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count < Int(Int32.max), LineCorrections.isOrdinary(bytes) else { return false }
    var offset = 0
    while offset < bytes.count {
      if offset + 8 <= bytes.count,
        isPlain(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      {
        offset += 8
        continue
      }
      let length = lengthOfCharacter(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      if length == 0 { return false }
      offset += length
    }
    return true
  }

  /// Whether each of eight bytes is from a space to `~`, or LF.
  private static func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs = ones &* 0x80
    if word & highs != 0 { return false }
    // No byte is above 7F, so each sum stays in its byte and sets the byte's high bit where the condition holds.
    let isDelete = word &+ ones
    let isVisible = word &+ ones &* (0x80 - 0x20)
    let lineFeeds = word ^ ones &* 0x0A
    let isOther = lineFeeds &+ ones &* 0x7F
    return (isVisible | ~isOther) & highs == highs && isDelete & highs == 0
  }

  /// How many bytes the first character takes; 0 when it is none that libyaml takes or one that is not plain.
  private static func lengthOfCharacter(_ bytes: UnsafeRawBufferPointer) -> Int {
    let lead = bytes[0]
    if lead < 0x80 { return lead >= 0x20 && lead < 0x7F || lead == 0x0A ? 1 : 0 }
    let (length, least): (Int, UInt32)
    switch lead {
    case 0xC2...0xDF: (length, least) = (2, 0xA0)
    case 0xE0...0xEF: (length, least) = (3, 0x800)
    case 0xF0...0xF4: (length, least) = (4, 0x10000)
    default: return 0
    }
    guard length <= bytes.count else { return 0 }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for byte in bytes[1..<length] {
      guard byte & 0xC0 == 0x80 else { return 0 }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    switch value {
    case ..<least, 0xD800...0xDFFF, 0xFEFF, 0xFFFE, 0xFFFF, 0x110000...: return 0
    default: return length
    }
  }
}
