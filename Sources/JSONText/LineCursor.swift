/// Writes a line into room that a `ByteBuffer` has made for it, without asking for each value whether it is enough.
///
/// For lines of which a report has a million. Whoever makes the room counts what he puts.
package struct LineCursor {
  /// Where the next byte goes.
  @usableFromInline var position: UnsafeMutablePointer<UInt8>

  /// The most digits that a number has.
  package static let digits = 20

  @inlinable @inline(__always)
  package init(_ start: UnsafeMutablePointer<UInt8>) {
    position = start
  }

  /// How many bytes stand between `start` and here.
  @inlinable @inline(__always)
  package func distance(from start: UnsafeMutablePointer<UInt8>) -> Int { position - start }

  @inlinable @inline(__always)
  package mutating func put(_ byte: UInt8) {
    position.pointee = byte
    position += 1
  }

  /// Puts what is known when the program is built: plain ASCII of several letters.
  @inlinable @inline(__always)
  package mutating func put(_ text: StaticString) {
    UnsafeMutableRawPointer(position).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    position += text.utf8CodeUnitCount
  }

  @inlinable @inline(__always)
  package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(position).copyMemory(from: start, byteCount: bytes.count)
    position += bytes.count
  }

  @inlinable @inline(__always)
  package mutating func put(_ bytes: borrowing ByteBuffer) {
    UnsafeMutableRawPointer(position).copyMemory(from: bytes.storage, byteCount: bytes.count)
    position += bytes.count
  }

  @inlinable @inline(__always)
  package mutating func put(decimal number: UInt64) {
    var length = 1
    var bound: UInt64 = 10
    while number >= bound {
      length &+= 1
      if length == Self.digits { break }
      bound &*= 10
    }
    var rest = number
    var digit = length
    while digit > 0 {
      digit &-= 1
      let tenth = rest / 10
      position[digit] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- tenth &* 10)
      rest = tenth
    }
    position += length
  }

  /// Puts a text that is printable ASCII without a quote or a backslash, as ids and handles are, as a JSON string.
  ///
  /// - Returns: false where it is not, and what stands here now is of no use.
  @inlinable @inline(__always)
  package mutating func put(plain text: UnsafeBufferPointer<UInt8>) -> Bool {
    put(UInt8(ascii: "\""))
    guard let start = text.baseAddress else {
      put(UInt8(ascii: "\""))
      return true
    }
    var odd: UInt64 = 0
    var read = 0
    while text.count &- read >= 8 {
      let word = UnsafeRawPointer(start + read).loadUnaligned(as: UInt64.self)
      odd |= Self.oddBytes(of: word)
      UnsafeMutableRawPointer(position + read).storeBytes(of: word, as: UInt64.self)
      read &+= 8
    }
    while read < text.count {
      let byte = start[read]
      odd |= Self.oddBytes(of: UInt64(byte) | 0x6161_6161_6161_6100)
      position[read] = byte
      read &+= 1
    }
    position += text.count
    put(UInt8(ascii: "\""))
    return odd == 0
  }

  /// Not 0 where one of eight bytes is a control character, a quote, a backslash, DEL or no ASCII. A borrow may name a
  /// byte too many, never one too few; the caller then takes the slow way.
  @inlinable @inline(__always)
  static func oddBytes(of word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let delete = word ^ (ones &* 0x7F)
    let control = (word &- ones &* 0x20) & ~word
    let found =
      control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((delete &- ones) & ~delete) | word
    return found & (ones &* 0x80)
  }
}
