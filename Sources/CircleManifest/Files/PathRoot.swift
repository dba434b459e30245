import Glibc

/// The folder inside which all paths must stay, symbolic links resolved.
struct PathRoot: Equatable {
  /// Absolute, without links; nil where everything is allowed.
  private let folder: String?

  static let anywhere = PathRoot(folder: nil)

  private init(folder: String?) {
    self.folder = folder
  }

  /// Nil when the folder cannot be resolved.
  init?(resolving path: String) {
    guard let folder = Self.resolve(path) else { return nil }
    self.folder = folder
  }

  /// The absolute path without links; nil, with `errno`, where nothing is.
  static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether a resolved path is the folder or below it.
  func contains(_ resolved: String) -> Bool {
    guard let folder, !folder.utf8.elementsEqual("/".utf8) else { return true }
    guard resolved.utf8.starts(with: folder.utf8) else { return false }
    let rest = resolved.utf8.dropFirst(folder.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  /// Where a path leads by its words alone, where nothing is there and that place is outside the root; nil otherwise.
  ///
  /// What is there is told by `resolve`, since links may lead in as well as out.
  func placeOutside(_ path: String) -> String? {
    var status = stat()
    guard folder != nil, lstat(path, &status) != 0 else { return nil }
    let start = path.utf8.first == UInt8(ascii: "/") ? "/" : Self.resolve(".") ?? "/"
    let joined = Self.shown(Self.join(start, path))
    // The folder that is there last may be written by way of links.
    var known = joined
    var rest = ""
    while known.utf8.count > 1 {
      if let resolved = Self.resolve(known) {
        let place = Self.join(resolved, rest)
        return contains(place) ? nil : place
      }
      let name = known.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(known[known.utf8.index(after: $0)...]) }
      rest = (name ?? known) + (rest.isEmpty ? "" : "/" + rest)
      known = Self.folder(of: known)
    }
    return contains(joined) ? nil : joined
  }

  /// The folder of a file, as its path is written.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }

  /// A path as a person would write it: without `.`, and without `..` after a folder's name.
  static func shown(_ path: String) -> String {
    var parts: [Substring.UTF8View] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8), let last = parts.last, !last.elementsEqual("..".utf8) {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    return (isAbsolute ? "/" : "") + parts.map { String($0) ?? "" }.joined(separator: "/")
  }

  /// A path as a file in `folder` means it.
  static func join(_ folder: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/") || folder.utf8.elementsEqual(".".utf8) { return path }
    return folder.utf8.last == UInt8(ascii: "/") ? folder + path : folder + "/" + path
  }
}
