import Glibc

/// A folder of its own for one test, removed with all that is in it.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/manifest-tests-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.removeAll(path)
  }

  private static func removeAll(_ path: String) {
    if unlink(path) == 0 { return }
    if let stream = opendir(path) {
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { removeAll("\(path)/\(name)") }
      }
      closedir(stream)
    }
    rmdir(path)
  }

  struct Failure: Error {
    var code: CInt
  }

  subscript(_ name: String) -> String { "\(path)/\(name)" }

  func makeFolder(_ name: String) {
    _ = mkdir(self[name], 0o755)
  }

  func write(_ name: String, _ bytes: [UInt8]) {
    let file = open(self[name], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { close(file) }
    bytes.withUnsafeBytes { _ = Glibc.write(file, $0.baseAddress, $0.count) }
  }

  func write(_ name: String, _ text: String) {
    write(name, Array(text.utf8))
  }

  func link(_ name: String, to target: String) {
    _ = symlink(target, self[name])
  }
}
