import Digest

/// Where server and tag ids come from: the first 22 characters of base62 (`0-9A-Za-z`) of
/// SHA-256(seed ‖ next seq ‖ ordinal), the numbers as eight bytes, greatest first. Opaque, and the same for the same
/// seed and state; a caller that finds one taken asks for the next.
package struct IDSource: Sendable {
  /// What was hashed of seed and next seq, common to all the source's ids.
  private let beginning: SHA256
  private var ordinal: UInt64 = 0

  /// - Parameters:
  ///   - seed: text of `--id-seed`, or random bytes.
  ///   - nextSeq: the number that the next event of the state has when the run begins.
  package init(seed: [UInt8], nextSeq: Int64) {
    var hash = SHA256()
    hash.update(seed)
    hash.update(nextSeq)
    beginning = hash
  }

  package mutating func next() -> Text {
    var hash = beginning
    hash.update(ordinal)
    ordinal += 1
    return Self.base62(hash.finish())
  }

  /// The first 22 of the 43 digits, leading zeros among them, that the digest has as one number.
  private static func base62(_ digest: SHA256.Digest) -> Text {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: SHA256.Digest.byteCount / 4) { number in
      digest.withBytes { bytes in
        for index in number.indices {
          number[index] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
      }
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { letters in
        var end = 43
        var rest = number[...]
        while end > 0 {
          // Five digits at once, the last first: as many as a word of the number can be divided by.
          let start = max(0, end - 5)
          var group = divide(UnsafeMutableBufferPointer(rebasing: rest), by: 62 * 62 * 62 * 62 * 62)
          while rest.first == 0 { rest.removeFirst() }
          for position in (start..<end).reversed() where start < letters.count {
            if position < letters.count { letters[position] = letter(UInt8(group % 62)) }
            group /= 62
          }
          end = start
        }
        return Text(UnsafeBufferPointer(letters))
      }
    }
  }

  /// Divides a number whose greatest word stands first, and returns what is left over.
  @inline(__always)
  private static func divide(_ number: UnsafeMutableBufferPointer<UInt32>, by divisor: UInt64) -> UInt64 {
    var remainder: UInt64 = 0
    for index in number.indices {
      let (quotient, rest) = (remainder << 32 | UInt64(number[index])).quotientAndRemainder(dividingBy: divisor)
      number[index] = UInt32(truncatingIfNeeded: quotient)
      remainder = rest
    }
    return remainder
  }

  private static func letter(_ digit: UInt8) -> UInt8 {
    switch digit {
    case 0..<10: UInt8(ascii: "0") + digit
    case 10..<36: UInt8(ascii: "A") + digit - 10
    default: UInt8(ascii: "a") + digit - 36
    }
  }
}
