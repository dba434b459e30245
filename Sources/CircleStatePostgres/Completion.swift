import Glibc

/// Tells one thread that another is done, and lets it stop waiting before that.
final class Completion: Sendable {
  private let reader: Int32
  private let writer: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    // Without a pipe every wait is over at once.
    _ = pipe(&ends)
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reader = ends[0]
    writer = ends[1]
  }

  deinit {
    if reader >= 0 { close(reader) }
    if writer >= 0 { close(writer) }
  }

  func signal() {
    var byte: UInt8 = 1
    if writer >= 0 { _ = write(writer, &byte, 1) }
  }

  /// Whether it is done, after at most so many milliseconds.
  func wait(milliseconds: Int) -> Bool {
    guard reader >= 0 else { return true }
    var end = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    return poll(&end, 1, Int32(milliseconds)) > 0
  }
}
