import Glibc

/// A file without a name for what is too much to keep in memory; the system frees it when it is closed, however the
/// process ends.
final class SpoolFile {
  private let descriptor: CInt
  private var waiting: [UInt8] = []
  /// Bytes that were appended so far.
  private(set) var count = 0

  private static let piece = 1 << 20
  /// What `O_TMPFILE` adds to `O_DIRECTORY`; the macro is not seen here.
  private static let withoutName: CInt = 0o20000000

  /// - Parameter folder: where it takes its room.
  init(in folder: String) throws(TableStop) {
    let temporary = open(folder, O_RDWR | O_CLOEXEC | O_DIRECTORY | Self.withoutName, 0o600)
    if temporary >= 0 {
      descriptor = temporary
      return
    }
    // Not every file system knows files without a name.
    var path = Array("\(folder)/circlectl-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw .failed("no temporary file can be made in '\(folder)': \(String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Appends bytes.
  /// - Returns: where they begin.
  @discardableResult
  func append(_ bytes: UnsafeRawBufferPointer) throws(TableStop) -> Int {
    let place = count
    waiting.append(contentsOf: bytes)
    count += bytes.count
    if waiting.count >= Self.piece { try flush() }
    return place
  }

  func flush() throws(TableStop) {
    var failure: Int32 = 0
    waiting.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else {
          failure = errno
          return
        }
        done += written
      }
    }
    waiting.removeAll(keepingCapacity: true)
    if failure != 0 {
      throw .failed("a temporary file can't be written: \(String(cString: strerror(failure)))")
    }
  }

  /// Reads up to so many flushed bytes from an offset on, behind what the array holds.
  func read(at offset: Int, count: Int, into bytes: inout [UInt8]) throws(TableStop) {
    var failure: Int32 = 0
    let start = bytes.count
    bytes.append(contentsOf: [UInt8](repeating: 0, count: count))
    var done = 0
    bytes.withUnsafeMutableBytes { bytes in
      while done < count {
        let got = pread(
          descriptor, bytes.baseAddress.map { $0 + start + done }, count - done, off_t(offset + done))
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else {
          failure = errno
          return
        }
        if got == 0 { return }
        done += got
      }
    }
    bytes.removeLast(count - done)
    if failure != 0 {
      throw .failed("a temporary file can't be read: \(String(cString: strerror(failure)))")
    }
  }
}
