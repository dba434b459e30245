package import CircleModel
package import Digest

/// Reads what `PackedWriter` wrote; never beyond the end, whatever the bytes are.
package struct PackedReader {
  private let bytes: UnsafeRawBufferPointer
  package private(set) var position = 0

  /// - Parameter bytes: stay valid as long as the reader, and what `text()` returned, is used.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  package var isAtEnd: Bool { position == bytes.count }
  /// What has been read from a position on.
  func read(since start: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[start..<position]) }
  package var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  package static var damaged: StateError { .damaged("a stored row is cut or garbled") }

  package mutating func byte() throws(StateError) -> UInt8 {
    guard position < bytes.count else { throw Self.damaged }
    defer { position += 1 }
    return bytes[position]
  }

  /// 0 or 1, nothing else.
  package mutating func flag() throws(StateError) -> Bool {
    let value = try byte()
    guard value < 2 else { throw Self.damaged }
    return value == 1
  }

  package mutating func number() throws(StateError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let next = bytes[position]
      position += 1
      value |= UInt64(next & 0x7F) &<< shift
      if next < 0x80 { return value }
      shift += 7
    }
    throw Self.damaged
  }

  package mutating func small() throws(StateError) -> UInt32 {
    guard let value = UInt32(exactly: try number()) else { throw Self.damaged }
    return value
  }

  /// A count of things that each take at least one byte, so that a garbled one can't ask for gigabytes.
  package mutating func count() throws(StateError) -> Int {
    let value = try number()
    guard value <= UInt64(bytes.count - position) else { throw Self.damaged }
    return Int(value)
  }

  package mutating func signed() throws(StateError) -> Int64 {
    let value = try number()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// How many of something there are elsewhere: so few that sums of counts can't overflow.
  package mutating func amount() throws(StateError) -> Int {
    let value = try number()
    guard value <= Self.largest else { throw Self.damaged }
    return Int(value)
  }

  /// A number that only ever grows, of an event or a revision: so small that what is added to it can't overflow.
  package mutating func serial() throws(StateError) -> Int64 {
    let value = try signed()
    guard 0...Int64(Self.largest) ~= value else { throw Self.damaged }
    return value
  }

  private static let largest: UInt64 = 1 << 53

  /// A number of an ascending list, stored as what it is more than the one before.
  package mutating func ascending<Number: FixedWidthInteger & UnsignedInteger>(
    from last: Number
  ) throws(StateError) -> Number {
    guard let step = Number(exactly: try number()) else { throw Self.damaged }
    let (next, overflows) = last.addingReportingOverflow(step)
    guard !overflows else { throw Self.damaged }
    return next
  }

  package mutating func bytes(_ count: Int) throws(StateError) -> UnsafeBufferPointer<UInt8> {
    guard count >= 0, count <= bytes.count - position else { throw Self.damaged }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]).bindMemory(to: UInt8.self)
  }

  package mutating func digest() throws(StateError) -> SHA256.Digest {
    let bytes = UnsafeRawBufferPointer(try bytes(SHA256.Digest.byteCount))
    guard let digest = SHA256.Digest(bytes: bytes) else { throw Self.damaged }
    return digest
  }

  package mutating func text() throws(StateError) -> UnsafeBufferPointer<UInt8> {
    try bytes(try count())
  }

  package mutating func textValue() throws(StateError) -> Text { Text(try text()) }

  package mutating func optional() throws(StateError) -> Text? {
    switch try byte() {
    case 0: nil
    case 1: try textValue()
    default: throw Self.damaged
    }
  }

  /// A column of `count` numbers. `count` was read and checked by the caller.
  package mutating func column(_ count: Int) throws(StateError) -> NumberColumn {
    guard count > 0 else { return NumberColumn(constant: 0) }
    switch try byte() {
    case 0: return NumberColumn(constant: try signed())
    case 1:
      var values = ContiguousArray<Int64>()
      values.reserveCapacity(count)
      var last: Int64 = 0
      for _ in 0..<count {
        last &+= try signed()
        values.append(last)
      }
      return NumberColumn(values)
    default: throw Self.damaged
    }
  }
}

/// A column of numbers as read: one for all, or one each.
package struct NumberColumn {
  private let constant: Int64
  private let values: ContiguousArray<Int64>

  init(constant: Int64) {
    self.constant = constant
    values = []
  }

  init(_ values: ContiguousArray<Int64>) {
    constant = 0
    self.values = values
  }

  package subscript(_ position: Int) -> Int64 {
    values.isEmpty ? constant : values[position]
  }
}
