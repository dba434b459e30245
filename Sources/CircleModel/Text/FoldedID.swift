/// Ids in ASCII lower case: two that differ in it only are the same user, and lists are in its order.
package enum FoldedID {
  @inlinable
  package static func lowered(_ byte: UInt8) -> UInt8 {
    byte &- 65 < 26 ? byte | 0x20 : byte
  }

  /// Appends an id in lower case.
  package static func append(_ id: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: id)
    bytes.withUnsafeMutableBufferPointer { bytes in
      for position in start..<bytes.count { bytes[position] = lowered(bytes[position]) }
    }
  }

  /// The first sixteen bytes, lower-cased, as two numbers that are ordered as they are; what is missing is 0.
  @inlinable
  package static func words(of id: UnsafeBufferPointer<UInt8>) -> (head: UInt64, tail: UInt64) {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    let count = id.count
    for position in 0..<8 {
      head = head << 8 | (position < count ? UInt64(lowered(id[position])) : 0)
    }
    if count > 8 {
      for position in 8..<16 {
        tail = tail << 8 | (position < count ? UInt64(lowered(id[position])) : 0)
      }
    }
    return (head, tail)
  }
}

extension Text {
  /// In ASCII lower case.
  package var folded: Text {
    Text(String(decoding: string.utf8.map(FoldedID.lowered), as: UTF8.self))
  }
}
