/// The files of the input in the order they were met, each known by a small index that `Place` can carry.
///
/// Lines are read from the files again when a diagnostic quotes them, so nothing of a file is kept but a sparse index
/// of where its lines begin. Copies share that index.
package struct SourceFiles: Sendable {
  private var files: [SourceFile] = []
  /// By bytes, since String's own equality takes different file names for the same.
  private var indexes: [[UInt8]: FileIndex] = [:]

  package init() {}

  package var count: Int { files.count }

  /// Adds a file, or finds it when one with the same two paths and no bytes is here already.
  ///
  /// - Parameters:
  ///   - path: as shown to people.
  ///   - realPath: what to open when that is another path.
  ///   - node: the file that was read; no line of another one that has taken its place is ever quoted. Nil for any.
  ///   - bytes: the contents of what can't be read again, such as standard input.
  package mutating func add(
    path: String, realPath: String? = nil, node: FileNode? = nil, bytes: [UInt8]? = nil
  ) -> FileIndex {
    let next = FileIndex(files.count)
    if let bytes {
      files.append(SourceFile(path: path, contents: .bytes(bytes)))
      return next
    }
    let key = Array(path.utf8) + [0] + Array((realPath ?? path).utf8)
    if let known = indexes[key] { return known }
    indexes[key] = next
    files.append(SourceFile(path: path, contents: .file(realPath ?? path, node)))
    return next
  }

  /// Adds a file whose lines can't be read again as they are, such as a packed one.
  package mutating func addUnquoted(path: String) -> FileIndex {
    add(path: path, bytes: [])
  }

  /// The lines of a file that was added by `addUnquoted` can be read again after all.
  package mutating func quote(_ file: FileIndex, fromFileAt path: String) {
    guard Int(file) < files.count else { return }
    files[Int(file)] = SourceFile(path: files[Int(file)].path, contents: .file(path, nil))
  }

  /// The path as shown to people; "?" for an index that was never given.
  package func path(of file: FileIndex) -> String {
    Int(file) < files.count ? files[Int(file)].path : "?"
  }

  /// A line of a file without its line break, counted from 1: UTF-8 or UTF-16 with or without a byte order mark, what
  /// is no valid text as U+FFFD, lines ended by LF, CRLF or CR. Of longer lines the first 512 KiB.
  ///
  /// Nil when the file has no such line, can't be read, is no regular file or is larger than 1 GiB. Never waits for
  /// another process, as reading a FIFO would.
  package func line(_ number: Int, of file: FileIndex) -> String? {
    guard Int(file) < files.count, number >= 1 else { return nil }
    return files[Int(file)].line(number)
  }
}
