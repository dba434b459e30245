/// Bytes on their way out: grows as needed, is emptied into a sink piece by piece, and never makes a `String`.
package struct ByteBuffer: ~Copyable {
  /// How many bytes wait in the buffer.
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var capacity: Int
  @usableFromInline var storage: UnsafeMutablePointer<UInt8>

  /// The size of the pieces that a sink gets: as fast as one big write, small enough to stay in the cache.
  package static let piece = 256 << 10

  package init(capacity: Int = 1024) {
    self.capacity = max(capacity, 64)
    storage = .allocate(capacity: self.capacity)
  }

  deinit {
    storage.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// Makes room for some bytes and lets `fill` write them; it answers how many it wrote.
  @inlinable @inline(__always)
  package mutating func append(atMost room: Int, fill: (UnsafeMutablePointer<UInt8>) -> Int) {
    if capacity - count < room { grow(by: room) }
    count += fill(storage + count)
  }

  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    if capacity == count { grow(by: 1) }
    storage[count] = byte
    count += 1
  }

  @inline(__always)
  package mutating func append(_ text: StaticString) {
    if text.hasPointerRepresentation {
      append(bytes: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    } else {
      text.withUTF8Buffer { append(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// Appends the text as it is, nothing escaped.
  package mutating func append(utf8 text: String) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { append(bytes: UnsafeRawBufferPointer($0)) }
    if done == nil {
      for byte in text.utf8 { append(byte) }
    }
  }

  @inlinable @inline(__always)
  package mutating func append(bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    UnsafeMutableRawPointer(storage + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  package mutating func append(bytes: [UInt8]) {
    bytes.withUnsafeBytes { append(bytes: $0) }
  }

  @inlinable
  package mutating func append(bytes other: borrowing ByteBuffer) {
    append(bytes: UnsafeRawBufferPointer(start: other.storage, count: other.count))
  }

  /// Appends a number in decimal digits.
  package mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: UInt64(number.magnitude))
  }

  package mutating func append(decimal number: UInt64) {
    append(atMost: LineCursor.digits) { target in
      var cursor = LineCursor(target)
      cursor.put(decimal: number)
      return cursor.distance(from: target)
    }
  }

  /// Forgets the bytes and keeps the room.
  package mutating func removeAll() {
    count = 0
  }

  /// Lends the bytes for the length of the call.
  @inlinable
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: storage, count: count))
  }

  /// A copy of the bytes.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: storage, count: count)) }

  /// Hands all bytes to the sink and forgets them once at least so many wait; to be called after each record, and
  /// with 1 after the last. When the sink throws, the bytes stay.
  @inline(__always)
  package mutating func drain<Failure: Error>(
    atLeast least: Int = ByteBuffer.piece, into sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if count < max(least, 1) { return }
    try sink(UnsafeRawBufferPointer(start: storage, count: count))
    count = 0
  }

  @usableFromInline @inline(never)
  mutating func grow(by room: Int) {
    let larger = max(capacity * 2, count + room)
    let target = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    target.update(from: storage, count: count)
    storage.deallocate()
    storage = target
    capacity = larger
  }
}
