import Synchronization

/// One file of the input and where its lines begin.
final class SourceFile: Sendable {
  enum Contents: Sendable {
    case bytes([UInt8])
    /// To be opened under this path each time, since thousands of files can't all stay open.
    case file(String, FileNode?)
  }

  let path: String
  let contents: Contents
  /// Made when the first line is asked for.
  private let index = Mutex<LineIndex?>(nil)

  /// The longest part of a line that is given, in bytes: more than the columns that a place can tell apart.
  private static let longestLine = 512 << 10

  init(path: String, contents: Contents) {
    self.path = path
    self.contents = contents
  }

  func line(_ number: Int) -> String? {
    switch contents {
    case .bytes(let bytes):
      return line(number) { offset, count in
        bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)]
      }
    case .file(let path, let node):
      guard let file = RegularFile(path: path, node: node) else { return nil }
      return line(number) { offset, count in file.read(at: offset, count: count)[...] }
    }
  }

  /// Finds a line with a function that reads some bytes at an offset, fewer only at the end.
  private func line(_ number: Int, read: (_ offset: Int, _ count: Int) -> ArraySlice<UInt8>) -> String? {
    let index = index.withLock { made in
      if let made { return made }
      let index = LineIndex(read: read)
      made = index
      return index
    }
    guard let start = index.start(of: number, read: read) else { return nil }
    var bytes = read(start, Self.longestLine)
    let end = index.encoding.firstBreak(in: bytes) ?? bytes.endIndex
    bytes = bytes[..<end]
    return index.encoding.decode(bytes)
  }
}
