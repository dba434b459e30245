package import CircleModel

/// Bytes of a stored row: numbers as LEB128 varints, texts with their length in front, columns of numbers.
package struct PackedWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
  }

  package mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  package mutating func raw(_ value: some Collection<UInt8>) {
    bytes.append(contentsOf: value)
  }

  package mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func number(_ value: UInt32) { number(UInt64(value)) }

  package mutating func count(_ value: Int) { number(UInt64(value)) }

  /// Small in size whether positive or negative.
  package mutating func signed(_ value: Int64) {
    number(UInt64(bitPattern: value &<< 1 ^ value >> 63))
  }

  package mutating func text(_ value: UnsafeBufferPointer<UInt8>) {
    number(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  package mutating func text(_ value: Text) {
    // The library's own way is inlined here; a closure of ours would be called for each of millions.
    let done: Void? = value.string.utf8.withContiguousStorageIfAvailable { text($0) }
    if done == nil { Array(value.string.utf8).withUnsafeBufferPointer { text($0) } }
  }

  package mutating func text(_ value: String) { text(Text(value)) }

  /// A text or its absence, which differs from the empty text.
  package mutating func optional(_ value: Text?) {
    byte(value == nil ? 0 : 1)
    if let value { text(value) }
  }

  /// A column of `count` numbers: one number when they are all the same, else the differences.
  package mutating func column(_ count: Int, _ value: (Int) -> Int64) {
    guard count > 0 else { return }
    let first = value(0)
    var position = 1
    while position < count, value(position) == first { position += 1 }
    guard position < count else {
      byte(0)
      signed(first)
      return
    }
    byte(1)
    var last: Int64 = 0
    for position in 0..<count {
      let next = value(position)
      signed(next &- last)
      last = next
    }
  }
}

extension [UInt8] {
  /// `withUnsafeBytes` with a typed error.
  func withRaw<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try withUnsafeBufferPointer { (bytes) throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}
