import Glibc

/// Which file a path leads to, links followed: the same one as long as neither it nor the path is replaced.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  /// Nil where nothing is.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }

  /// Removes the file to which a path leads, links followed.
  static func remove(_ path: String) {
    guard let target = realpath(path, nil) else { return }
    unlink(target)
    free(target)
  }
}
