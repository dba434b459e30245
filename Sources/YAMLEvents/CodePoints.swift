/// Walks over the code points of a text, its byte order mark left out. What is not valid in the encoding counts as
/// one code point where it begins: enough to count lines and columns up to a fault.
struct CodePoints: IteratorProtocol {
  private let bytes: UnsafeRawBufferPointer
  private let encoding: TextEncoding
  /// The byte at which the next code point begins.
  private(set) var offset: Int

  init(_ bytes: UnsafeRawBufferPointer, encoding: TextEncoding, from start: Int = 0) {
    self.bytes = bytes
    self.encoding = encoding
    offset = max(start, encoding.markLength(in: bytes))
  }

  mutating func next() -> UInt32? {
    guard offset < bytes.count else { return nil }
    if encoding == .utf8 { return nextOfUTF8() }
    let unit = takeUnit()
    guard unit & 0xFC00 == 0xD800, offset + 1 < bytes.count else { return unit }
    let before = offset
    let low = takeUnit()
    if low & 0xFC00 == 0xDC00 { return 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF }
    offset = before
    return unit
  }

  private mutating func nextOfUTF8() -> UInt32 {
    let lead = bytes[offset]
    offset += 1
    guard lead >= 0xC0 else { return UInt32(lead) < 0x80 ? UInt32(lead) : 0xFFFD }
    let following = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1
    var value = UInt32(lead) & (0x3F >> UInt32(following))
    for _ in 0..<following {
      guard offset < bytes.count, bytes[offset] & 0xC0 == 0x80 else { return 0xFFFD }
      value = value << 6 | UInt32(bytes[offset] & 0x3F)
      offset += 1
    }
    return value
  }

  private mutating func takeUnit() -> UInt32 {
    guard offset + 1 < bytes.count else {
      offset = bytes.count
      return 0xFFFD
    }
    let (first, second) = (UInt32(bytes[offset]), UInt32(bytes[offset + 1]))
    offset += 2
    return encoding == .utf16le ? second << 8 | first : first << 8 | second
  }
}
