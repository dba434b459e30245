package import Glibc

/// Which file of the system a path led to, whatever stands under the path later.
package struct FileNode: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
