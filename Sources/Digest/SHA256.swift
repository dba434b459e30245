import CNettle

/// SHA-256 (FIPS 180-4) of bytes that come in pieces.
///
/// A copy continues on its own from the same state, so a common beginning is hashed once.
package struct SHA256: Sendable {
  private var context: sha256_ctx

  package init() {
    context = sha256_ctx()
    nettle_sha256_init(&context)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    nettle_sha256_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
  }

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Hashes a number's bytes, greatest first.
  package mutating func update(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { update($0) }
  }

  /// Hashes the text's UTF-8 bytes, without a copy where the text already holds them in a row.
  package mutating func update(_ text: some StringProtocol) {
    let hashed: Void? = text.utf8.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if hashed == nil { update(Array(text.utf8)) }
  }

  /// The digest of all that was hashed so far.
  package consuming func finish() -> Digest {
    var last = context
    return withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { buffer in
      nettle_sha256_digest(&last, buffer.count, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
      return Digest(loading: UnsafeRawBufferPointer(buffer))
    }
  }

  /// The digest of bytes that are all at hand.
  package static func digest(of bytes: UnsafeRawBufferPointer) -> Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  package static func digest(of bytes: [UInt8]) -> Digest {
    bytes.withUnsafeBytes { digest(of: $0) }
  }

  package static func digest(of text: some StringProtocol) -> Digest {
    var hash = SHA256()
    hash.update(text)
    return hash.finish()
  }
}
