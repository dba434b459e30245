extension SHA256 {
  /// The 32 bytes that SHA-256 gives, held in place.
  package struct Digest: Hashable, Sendable {
    package static let byteCount = 32

    // The bytes in their order, eight to a word, as they lie in memory.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    /// 32 zero bytes, which stand where there is nothing to digest: before the first link of a chain.
    package static let zero = withUnsafeBytes(of: (UInt64(0), UInt64(0), UInt64(0), UInt64(0))) { Self(loading: $0) }

    /// Takes the first 32 of `bytes`, which the caller has counted.
    init(loading bytes: UnsafeRawBufferPointer) {
      first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
      second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      third = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      fourth = bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    }

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: UnsafeRawBufferPointer) {
      guard bytes.count == Self.byteCount else { return nil }
      self.init(loading: bytes)
    }

    /// Nil unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
      guard bytes.count == Self.byteCount else { return nil }
      self = bytes.withUnsafeBytes { Self(loading: $0) }
    }

    /// Nil unless `hex` is exactly 64 hexadecimal digits, in either case.
    package init?(hex: some StringProtocol) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(Self.byteCount)
      var high: UInt8?
      for character in hex.utf8 {
        guard let digit = Self.value(ofDigit: character), bytes.count < Self.byteCount else { return nil }
        if let upper = high {
          bytes.append(upper << 4 | digit)
          high = nil
        } else {
          high = digit
        }
      }
      guard high == nil else { return nil }
      self.init(bytes: bytes)
    }

    /// Lends the 32 bytes, without a copy on the heap.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
      try withUnsafeBytes(of: (first, second, third, fourth), body)
    }

    package var bytes: [UInt8] { withBytes { Array($0) } }

    /// 64 hexadecimal digits, lower case.
    package var hex: String {
      withBytes { bytes in
        String(unsafeUninitializedCapacity: 2 * Self.byteCount) { text in
          for (index, byte) in bytes.enumerated() {
            text[2 * index] = Self.digit(of: byte >> 4)
            text[2 * index + 1] = Self.digit(of: byte & 0xF)
          }
          return 2 * Self.byteCount
        }
      }
    }

    private static func digit(of value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
      default: nil
      }
    }
  }
}

extension SHA256.Digest: CustomStringConvertible {
  package var description: String { hex }
}
