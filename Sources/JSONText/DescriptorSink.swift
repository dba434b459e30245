import Glibc

/// Writes to a file descriptor that stays its owner's.
package struct DescriptorSink: Sendable {
  /// The system's error number of a write that failed, such as EPIPE or ENOSPC.
  package struct Failure: Error, Equatable {
    package let number: CInt
  }

  package let descriptor: CInt

  package init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  /// Writes all bytes, however many calls that takes; waits when a non-blocking descriptor is full.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written >= 0 {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EINTR:
        continue
      case EAGAIN:
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      default:
        throw Failure(number: errno)
      }
    }
  }
}

extension DescriptorSink.Failure {
  /// For a person, without a full stop.
  package var sentence: String { String(cString: strerror(number)) }
}
