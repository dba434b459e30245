import CZlib

/// Unpacks a gzip stream of one or more members (RFC 1952). What zlib does not say by itself is said here: a stream that
/// ends within a member is cut off, and what follows a member is another one or padding of zeros.
final class GzipInflater {
  enum Fault: Error, Equatable {
    case truncated
    /// zlib's sentence.
    case damaged(String)
    case memory
  }

  private let stream: UnsafeMutablePointer<z_stream>
  /// Between two members, and before the first.
  private var isBetween = true
  private var hasMember = false
  private var isPadding = false

  init() throws(Fault) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard czlib_begin_gzip(stream) == Z_OK else {
      stream.deallocate()
      throw .memory
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Unpacks as much of the input as there is room for.
  /// - Returns: how many bytes of the input were taken, and how many of the output were filled.
  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(Fault) -> (taken: Int, filled: Int) {
    var taken = 0
    if isBetween {
      if isPadding || (hasMember && input.first == 0) {
        isPadding = true
        guard input.allSatisfy({ $0 == 0 }) else { throw .damaged("other bytes follow the compressed data") }
        return (input.count, 0)
      }
      if input.isEmpty { return (0, 0) }
      if hasMember, CZlib.inflateReset(stream) != Z_OK { throw .memory }
      isBetween = false
      hasMember = true
    }
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(truncatingIfNeeded: input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(truncatingIfNeeded: output.count)
    let code = CZlib.inflate(stream, Z_NO_FLUSH)
    taken = input.count - Int(stream.pointee.avail_in)
    let filled = output.count - Int(stream.pointee.avail_out)
    switch code {
    case Z_STREAM_END: isBetween = true
    case Z_OK, Z_BUF_ERROR: break
    case Z_MEM_ERROR: throw .memory
    default:
      throw .damaged(stream.pointee.msg.map { String(cString: $0) } ?? "the data is damaged")
    }
    return (taken, filled)
  }

  /// Says that the input has ended.
  func finish() throws(Fault) {
    guard isBetween else { throw .truncated }
  }
}
