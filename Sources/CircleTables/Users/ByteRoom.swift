/// Bytes that are put together, or read, again and again in the same room, which grows to the most that it ever held.
///
/// What is appended fits what `reserve` was told of: nothing checks it once more.
final class ByteRoom {
  private var room: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  /// - Parameter capacity: bytes of room at the beginning.
  init(_ capacity: Int = 4096) {
    room = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { room.deallocate() }

  /// Good until the room changes.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

  /// Sees that so many more bytes find room.
  @inline(__always)
  func reserve(_ more: Int) {
    if room.count - count < more { grow(more) }
  }

  private func grow(_ more: Int) {
    let bigger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(room.count * 2, count + more), alignment: 8)
    bigger.copyMemory(from: bytes)
    room.deallocate()
    room = bigger
  }

  @inline(__always)
  func append(_ number: some FixedWidthInteger & BitwiseCopyable) {
    store(number, at: count)
    count &+= MemoryLayout.size(ofValue: number)
  }

  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
    count &+= bytes.count
  }

  @inline(__always)
  func store(_ number: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    room.storeBytes(of: number, toByteOffset: offset, as: type(of: number))
  }

  func removeAll() { count = 0 }

  func removeFirst(_ gone: Int) {
    let rest = UnsafeRawBufferPointer(rebasing: room[gone..<count])
    room.copyMemory(from: rest)
    count = rest.count
  }

  /// Appends up to so many bytes that `fill` writes.
  /// - Parameter fill: answers how many it wrote.
  func append<Failure: Error>(
    atMost more: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) {
    reserve(more)
    count += try fill(UnsafeMutableRawBufferPointer(rebasing: room[count..<count + more]))
  }
}
