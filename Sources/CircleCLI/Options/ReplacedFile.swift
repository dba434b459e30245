import Glibc
import JSONText

/// A file that a run writes beside its results, all or nothing.
struct ReplacedFile {
  var path: String
  /// What it holds, in a word.
  var what: String
  /// The option that names it.
  var option: String?
  /// Of a new file, before the user's mask.
  var mode: mode_t

  private var next: [String] { option.map { ["\($0) names another file."] } ?? [] }

  /// Tells before anything is done that the file could not be written afterwards.
  ///
  /// - Parameter state: where the state is, which it must not replace.
  func check(in context: Context, state: StateLocation) throws(Failure) {
    guard !path.utf8.elementsEqual("-".utf8) else {
      throw Failure(
        .usage, "the \(what) is written to a file, and '-' is none", next: next + ["A file of that name is './-'."])
    }
    let place = FilePlace(context.resolve(path))
    var status = stat()
    let exists = stat(place.path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw cannotWrite("it is a folder") }
    let statePath = FilePlace(context.resolve(state.path)).path
    for kept in [statePath, statePath + "-journal"] where place.isSame(as: kept) {
      throw wouldReplace("the state '\(state.path)'")
    }
    guard !place.isSame(as: context.resolve("circlectl.yaml")) else {
      throw wouldReplace("'circlectl.yaml'")
    }
    let isRegular = exists && status.st_mode & S_IFMT == S_IFREG
    if isRegular, let kept = Self.neverReplaced(at: place.path) { throw wouldReplace(kept) }
    let isReplaced = !exists || isRegular
    guard access(isReplaced ? FilePlace.folder(of: place.path) : place.path, W_OK) == 0 else {
      throw cannotWrite(String(cString: strerror(errno)))
    }
  }

  /// What a regular file is that only its owner's own hand may remove: a state, or the only copy of events.
  private static func neverReplaced(at path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 20)
    let count = max(read(descriptor, &head, head.count), 0)
    if head[..<count].starts(with: "SQLite format 3\0".utf8) { return "a state or another database" }
    return head[..<count].starts(with: #"{"circlectlArchive""#.utf8) ? "an archive of events" : nil
  }

  func wouldReplace(_ kept: String) -> Failure {
    Failure(
      .usage, "the \(what) '\(path)' would replace \(kept); nothing was done", next: next)
  }

  /// Whether something is there that it would replace.
  func exists(in context: Context) -> Bool {
    var status = stat()
    return stat(context.resolve(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Writes beside the file and renames at the end, so that a reader finds the old file or the whole new one. What is
  /// no regular file, such as a device, is written into.
  func write(in context: Context, _ body: (CInt) throws(Failure) -> Void) throws(Failure) {
    // A symbolic link stays, and its target is replaced.
    let target = FilePlace(context.resolve(path)).path
    var status = stat()
    let isReplaced = stat(target, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    let written = isReplaced ? "\(target).\(getpid()).part" : target
    let flags = isReplaced ? O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC : O_WRONLY | O_CLOEXEC | O_NOCTTY
    // Of a process that was killed, or a link that somebody has laid there.
    if isReplaced { unlink(written) }
    let descriptor = open(written, flags, mode)
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

  /// Writes bytes to the descriptor that `write(in:)` lends.
  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(Failure) {
    do throws(DescriptorSink.Failure) {
      try DescriptorSink(descriptor: descriptor).write(bytes)
    } catch {
      throw cannotWrite(error.sentence)
    }
  }

  func cannotWrite(_ reason: String) -> Failure {
    Failure(.failed, "can't write the \(what) '\(path)': \(reason)", next: next)
  }
}

extension CommandRun {
  /// Refuses a report that would take the place of a file that this command reads or writes.
  ///
  /// - Parameter what: such as `table`.
  func refuseReports(over paths: [String], _ what: String) throws(Failure) {
    for path in paths where !path.utf8.elementsEqual("-".utf8) {
      if let report = dropReports(to: path) { throw report.target.wouldReplace("the \(what) '\(path)'") }
    }
  }

  /// Takes away the reports that go to this place, so that what stands there is not written over to tell of it either.
  /// - Returns: the first of them.
  private func dropReports(to path: String) -> ReportFile? {
    let place = FilePlace(context.resolve(path))
    let first = reports.first { place.isSame(as: context.resolve($0.path)) }
    if first != nil { reports.removeAll { place.isSame(as: context.resolve($0.path)) } }
    return first
  }

  /// Tells before anything is done that a file of this command could not be written, or that a report would take its place.
  func check(_ file: ReplacedFile) throws(Failure) {
    guard dropReports(to: file.path) == nil else {
      throw Failure(
        .usage, "the \(file.what) and a report go to the same file '\(file.path)'",
        next: ["Each --report needs a file of its own."])
    }
    try file.check(in: context, state: options.state)
  }
}
