import CircleState

/// Rows as `COPY … FROM STDIN (FORMAT binary)` takes them.
struct CopyData {
  private(set) var bytes: [UInt8]

  init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
    bytes.append(contentsOf: "PGCOPY\n".utf8)
    bytes.append(contentsOf: [0xFF, 0x0D, 0x0A, 0x00])
    // No flags, no further header.
    bytes.append(bigEndian: UInt64(0))
  }

  mutating func beginRow(columns: Int) {
    bytes.append(bigEndian: Int16(columns))
  }

  mutating func add(_ value: UInt32) {
    bytes.append(bigEndian: UInt32(4))
    bytes.append(bigEndian: value)
  }

  mutating func add(_ value: Int64) {
    bytes.append(bigEndian: UInt32(8))
    bytes.append(bigEndian: value)
  }

  mutating func add(_ value: some Collection<UInt8>) {
    bytes.append(bigEndian: UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func end() {
    bytes.append(bigEndian: Int16(-1))
  }
}
