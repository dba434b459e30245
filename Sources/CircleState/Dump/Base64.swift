import JSONText

/// Bytes as text of 64 letters (RFC 4648, section 4).
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each letter; 255 for what is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  static func append(_ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) {
    let size = (bytes.count + 2) / 3 * 4
    buffer.append(atMost: size) { target in
      letters.withUnsafeBufferPointer { letters in
        var written = 0
        for start in stride(from: 0, to: bytes.count, by: 3) {
          let left = min(3, bytes.count - start)
          var word = UInt32(bytes[start]) << 16
          if left > 1 { word |= UInt32(bytes[start + 1]) << 8 }
          if left > 2 { word |= UInt32(bytes[start + 2]) }
          for place in 0..<4 {
            let value = Int(word >> UInt32(18 - 6 * place)) & 63
            target[written + place] = place <= left ? letters[value] : UInt8(ascii: "=")
          }
          written += 4
        }
      }
      return size
    }
  }

  /// Nil for text that `append` never writes.
  static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for start in stride(from: 0, to: text.count, by: 4) {
      let isLast = start + 4 == text.count
      let padding = isLast ? text[start..<start + 4].reversed().prefix { $0 == UInt8(ascii: "=") }.count : 0
      guard padding < 3 else { return nil }
      var word: UInt32 = 0
      for place in 0..<4 - padding {
        let value = values[Int(text[start + place])]
        guard value < 64 else { return nil }
        word |= UInt32(value) << UInt32(18 - 6 * place)
      }
      // The bits that no byte takes are 0.
      guard word & (padding == 2 ? 0xFFFF : padding == 1 ? 0xFF : 0) == 0 else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: word >> 16))
      if padding < 2 { bytes.append(UInt8(truncatingIfNeeded: word >> 8)) }
      if padding < 1 { bytes.append(UInt8(truncatingIfNeeded: word)) }
    }
    return bytes
  }
}
