import Glibc

/// A regular file of at most 1 GiB, open for reading; everything else is refused without waiting for it.
package struct RegularFile: ~Copyable {
  private let descriptor: CInt
  /// In bytes, when it was opened.
  package let size: Int

  private static let largest = 1 << 30

  /// - Parameter node: the only file that may be there; nil for any.
  package init?(path: String, node: FileNode? = nil) {
    // Without O_NONBLOCK the open itself would wait for the writer of a FIFO.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else { return nil }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.largest,
      node == nil || node == FileNode(status)
    else {
      close(opened)
      return nil
    }
    descriptor = opened
    size = Int(status.st_size)
  }

  deinit {
    close(descriptor)
  }

  /// The bytes at an offset; fewer than asked for only at the end or after a read error.
  package func read(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let room = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = pread(descriptor, room.baseAddress, count - filled, off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        if got <= 0 { break }
        filled += got
      }
    }
  }
}
