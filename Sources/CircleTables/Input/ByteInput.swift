import Glibc

/// The bytes of a file or a stream, as they are stored.
final class ByteInput {
  /// Why they can't be read.
  enum Failure: Error, Equatable {
    case system(String)
    case interrupted(Int32)
  }

  private let descriptor: CInt
  private let isOwned: Bool
  private let interrupted: () -> Int32
  /// Bytes that were read so far.
  private(set) var position = 0
  /// In bytes; nil for a stream.
  let size: Int?

  /// - Parameters:
  ///   - descriptor: stays the caller's.
  ///   - interrupted: the signal that has come, or 0.
  init(descriptor: CInt, interrupted: @escaping () -> Int32) {
    self.descriptor = descriptor
    self.interrupted = interrupted
    isOwned = false
    size = Self.size(of: descriptor)
  }

  init(path: String, interrupted: @escaping () -> Int32) throws(Failure) {
    guard !path.utf8.contains(0) else { throw .system("no path holds a NUL character") }
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    self.interrupted = interrupted
    isOwned = true
    size = descriptor < 0 ? nil : Self.size(of: descriptor)
    guard descriptor >= 0 else { throw .system(String(cString: strerror(errno))) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw .system("it is a folder") }
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  private static func size(of descriptor: CInt) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.st_size
  }

  /// Reads some bytes into the room given.
  /// - Returns: how many; 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while true {
      let signal = interrupted()
      if signal != 0 { throw .interrupted(signal) }
      let count = Glibc.read(descriptor, room.baseAddress, room.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(String(cString: strerror(errno))) }
      position += count
      return count
    }
  }
}
