package import Glibc

/// Which file of the system a path led to, whatever stands under the path later.
package struct FileNode: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  /// When its content, its name or its rights last changed, in nanoseconds: the number of a file that is gone is given to
  /// another one soon.
  private let changed: Int64

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
  }
}
