import Glibc
package import JSONText
import SideThread

/// Why the bytes of a report could not be written.
package enum OutputError: Error, Equatable, Sendable {
  /// The reader has gone: the run ends quietly.
  case brokenPipe
  /// The disk is full, or the user's share of it.
  case noSpace
  /// Anything else, with the system's error number.
  case failed(number: Int32)

  init(_ failure: DescriptorSink.Failure) {
    self =
      switch failure.number {
      case EPIPE: .brokenPipe
      case ENOSPC, EDQUOT: .noSpace
      default: .failed(number: failure.number)
      }
  }

  /// For a person, without a full stop.
  package var message: String {
    switch self {
    case .brokenPipe: "the reader has gone"
    case .noSpace: String(cString: strerror(ENOSPC))
    case .failed(let number): String(cString: strerror(number))
    }
  }
}

/// Where the bytes of a report go, in pieces of 1 MiB: a file descriptor, or memory.
///
/// While the system takes a piece, the next one is put together. SIGPIPE must be ignored by the process, so that a
/// reader who has gone is told by `OutputError.brokenPipe`. What was appended is on its way only after `flush`, and an
/// error may come a piece late.
package struct ByteSink: ~Copyable {
  private static let piece = 1 << 20

  /// What waits; to be followed by `drain` after each record.
  package var buffer: ByteBuffer
  private let descriptor: DescriptorWriter?
  private var memory: [UInt8] = []

  /// - Parameter descriptor: stays its owner's, who closes it after the sink is gone.
  package init(descriptor: Int32) {
    self.descriptor = DescriptorWriter(descriptor: descriptor)
    buffer = ByteBuffer()
  }

  /// A sink that keeps all in memory.
  package init() {
    descriptor = nil
    buffer = ByteBuffer()
  }

  deinit {
    // After an error elsewhere a piece may still be on its way.
    try? descriptor?.finish()
  }

  /// What a sink in memory has, flushed or not.
  package var bytes: [UInt8] { memory + buffer.bytes }

  /// Hands on what waits once it makes a piece.
  @inline(__always)
  package mutating func drain() throws(OutputError) {
    if buffer.count >= Self.piece { try pass() }
  }

  /// Hands on all that waits, and waits until it is taken.
  package mutating func flush() throws(OutputError) {
    try pass()
    try descriptor?.finish()
  }

  /// Hands on a piece that was put together elsewhere, after all that waits.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    buffer.append(bytes: bytes)
    try drain()
  }

  /// Puts together a long list, two parts of it at a time: one here, the next on a thread beside.
  ///
  /// - Parameters:
  ///   - count: elements of the list.
  ///   - part: appends the elements of a range; called for one range after the other, from two threads.
  mutating func append(
    _ count: Int, _ part: @escaping (Range<Int>, inout ByteBuffer) -> Void
  ) throws(OutputError) {
    let size = 8192
    let beside = Part()
    var start = 0
    while start < count {
      let middle = min(start + size, count)
      let end = min(middle + size, count)
      let thread = middle < end ? SideThread.start { part(middle..<end, &beside.buffer) } : nil
      part(start..<middle, &buffer)
      thread?.join()
      try drain()
      buffer.append(bytes: beside.buffer)
      beside.buffer.removeAll()
      try drain()
      start = end
    }
  }

  /// What a thread beside puts together.
  private final class Part {
    var buffer = ByteBuffer()
  }

  private mutating func pass() throws(OutputError) {
    if let descriptor { return try descriptor.write(&buffer) }
    buffer.withBytes { memory.append(contentsOf: $0) }
    buffer.removeAll()
  }
}

/// Writes pieces to a descriptor, big ones on a thread beside.
private final class DescriptorWriter {
  /// A smaller piece is written at once.
  private static let smallestBigPiece = 1 << 20

  private let sink: DescriptorSink
  /// What the thread writes; nobody else touches it before the thread is done.
  private var written = ByteBuffer()
  private var thread: SideThread<DescriptorSink.Failure?>?

  init(descriptor: Int32) {
    sink = DescriptorSink(descriptor: descriptor)
  }

  /// Takes the bytes and leaves an empty buffer.
  func write(_ buffer: inout ByteBuffer) throws(OutputError) {
    try finish()
    if buffer.count >= Self.smallestBigPiece {
      swap(&buffer, &written)
      thread = SideThread.start { self.hand() }
    } else {
      do throws(DescriptorSink.Failure) {
        try buffer.withBytes { (bytes) throws(DescriptorSink.Failure) in try sink.write(bytes) }
      } catch {
        throw OutputError(error)
      }
    }
    buffer.removeAll()
  }

  /// Waits until all is written.
  func finish() throws(OutputError) {
    guard let thread else { return }
    self.thread = nil
    if let failure = thread.join() { throw OutputError(failure) }
  }

  private func hand() -> DescriptorSink.Failure? {
    do throws(DescriptorSink.Failure) {
      try written.withBytes { (bytes) throws(DescriptorSink.Failure) in try sink.write(bytes) }
      return nil
    } catch {
      return error
    }
  }
}
