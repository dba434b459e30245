// Whichever of the two is met first has the system's time structure.
import CSpawn
import Glibc

/// Small files that are read and written as a whole.
enum WholeFile {
  /// What the system says, to be put behind a colon.
  struct Failure: Error {
    var number: CInt
    var reason: String

    init(_ number: CInt) {
      self.number = number
      reason = String(cString: strerror(number))
    }

    init(reason: String) {
      number = 0
      self.reason = reason
    }
  }

  /// Tells one content of a file from another without reading it.
  struct Stamp: Equatable, Sendable {
    var device: UInt
    var number: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  static func stamp(of path: String) -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Stamp(
      device: UInt(status.st_dev), number: UInt(status.st_ino), size: Int(status.st_size),
      seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
  }

  /// Reads a regular file of at most so many bytes; never waits for another process, as reading a FIFO would.
  static func read(_ path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Failure(reason: "it is a folder")
    default: throw Failure(reason: "it is no regular file")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(Int(status.st_size), limit) + 1)
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let got = Glibc.read(descriptor, &piece, piece.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw Failure(errno) }
      if got == 0 { return bytes }
      bytes += piece[..<got]
      guard bytes.count <= limit else { throw Failure(reason: "it is larger than \(limit >> 20) MiB") }
    }
  }

  /// Writes a file that only its owner may read; a reader finds the one before or the whole new one.
  static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    // A symbolic link stays, and its target is replaced.
    var path = path
    if let resolved = realpath(path, nil) {
      path = String(cString: resolved)
      free(resolved)
    }
    let part = "\(path).\(getpid()).part"
    unlink(part)
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(errno) }
    var written = 0
    var code: CInt = 0
    while written < bytes.count, code == 0 {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count >= 0 { written += count } else if errno != EINTR { code = errno }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0, rename(part, path) != 0 { code = errno }
    if code != 0 {
      unlink(part)
      throw Failure(code)
    }
  }

  /// Removes a file, where there is one.
  static func remove(_ path: String) {
    unlink(path)
  }

  /// Makes a folder and those above it, for their owner alone.
  static func makeFolder(_ path: String) throws(Failure) {
    var folder = ""
    for part in path.split(separator: "/") {
      folder += "/\(part)"
      if mkdir(folder, 0o700) != 0, errno != EEXIST, access(folder, X_OK) != 0 { throw Failure(errno) }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw Failure(errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure(ENOTDIR) }
  }

  /// Calls `body` while no other process does the same on this lock file.
  ///
  /// - Parameter wait: how long to wait for another one, in milliseconds.
  /// - Returns: nil when it took longer, or there can be no lock file.
  static func locked<R, E: Error>(_ path: String, wait: Int, _ body: () throws(E) -> R) throws(E) -> R? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var rest = wait
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard rest > 0 else { return nil }
      usleep(5000)
      rest -= 5
    }
    return try body()
  }
}
