import CircleState

/// The parameters of a command, in PostgreSQL's binary form.
struct Parameters {
  private(set) var bytes: [UInt8] = []
  private(set) var types: [UInt32] = []
  private(set) var ends: [Int] = []

  /// The numbers by which PostgreSQL knows types.
  enum TypeNumber {
    static let bytes: UInt32 = 17
    static let long: UInt32 = 20
    static let integer: UInt32 = 23
    static let byteses: UInt32 = 1001
    static let longs: UInt32 = 1016
    static let integers: UInt32 = 1007
  }

  mutating func add(_ value: UInt32) {
    bytes.append(bigEndian: value)
    end(TypeNumber.integer)
  }

  mutating func add(_ value: Int64) {
    bytes.append(bigEndian: value)
    end(TypeNumber.long)
  }

  mutating func add(_ value: some Sequence<UInt8>) {
    bytes.append(contentsOf: value)
    end(TypeNumber.bytes)
  }

  /// An array of numbers of 31 bits.
  mutating func add(each values: some Collection<UInt32>) {
    beginArray(values.count, of: TypeNumber.integer)
    for value in values {
      bytes.append(bigEndian: UInt32(4))
      bytes.append(bigEndian: value)
    }
    end(TypeNumber.integers)
  }

  mutating func add(each values: [Int64]) {
    beginArray(values.count, of: TypeNumber.long)
    for value in values {
      bytes.append(bigEndian: UInt32(8))
      bytes.append(bigEndian: value)
    }
    end(TypeNumber.longs)
  }

  /// An array of byte strings.
  mutating func add(each values: some Collection<some Collection<UInt8>>) {
    beginArray(values.count, of: TypeNumber.bytes)
    for value in values {
      bytes.append(bigEndian: UInt32(value.count))
      bytes.append(contentsOf: value)
    }
    end(TypeNumber.byteses)
  }

  private mutating func beginArray(_ count: Int, of type: UInt32) {
    // One dimension, no nulls, counted from 1.
    for word in [1, 0, type, UInt32(count), 1] { bytes.append(bigEndian: word) }
  }

  private mutating func end(_ type: UInt32) {
    types.append(type)
    ends.append(bytes.count)
  }
}

extension [UInt8] {
  /// Appends a number, its highest byte first.
  mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
