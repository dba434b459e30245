import CircleReport
import Glibc

/// A file that gets a report beside what goes to standard output: `--report FORMAT=FILE`.
struct ReportFile {
  var format: OutputFormat
  var path: String

  init(parsing text: String) throws(Failure) {
    let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
    let next = ["--report takes FORMAT=FILE; the formats are \(formats)."]
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw Failure(.usage, "'\(text)' names no file for the report", next: next)
    }
    let name = String(text[..<equals])
    path = String(text[text.utf8.index(after: equals)...])
    guard let format = OutputFormat.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
      throw Failure(.usage, "'\(name)' is no format of reports", next: next)
    }
    guard !path.isEmpty else { throw Failure(.usage, "'\(text)' names no file for the report", next: next) }
    self.format = format
  }

  /// Tells before anything is done that the file could not be written afterwards.
  ///
  /// - Parameter state: where the state is, which a report must not replace.
  func check(in context: Context, state: StateLocation) throws(Failure) {
    let target = context.resolve(path)
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw cannotWrite("it is a folder") }
    let statePath = Self.resolved(context.resolve(state.path))
    for kept in [statePath, statePath + "-journal"] where FilePlace(target).isSame(as: kept) {
      throw wouldReplace("the state '\(state.path)'")
    }
    guard !FilePlace(target).isSame(as: context.resolve("circlectl.yaml")) else {
      throw wouldReplace("'circlectl.yaml'")
    }
    let isReplaced = !exists || status.st_mode & S_IFMT == S_IFREG
    guard access(isReplaced ? FilePlace.folder(of: target) : target, W_OK) == 0 else {
      throw cannotWrite(String(cString: strerror(errno)))
    }
  }

  func wouldReplace(_ what: String) -> Failure {
    Failure(
      .usage, "the report '\(path)' would replace \(what); nothing was done", next: ["--report names another file."])
  }

  /// Whether something is there that a report would replace.
  func exists(in context: Context) -> Bool {
    var status = stat()
    return stat(context.resolve(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Writes beside the file and renames at the end, so that a reader finds the old report or the whole new one. What is
  /// no regular file, such as a device, is written into.
  func write(in context: Context, _ body: (CInt) throws(Failure) -> Void) throws(Failure) {
    let target = Self.resolved(context.resolve(path))
    var status = stat()
    let isReplaced = stat(target, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    let written = isReplaced ? "\(target).\(getpid()).part" : target
    let flags = isReplaced ? O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC : O_WRONLY | O_CLOEXEC | O_NOCTTY
    let descriptor = open(written, flags, 0o666)
    guard descriptor >= 0 else { throw cannotWrite(String(cString: strerror(errno))) }
    do throws(Failure) {
      try body(descriptor)
    } catch {
      close(descriptor)
      if isReplaced { unlink(written) }
      throw error
    }
    let isClosed = close(descriptor) == 0
    guard isReplaced else { return }
    guard isClosed, rename(written, target) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(written)
      throw cannotWrite(reason)
    }
  }

  func cannotWrite(_ reason: String) -> Failure {
    Failure(.failed, "can't write the report '\(path)': \(reason)", next: ["--report names another file."])
  }

  /// A symbolic link stays, and its target is replaced.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    // Where the current folder's name is no valid UTF-8, the path as it was given still leads there.
    return String(validatingCString: resolved) ?? path
  }
}
