import Digest

/// Where server and tag ids come from: the first 22 characters of base62 (`0-9A-Za-z`) of
/// SHA-256(seed ‖ next seq ‖ ordinal), the numbers as eight bytes, greatest first. Opaque, and the same for the same
/// seed and state; a caller that finds one taken asks for the next.
package struct IDSource: Sendable {
  package let nextSeq: Int64
  /// What was hashed of seed and next seq, common to all the source's ids.
  private let beginning: SHA256
  private var ordinal: UInt64 = 0
  /// The first ids, where they were made ahead.
  private var made = ContiguousArray<Text>()

  /// - Parameters:
  ///   - seed: text of `--id-seed`, or random bytes.
  ///   - nextSeq: the number that the next event of the state has when the run begins.
  package init(seed: [UInt8], nextSeq: Int64) {
    var hash = SHA256()
    hash.update(seed)
    hash.update(nextSeq)
    beginning = hash
    self.nextSeq = nextSeq
  }

  package mutating func next() -> Text {
    defer { ordinal += 1 }
    return ordinal < made.count ? made[Int(ordinal)] : id(ordinal)
  }

  /// The same source with so many ids ready: for a thread beside the one that will ask for them.
  package func ahead(_ count: Int) -> IDSource {
    var source = self
    source.made.reserveCapacity(count)
    for ordinal in 0..<count { source.made.append(id(UInt64(ordinal))) }
    return source
  }

  private func id(_ ordinal: UInt64) -> Text {
    var hash = beginning
    hash.update(ordinal)
    return Self.base62(hash.finish())
  }

  /// The first 22 of the 43 digits, leading zeros among them, that the digest has as one number.
  private static func base62(_ digest: SHA256.Digest) -> Text {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: SHA256.Digest.byteCount / 8) { number in
      digest.withBytes { bytes in
        for index in number.indices {
          number[index] = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
      }
      // The last 21 digits are left out. What is left has fewer and fewer words.
      _ = divide(number, 0..<4, by: tenDigits)
      _ = divide(number, 0..<4, by: tenDigits)
      _ = divide(number, 1..<4, by: 62)
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 22) { letters in
        write(divide(number, 1..<4, by: tenDigits), to: letters, 12..<22)
        write(divide(number, 2..<4, by: tenDigits), to: letters, 2..<12)
        write(number[3], to: letters, 0..<2)
        return Text(UnsafeBufferPointer(letters))
      }
    }
  }

  /// 62 to the power of ten: as many digits as a word has room for.
  private static let tenDigits: UInt64 = 839_299_365_868_340_224

  /// Divides a number, of which these are the words that are not zero, the greatest first; returns what is left over.
  @inline(__always)
  private static func divide(
    _ number: UnsafeMutableBufferPointer<UInt64>, _ words: Range<Int>, by divisor: UInt64
  ) -> UInt64 {
    var remainder: UInt64 = 0
    for index in words { (number[index], remainder) = divisor.dividingFullWidth((remainder, number[index])) }
    return remainder
  }

  /// Writes the number's digits to these positions.
  @inline(__always)
  private static func write(
    _ number: UInt64, to letters: UnsafeMutableBufferPointer<UInt8>, _ positions: Range<Int>
  ) {
    var rest = number
    for position in positions.reversed() {
      letters[position] = digits.utf8Start[Int(rest % 62)]
      rest /= 62
    }
  }

  private static let digits: StaticString = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
}
