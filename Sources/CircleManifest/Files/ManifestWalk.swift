import Diagnostics
import Glibc

/// Finds the files of a manifest set: those named, and all `*.yaml` and `*.yml` below the folders named.
struct ManifestWalk {
  struct Found {
    /// As it is shown to people; "-" for standard input.
    var path: String
    var root: PathRoot
  }

  private struct Folder {
    var path: String
    var root: PathRoot
  }

  let allowOutside: Bool
  /// What to do about a path that is named and not there.
  let helpForMissing: String?
  /// Where all paths have to be that are added; nil for those that a person has named.
  let base: PathRoot?
  private(set) var found: [Found] = []
  private(set) var faults: [Diagnostic] = []

  /// Each file and folder is taken once, however many links lead to it, so that links in a circle come to an end.
  private var seenFiles: Set<FileNode> = []
  private var seenFolders: Set<FileNode> = []
  private var readsStandardInput = false

  /// - Parameter base: the folder whose `circlectl.yaml` names the paths; nil where the command line does.
  init(allowOutside: Bool, helpForMissing: String? = nil, base: String? = nil) {
    self.allowOutside = allowOutside
    self.helpForMissing = helpForMissing
    self.base = allowOutside ? nil : base.flatMap { PathRoot(resolving: $0) }
  }

  /// Adds what one path of the command line names.
  mutating func add(_ path: String) {
    if path.utf8.elementsEqual("-".utf8) {
      if !readsStandardInput { found.append(Found(path: path, root: root(of: "."))) }
      readsStandardInput = true
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else { return fail(path, help: errno == ENOENT ? helpForMissing : nil) }
    if let base, let resolved = PathRoot.resolve(path), !base.contains(resolved) {
      faults.append(
        .error(
          ManifestFault.outsideRoot.rawValue,
          "'\(path)' leads outside the folder of the circlectl.yaml that names it, to '\(resolved)'",
          help: "name it on the command line, or allow it with --allow-outside"))
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      addFolder(path, status)
    } else {
      addFile(path, status, root: root(of: PathRoot.folder(of: path)))
    }
  }

  private func root(of folder: String) -> PathRoot {
    allowOutside ? .anywhere : PathRoot(resolving: folder) ?? .anywhere
  }

  private mutating func addFile(_ path: String, _ status: stat, root: PathRoot) {
    guard seenFiles.insert(FileNode(status)).inserted else { return }
    guard isInside(path, root) else { return }
    found.append(Found(path: path, root: root))
  }

  private mutating func addFolder(_ path: String, _ status: stat) {
    let trimmed = path.utf8.count > 1 && path.utf8.last == UInt8(ascii: "/") ? String(path.dropLast()) : path
    guard seenFolders.insert(FileNode(status)).inserted else { return }
    var files: [(path: String, status: stat)] = []
    var links: [String] = []
    let root = root(of: trimmed)
    list(Folder(path: trimmed, root: root), &files, &links)
    // Real folders come first, so that a file is shown under its own path rather than under that of a link.
    while !links.isEmpty {
      let round = links.sorted(by: Self.precedes)
      links = []
      for link in round {
        var status = stat()
        guard stat(link, &status) == 0 else {
          fail(link)
          continue
        }
        guard seenFolders.insert(FileNode(status)).inserted, isInside(link, root) else { continue }
        list(Folder(path: link, root: root), &files, &links)
      }
    }
    files.sort { Self.precedes($0.path, $1.path) }
    for file in files { addFile(file.path, file.status, root: root) }
  }

  /// Lists a folder and all real folders below it; what links to a folder is left for later.
  private mutating func list(_ top: Folder, _ files: inout [(path: String, status: stat)], _ links: inout [String]) {
    var pending = [top.path]
    while let folder = pending.popLast() {
      guard let names = names(in: folder) else {
        fail(folder)
        continue
      }
      for name in names {
        let path = PathRoot.join(folder, name)
        var status = stat()
        guard lstat(path, &status) == 0 else {
          if Self.isManifest(name) { fail(path) }
          continue
        }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if isLink, stat(path, &status) != 0 {
          if Self.isManifest(name) { fail(path) }
          continue
        }
        if status.st_mode & S_IFMT == S_IFDIR {
          if isLink {
            links.append(path)
          } else if seenFolders.insert(FileNode(status)).inserted {
            pending.append(path)
          }
        } else if Self.isManifest(name) {
          files.append((path, status))
        }
      }
    }
  }

  /// The names in a folder that can matter; nil, with `errno`, when it cannot be read.
  private mutating func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let (name, isGarbled, isFolder) = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          let isGarbled = String(validatingCString: name) == nil
          return (String(cString: name), isGarbled, isGarbled && Self.isFolder(name, in: stream))
        }
      }
      if name.utf8.first == UInt8(ascii: ".") || name.utf8.elementsEqual("circlectl.yaml".utf8) { continue }
      guard isGarbled else {
        names.append(name)
        continue
      }
      if isFolder || Self.isManifest(name) { failGarbled(PathRoot.join(folder, name)) }
    }
    return names
  }

  private static func isFolder(_ name: UnsafePointer<CChar>, in stream: OpaquePointer) -> Bool {
    var status = stat()
    return fstatat(dirfd(stream), name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The path as text would lead elsewhere.
  private mutating func failGarbled(_ path: String) {
    faults.append(
      .error(
        ManifestFault.unreadableFile.rawValue, "'\(path)' cannot be read: its name is not valid UTF-8",
        help: "rename it"))
  }

  private static func isManifest(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.suffix(5).elementsEqual(".yaml".utf8) || bytes.suffix(4).elementsEqual(".yml".utf8)
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private mutating func isInside(_ path: String, _ root: PathRoot) -> Bool {
    guard let resolved = PathRoot.resolve(path) else {
      fail(path)
      return false
    }
    if root.contains(resolved) { return true }
    faults.append(ManifestWalk.outside(path, resolved, at: .none))
    return false
  }

  private mutating func fail(_ path: String, help: String? = nil) {
    faults.append(
      .error(
        ManifestFault.unreadableFile.rawValue, "'\(path)' cannot be read: \(InputFile.lastError())", help: help))
  }

  static func outside(_ path: String, _ resolved: String, at place: Place, end: Int? = nil) -> Diagnostic {
    .error(
      ManifestFault.outsideRoot.rawValue, "'\(path)' leads outside the folder of the manifests, to '\(resolved)'",
      at: place, end: end, help: "keep the file inside that folder, or allow it with --allow-outside")
  }
}
