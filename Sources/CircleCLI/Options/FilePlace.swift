import Glibc

/// Where a path leads, to be compared with others: the file there, or else a name in a folder.
struct FilePlace {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Whether both lead to the same file, or would if it were there.
  func isSame(as other: String) -> Bool {
    if path.utf8.elementsEqual(other.utf8) { return true }
    switch (Self.identity(of: path), Self.identity(of: other)) {
    case (let mine?, let others?): return mine == others
    case (nil, nil):
      guard Self.name(of: path).utf8.elementsEqual(Self.name(of: other).utf8) else { return false }
      guard let folder = Self.identity(of: Self.folder(of: path)) else { return false }
      return folder == Self.identity(of: Self.folder(of: other))
    default: return false
    }
  }

  /// The folder of a file, as its path is written.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  private static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// What tells files apart, whatever they are called.
  struct Identity: Equatable {
    var device: dev_t
    var node: ino_t
  }

  /// That of the file to which the path leads; nil where there is none.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(device: status.st_dev, node: status.st_ino) : nil
  }
}
