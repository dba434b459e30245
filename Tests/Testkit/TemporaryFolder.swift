import Glibc

/// A folder of its own for one test; gone, with all that is in it, when nobody holds it any more.
package final class TemporaryFolder: Sendable {
  package let path: String

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
      self.description = description
    }
  }

  package init() throws {
    var template = Array("/tmp/circlectl-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder: \(Self.lastError)") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, with the folders above it.
  package func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    let parts = name.split(separator: "/")
    for count in 1..<max(parts.count, 1) { mkdir(path(parts.prefix(count).joined(separator: "/")), 0o755) }
    guard let file = fopen(path(name), "w") else {
      throw Failure(description: "can't write \(name): \(Self.lastError)")
    }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw Failure(description: "can't write \(name): \(Self.lastError)")
    }
  }

  package func read(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  package func bytes(_ name: String) throws -> [UInt8] {
    guard let bytes = Self.bytes(of: path(name)) else {
      throw Failure(description: "can't read \(name): \(Self.lastError)")
    }
    return bytes
  }

  package func exists(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

  /// All names in the folder itself, sorted.
  package func names() -> [String] { Self.names(in: path).sorted() }

  /// All bytes of a file; nil where it can't be read.
  package static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }

  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    for name in names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  private static var lastError: String { String(cString: strerror(errno)) }
}
