import Digest

/// The check at the end of a row that nothing else in the state repeats: the first bytes of the row's own SHA-256.
///
/// What memberships, users and servers are is in the log too, and the log is hashed. How far a state has come, where its
/// log was cut, and who wrote a run, stands in one place only: without a check a bit that tips there would be believed.
package enum Seal {
  package static let byteCount = 4

  /// The bytes with their check behind them.
  package static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    bytes + SHA256.digest(of: bytes).bytes.prefix(byteCount)
  }

  /// The bytes before the check.
  /// - Throws: `.damaged` when it does not fit them.
  static func opened(_ row: UnsafeRawBufferPointer) throws(StateError) -> UnsafeRawBufferPointer {
    guard row.count >= byteCount else { throw PackedReader.damaged }
    let bytes = UnsafeRawBufferPointer(rebasing: row.dropLast(byteCount))
    let fits = SHA256.digest(of: bytes).withBytes { $0.prefix(byteCount).elementsEqual(row.suffix(byteCount)) }
    guard fits else { throw PackedReader.damaged }
    return bytes
  }
}
