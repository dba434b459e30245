import Glibc
package import JSONText

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
    case .noSpace: "no space is left on the device"
    case .failed(let number): String(cString: strerror(number))
    }
  }
}

/// Where the bytes of a report go, in pieces of 256 KiB: a file descriptor, or memory.
///
/// SIGPIPE must be ignored by the process, so that a reader who has gone is told by `OutputError.brokenPipe`. What was
/// appended is on its way only after `flush`.
package struct ByteSink: ~Copyable {
  /// What waits; to be followed by `drain` after each record.
  package var buffer: ByteBuffer
  private let descriptor: DescriptorSink?
  private var memory: [UInt8] = []

  /// - Parameter descriptor: stays its owner's, who closes it.
  package init(descriptor: Int32) {
    self.descriptor = DescriptorSink(descriptor: descriptor)
    buffer = ByteBuffer(capacity: ByteBuffer.piece + 4096)
  }

  /// A sink that keeps all in memory.
  package init() {
    descriptor = nil
    buffer = ByteBuffer()
  }

  /// What a sink in memory has, flushed or not.
  package var bytes: [UInt8] { memory + buffer.bytes }

  /// Hands on what waits once it makes a piece.
  @inline(__always)
  package mutating func drain() throws(OutputError) {
    if buffer.count >= ByteBuffer.piece { try flush() }
  }

  /// Hands on all that waits.
  package mutating func flush() throws(OutputError) {
    try buffer.drain(atLeast: 1) { (bytes) throws(OutputError) in
      try Self.hand(bytes, to: descriptor, or: &memory)
    }
  }

  /// Hands on a piece that was put together elsewhere, after all that waits.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    try flush()
    try Self.hand(bytes, to: descriptor, or: &memory)
  }

  private static func hand(
    _ bytes: UnsafeRawBufferPointer, to descriptor: DescriptorSink?, or memory: inout [UInt8]
  ) throws(OutputError) {
    guard let descriptor else {
      memory.append(contentsOf: bytes)
      return
    }
    do throws(DescriptorSink.Failure) {
      try descriptor.write(bytes)
    } catch {
      throw OutputError(error)
    }
  }
}
