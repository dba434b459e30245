import Glibc

/// A text as it was written, equal only to the same UTF-8 bytes.
///
/// Names, tags, handles and profile fields are compared and ordered by their bytes; `String` compares by canonical
/// equivalence and would take two different names for one.
package struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    string = String(decoding: bytes, as: UTF8.self)
  }

  package init(stringLiteral value: StaticString) {
    string = value.description
  }

  package var description: String { string }
  package var isEmpty: Bool { string.isEmpty }

  package static func == (left: Text, right: Text) -> Bool {
    // The same bytes are the same string too, and nearly all texts that differ are told apart by the library's ways.
    guard left.string.utf8.count == right.string.utf8.count, left.string == right.string else { return false }
    return left.withBytes { a in
      right.withBytes { b in
        guard let x = a.baseAddress, let y = b.baseAddress else { return true }
        return memcmp(x, y, a.count) == 0
      }
    }
  }

  package static func < (left: Text, right: Text) -> Bool {
    left.withBytes { a in right.withBytes { b in a.lexicographicallyPrecedes(b) } }
  }

  package func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Calls `body` with the UTF-8 bytes, without a copy where the text is stored as UTF-8.
  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    if let result = string.utf8.withContiguousStorageIfAvailable(body) { return result }
    return Array(string.utf8).withUnsafeBufferPointer(body)
  }

  /// Whether the bytes of `prefix` stand at the beginning; code points are then the same too.
  package func begins(with prefix: Text) -> Bool {
    string.utf8.starts(with: prefix.string.utf8)
  }
}
