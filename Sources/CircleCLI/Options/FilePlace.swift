import Glibc

/// Where a path leads, to be compared with others: the file there, or else a name in a folder.
struct FilePlace {
  /// The same without the symbolic links at its end, also those that lead to what is not there yet.
  let path: String

  init(_ path: String) {
    self.path = Self.resolved(path)
  }

  /// Whether both lead to the same file, or would if it were there.
  func isSame(as other: String) -> Bool {
    isSame(as: FilePlace(other))
  }

  func isSame(as other: FilePlace) -> Bool {
    if path.utf8.elementsEqual(other.path.utf8) { return true }
    switch (Self.identity(of: path), Self.identity(of: other.path)) {
    case (let mine?, let others?): return mine == others
    case (nil, nil):
      guard Self.name(of: path).utf8.elementsEqual(Self.name(of: other.path).utf8) else { return false }
      guard let folder = Self.identity(of: Self.folder(of: path)) else { return false }
      return folder == Self.identity(of: Self.folder(of: other.path))
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

  /// How many links the system itself follows.
  private static let mostLinks = 40

  private static func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<mostLinks {
      guard identity(of: path) == nil else {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        // Where the current folder's name is no valid UTF-8, the path as it was given still leads there.
        return String(validatingCString: resolved) ?? path
      }
      guard let target = target(of: path) else { break }
      path = target.utf8.first == UInt8(ascii: "/") ? target : "\(folder(of: path))/\(target)"
    }
    return path
  }

  /// What a symbolic link has in it.
  private static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink(link, &bytes, bytes.count - 1) > 0 else { return nil }
    return String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
