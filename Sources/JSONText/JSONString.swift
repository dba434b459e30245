import InvisibleText

extension ByteBuffer {
  /// Appends the text as a JSON string with its quotes; escapes `"`, `\`, control characters, the short forms where
  /// there are some, and what nobody would see, such as bidi controls.
  package mutating func append(jsonString text: String) {
    append(text, showsInvisible: true)
  }

  /// The same for bytes that are valid UTF-8 already.
  package mutating func append(jsonString utf8: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    utf8.withMemoryRebound(to: UInt8.self) { appendEscaped($0, showsInvisible: true) }
    append(UInt8(ascii: "\""))
  }

  /// Likewise with the fewest escapes, as RFC 8785 asks.
  mutating func append(canonicalJSONString text: String) {
    append(text, showsInvisible: false)
  }

  private mutating func append(_ text: String, showsInvisible: Bool) {
    append(UInt8(ascii: "\""))
    let done: Void? = text.utf8.withContiguousStorageIfAvailable {
      appendEscaped($0, showsInvisible: showsInvisible)
    }
    if done == nil {
      let copy = Array(text.utf8)
      copy.withUnsafeBufferPointer { appendEscaped($0, showsInvisible: showsInvisible) }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>, showsInvisible: Bool) {
    guard var source = bytes.baseAddress else { return }
    var rest = bytes.count
    // Each byte may become six, so long texts go in parts lest they ask for six times their room.
    while rest > 0 {
      var part = min(rest, 4096)
      // No character is halved.
      while part < rest, part > 4093, source[part] & 0xC0 == 0x80 { part -= 1 }
      append(atMost: part * 6) { escape(source, count: part, into: $0, showsInvisible: showsInvisible) }
      source += part
      rest -= part
    }
  }
}

/// Copies eight bytes at a time as long as none needs a look; answers how many bytes were written.
private func escape(
  _ source: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>, showsInvisible: Bool
) -> Int {
  let looked: UInt64 = showsInvisible ? 0x8080_8080_8080_8080 : 0
  var read = 0
  var written = 0
  while read < count {
    if count &- read >= 8 {
      let word = UnsafeRawPointer(source + read).loadUnaligned(as: UInt64.self)
      if !holdsEscaped(word), word & looked == 0 {
        UnsafeMutableRawPointer(target + written).storeBytes(of: word, as: UInt64.self)
        read &+= 8
        written &+= 8
        continue
      }
    }
    let end = min(read &+ 8, count)
    while read < end {
      let byte = source[read]
      if showsInvisible, byte >= 0x80,
        let (scalar, length) = InvisibleText.found(at: source + read, before: source + count)
      {
        read &+= length
        for unit in String(Character(Unicode.Scalar(scalar) ?? "?")).utf16 {
          written &+= writeEscape(ofUnit: unit, to: target + written)
        }
        continue
      }
      read &+= 1
      if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") {
        target[written] = byte
        written &+= 1
      } else {
        written &+= writeEscape(of: byte, to: target + written)
      }
    }
  }
  return written
}

/// Whether one of eight bytes is below 0x20, a quote or a backslash. A borrow may name a byte too many, never one too
/// few; the caller looks again byte by byte.
@inline(__always)
func holdsEscaped(_ word: UInt64) -> Bool {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let quote = word ^ (ones &* 0x22)
  let backslash = word ^ (ones &* 0x5C)
  let control = (word &- ones &* 0x20) & ~word
  let found = control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
  return found & (ones &* 0x80) != 0
}

private func writeEscape(of byte: UInt8, to target: UnsafeMutablePointer<UInt8>) -> Int {
  let short: Unicode.Scalar? =
    switch byte {
    case 0x08: "b"
    case 0x09: "t"
    case 0x0A: "n"
    case 0x0C: "f"
    case 0x0D: "r"
    case 0x22: "\""
    case 0x5C: "\\"
    default: nil
    }
  guard let short else { return writeEscape(ofUnit: UInt16(byte), to: target) }
  target[0] = UInt8(ascii: "\\")
  target[1] = UInt8(ascii: short)
  return 2
}

/// `\u` and four digits.
private func writeEscape(ofUnit unit: UInt16, to target: UnsafeMutablePointer<UInt8>) -> Int {
  target[0] = UInt8(ascii: "\\")
  target[1] = UInt8(ascii: "u")
  for place in 0..<4 {
    let digit = UInt8(truncatingIfNeeded: unit >> UInt16(12 - 4 * place) & 0xF)
    target[2 + place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
  return 6
}
