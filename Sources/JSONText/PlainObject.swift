/// Finds the members of JSON objects that are written plainly, without building anything: nothing nested, texts without
/// escapes, and of numbers whole ones of up to eighteen digits. Most lines of most files of objects are so, and take a
/// tenth of the time that libjansson takes; of all else it says that it is not plain, and libjansson reads it.
package struct PlainObject {
  package struct Member: Sendable {
    /// The text of the key.
    package var key: Range<Int>
    /// The text of a text, or what another value looks like; empty for null.
    package var value: Range<Int>
  }

  /// In the order of the object; a key may be there twice.
  package private(set) var members = ContiguousArray<Member>()
  /// Whether no byte is above 0x7F. Otherwise it is not known whether the bytes are valid UTF-8.
  package private(set) var isASCII = true

  package init() {}

  /// Reads bytes that are nothing but one object with white space around it.
  /// - Returns: whether it is plain; false also for what is no JSON.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    members.removeAll(keepingCapacity: true)
    var cursor = PlainCursor(bytes)
    defer { isASCII = cursor.seen & 0x8080_8080_8080_8080 == 0 }
    guard cursor.take(UInt8(ascii: "{")) else { return false }
    if cursor.take(UInt8(ascii: "}")) { return cursor.isAtEnd }
    while true {
      guard let key = cursor.text(), cursor.take(UInt8(ascii: ":")), let value = cursor.value() else { return false }
      members.append(Member(key: key, value: value))
      if cursor.take(UInt8(ascii: ",")) { continue }
      return cursor.take(UInt8(ascii: "}")) && cursor.isAtEnd
    }
  }
}

/// Goes over plain tokens.
private struct PlainCursor {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// All bytes of texts, one over the other.
  private(set) var seen: UInt64 = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private mutating func skipBlanks() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset &+= 1
      default: return
      }
    }
  }

  var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return offset == bytes.count
    }
  }

  /// Goes over a byte if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard offset < bytes.count, bytes[offset] == byte else { return false }
    offset &+= 1
    return true
  }

  /// A text without escapes.
  mutating func text() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let begin = offset
    while true {
      if bytes.count &- offset >= 8 {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if !holdsEscaped(word) {
          seen |= word
          offset &+= 8
          continue
        }
      }
      let end = min(offset &+ 8, bytes.count)
      while offset < end {
        let byte = bytes[offset]
        offset &+= 1
        if byte == UInt8(ascii: "\"") { return begin..<offset &- 1 }
        if byte < 0x20 || byte == UInt8(ascii: "\\") { return nil }
        seen |= UInt64(byte)
      }
      if offset == bytes.count { return nil }
    }
  }

  mutating func value() -> Range<Int>? {
    skipBlanks()
    guard offset < bytes.count else { return nil }
    let begin = offset
    switch bytes[offset] {
    case UInt8(ascii: "\""): return text()
    case UInt8(ascii: "n"): return takeWord("null") ? begin..<begin : nil
    case UInt8(ascii: "t"): return takeWord("true") ? begin..<offset : nil
    case UInt8(ascii: "f"): return takeWord("false") ? begin..<offset : nil
    default: return takeNumber() ? begin..<offset : nil
    }
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    for position in 0..<count where bytes[offset + position] != word.utf8Start[position] { return false }
    offset += count
    return isAtValuesEnd
  }

  /// A whole number that is written as numbers are.
  private mutating func takeNumber() -> Bool {
    if bytes[offset] == UInt8(ascii: "-") { offset &+= 1 }
    let begin = offset
    while offset < bytes.count, bytes[offset] &- 0x30 < 10 { offset &+= 1 }
    let count = offset - begin
    guard count > 0, count <= 18, isAtValuesEnd else { return false }
    // Neither 007, which is none, nor -0, which is written 0.
    return bytes[begin] != 0x30 || count == 1 && begin > 0 && bytes[begin - 1] != UInt8(ascii: "-")
  }

  /// Whether what stands here may follow a value.
  private var isAtValuesEnd: Bool {
    guard offset < bytes.count else { return false }
    switch bytes[offset] {
    case UInt8(ascii: ","), UInt8(ascii: "}"), 0x20, 0x09, 0x0A, 0x0D: return true
    default: return false
    }
  }
}
