import CircleState
import Glibc

/// The copy of a state's file that is made before its format changes, beside it and for its owner alone.
struct FormatCopy {
  /// `circle.db.format-1` for the state `circle.db`; the file itself where that is a symbolic link.
  private let base: String

  init(of path: String, format: Int) {
    var status = stat()
    var file = path
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let target = realpath(path, nil) {
      file = String(cString: target)
      free(target)
    }
    base = "\(file).format-\(format)"
  }

  /// Makes the copy, lasting before this returns; one with the same bytes that is there already will do.
  ///
  /// - Parameter write: writes the bytes to a descriptor.
  /// - Returns: the path of the copy, `base` or, where that is another file, `base` with a number.
  func make(_ write: (Int32) throws(StateError) -> Void) throws(StateError) -> String {
    let part = base + ".part"
    // Of a process that was killed. No link to another file is followed.
    unlink(part)
    let descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    do throws(StateError) {
      try write(descriptor)
      guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else { throw failure(errno) }
      for number in 1..<1000 {
        let path = number == 1 ? base : "\(base).\(number)"
        var status = stat()
        if lstat(path, &status) == 0 {
          guard Self.holds(path, theBytesOf: descriptor) else { continue }
          unlink(part)
          return path
        }
        guard rename(part, path) == 0 else { throw failure(errno) }
        try syncFolder()
        return path
      }
      throw failure(EEXIST)
    } catch {
      unlink(part)
      throw error
    }
  }

  func failure(_ number: Int32) -> StateError {
    .io("can't keep a copy of the state in '\(base)': \(String(cString: strerror(number)))")
  }

  /// Makes the name lasting. Who may not read the folder can't, and some file systems can't for folders.
  private func syncFolder() throws(StateError) {
    let folder = base.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(base[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(errno) }
  }

  private static func holds(_ path: String, theBytesOf copy: Int32) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var offset: off_t = 0
    while true {
      let pieces = [copy, descriptor].map { file in
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { $1 = max(0, pread(file, $0.baseAddress, $0.count, offset)) }
      }
      guard pieces[0] == pieces[1] else { return false }
      guard !pieces[0].isEmpty else { return true }
      offset += pieces[0].count
    }
  }
}
