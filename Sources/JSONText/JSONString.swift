extension ByteBuffer {
  /// Appends the text as a JSON string with its quotes; escapes only `"`, `\` and control characters, the short forms
  /// where there are some, as RFC 8785 asks.
  package mutating func append(jsonString text: String) {
    append(UInt8(ascii: "\""))
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { appendEscaped($0) }
    if done == nil {
      let copy = Array(text.utf8)
      copy.withUnsafeBufferPointer { appendEscaped($0) }
    }
    append(UInt8(ascii: "\""))
  }

  /// The same for bytes that are valid UTF-8 already.
  package mutating func append(jsonString utf8: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    utf8.withMemoryRebound(to: UInt8.self) { appendEscaped($0) }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard var source = bytes.baseAddress else { return }
    var rest = bytes.count
    // Each byte may become six, so long texts go in parts lest they ask for six times their room.
    while rest > 0 {
      let part = min(rest, 4096)
      append(atMost: part * 6) { escape(source, count: part, into: $0) }
      source += part
      rest -= part
    }
  }
}

/// Copies eight bytes at a time as long as none needs an escape; answers how many bytes were written.
private func escape(
  _ source: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>
) -> Int {
  var read = 0
  var written = 0
  while read < count {
    if count &- read >= 8 {
      let word = UnsafeRawPointer(source + read).loadUnaligned(as: UInt64.self)
      if !holdsEscaped(word) {
        UnsafeMutableRawPointer(target + written).storeBytes(of: word, as: UInt64.self)
        read &+= 8
        written &+= 8
        continue
      }
    }
    let end = min(read &+ 8, count)
    while read < end {
      let byte = source[read]
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
private func holdsEscaped(_ word: UInt64) -> Bool {
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
  target[0] = UInt8(ascii: "\\")
  if let short {
    target[1] = UInt8(ascii: short)
    return 2
  }
  target[1] = UInt8(ascii: "u")
  target[2] = UInt8(ascii: "0")
  target[3] = UInt8(ascii: "0")
  target[4] = UInt8(ascii: "0") + byte >> 4
  let low = byte & 0xF
  target[5] = low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10
  return 6
}
