import Glibc

/// A folder of its own for a test, gone with it.
final class Folder {
  private let root: String

  struct Refused: Error {}

  init() throws {
    var template = Array("/tmp/circlectl-state-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Refused() }
    root = String(cString: made)
  }

  deinit {
    for name in names {
      if rmdir(path(name)) != 0 { unlink(path(name)) }
    }
    rmdir(root)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// What is in it, sorted by bytes.
  var names: [String] {
    guard let folder = opendir(root) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      done += count
    }
  }

  func read(_ name: String) -> [UInt8] {
    let descriptor = open(path(name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
