import Glibc

/// A file without a name for what is too much to keep in memory; the system frees it when it is closed, however the
/// process ends.
final class SpoolFile {
  private let descriptor: CInt
  private var waiting: [UInt8] = []
  /// Bytes that were appended so far.
  private(set) var count = 0

  private static let piece = 128 << 10
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
    count += bytes.count
    if bytes.count >= Self.piece {
      try flush()
      try write(bytes)
    } else {
      waiting.append(contentsOf: bytes)
      if waiting.count >= Self.piece { try flush() }
    }
    return place
  }

  func flush() throws(TableStop) {
    defer { waiting.removeAll(keepingCapacity: true) }
    try waiting.withUnsafeBufferPointer { (bytes) throws(TableStop) in try write(UnsafeRawBufferPointer(bytes)) }
  }

  /// In small steps: the system finds room for these more cheaply.
  private func write(_ bytes: UnsafeRawBufferPointer) throws(TableStop) {
    var rest = bytes
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, rest.baseAddress, min(rest.count, Self.piece))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        throw .failed("a temporary file can't be written: \(String(cString: strerror(errno)))")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Reads up to so many flushed bytes from an offset on, behind what the array holds.
  func read(at offset: Int, count: Int, into bytes: inout [UInt8]) throws(TableStop) {
    let start = bytes.count
    bytes.append(contentsOf: [UInt8](repeating: 0, count: count))
    let got = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(TableStop) in
      try read(at: offset, into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[start...])))
    }
    bytes.removeLast(count - got)
  }

  /// Fills the room with flushed bytes from an offset on.
  /// - Returns: how many there were.
  func read(at offset: Int, into room: UnsafeMutableRawBufferPointer) throws(TableStop) -> Int {
    var done = 0
    while done < room.count {
      let got = pread(descriptor, room.baseAddress.map { $0 + done }, room.count - done, off_t(offset + done))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        throw .failed("a temporary file can't be read: \(String(cString: strerror(errno)))")
      }
      if got == 0 { break }
      done += got
    }
    return done
  }
}
