import Digest

/// Where server and tag ids come from: the first 22 characters of base62 (`0-9A-Za-z`) of
/// SHA-256(seed ‖ next seq ‖ ordinal), the numbers as eight bytes, greatest first. Opaque, and the same for the same
/// seed and state; a caller that finds one taken asks for the next.
package struct IDSource: Sendable {
  private let seed: [UInt8]
  private let nextSeq: UInt64
  private var ordinal: UInt64 = 0

  /// - Parameters:
  ///   - seed: text of `--id-seed`, or random bytes.
  ///   - nextSeq: the number that the next event of the state has when the run begins.
  package init(seed: [UInt8], nextSeq: Int64) {
    self.seed = seed
    self.nextSeq = UInt64(bitPattern: nextSeq)
  }

  package mutating func next() -> Text {
    var hash = SHA256()
    hash.update(seed)
    hash.update(Self.bigEndian(nextSeq) + Self.bigEndian(ordinal))
    ordinal += 1
    return Text(Self.base62(hash.finish().bytes))
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }

  /// The digest as one number, 43 digits with leading zeros, of which the first 22.
  private static func base62(_ digest: [UInt8]) -> String {
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    var number = digest
    var digits = [UInt8](repeating: 0, count: 43)
    for position in stride(from: 42, through: 0, by: -1) {
      var remainder = 0
      for index in number.indices {
        let value = remainder << 8 | Int(number[index])
        number[index] = UInt8(value / 62)
        remainder = value % 62
      }
      digits[position] = letters[remainder]
    }
    return String(decoding: digits.prefix(22), as: UTF8.self)
  }
}
