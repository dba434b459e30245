/// The bytes that a reader reads, its own or lent, and how far libyaml has taken them.
final class InputBytes {
  private let owned: [UInt8]
  private let lent: UnsafeRawBufferPointer?
  private var offset = 0

  init(owning bytes: [UInt8]) {
    owned = bytes
    lent = nil
  }

  init(borrowing bytes: UnsafeRawBufferPointer) {
    owned = []
    lent = bytes
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let lent { return body(lent) }
    return owned.withUnsafeBytes(body)
  }

  /// Copies the next bytes, at most `room` of them, and tells how many: none at the end.
  func read(into target: UnsafeMutableRawPointer, room: Int) -> Int {
    withBytes { bytes in
      let count = min(room, bytes.count - offset)
      if count > 0, let start = bytes.baseAddress {
        target.copyMemory(from: start + offset, byteCount: count)
        offset += count
      }
      return count
    }
  }
}
