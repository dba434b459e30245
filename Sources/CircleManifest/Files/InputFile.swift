import Diagnostics
import Glibc

/// Reads whole files that come from outside: only regular ones, only up to a size, never waiting for another process.
enum InputFile {
  /// Why a file could not be read, to be put after "cannot be read: ".
  struct Failure: Error {
    var reason: String
  }

  static let maximumSize = 1 << 30

  /// - Parameter root: where the file has to be. The path was resolved before, but a link may have been changed since.
  /// - Returns: the bytes, and which file they are of.
  static func read(_ path: String, inside root: PathRoot) throws(Failure) -> (bytes: [UInt8], node: FileNode) {
    // Without O_NONBLOCK the open itself would wait for the writer of a FIFO.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Failure(reason: lastError()) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(reason: lastError()) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Failure(reason: "it is a folder")
    default: throw Failure(reason: "it is no regular file")
    }
    guard status.st_size <= maximumSize else { throw tooLarge }
    guard isInside(descriptor, root) else {
      throw Failure(reason: "a link to it was changed, and leads outside the folder of the manifests")
    }
    return (try read(descriptor, expecting: Int(status.st_size)), FileNode(status))
  }

  /// Whether the open file itself is in the folder; true where the system does not tell.
  private static func isInside(_ descriptor: CInt, _ root: PathRoot) -> Bool {
    guard let resolved = PathRoot.resolve("/proc/self/fd/\(descriptor)") else { return true }
    return root.contains(resolved)
  }

  /// Reads standard input to its end; waits for it.
  static func readStandardInput() throws(Failure) -> [UInt8] {
    try read(STDIN_FILENO, expecting: 64 << 10)
  }

  private static var tooLarge: Failure { Failure(reason: "it is larger than 1 GiB") }

  private static func read(_ descriptor: CInt, expecting size: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more than expected, so that the end shows without another piece.
    var piece = size + 1
    while true {
      var got = 0
      var code: CInt = 0
      let start = bytes.count
      let more = [UInt8](unsafeUninitializedCapacity: piece) { buffer, filled in
        got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        code = errno
        filled = max(got, 0)
      }
      if got < 0 && code == EINTR { continue }
      guard got >= 0 else { throw Failure(reason: String(cString: strerror(code))) }
      if got == 0 { return bytes }
      if start == 0 { bytes = more } else { bytes.append(contentsOf: more) }
      guard bytes.count <= maximumSize else { throw tooLarge }
      piece = max(64 << 10, size + 1 - bytes.count)
    }
  }

  static func lastError() -> String {
    String(cString: strerror(errno))
  }
}
