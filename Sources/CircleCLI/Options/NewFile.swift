import Glibc
import JSONText

/// A file that a run makes beside its results, and that must not be there yet: whole and lasting, or not at all.
struct NewFile {
  let path: String
  /// What it holds, in a word.
  let what: String
  private let target: String

  init(_ path: String, what: String, in context: Context) {
    self.path = path
    self.what = what
    target = context.resolve(path)
  }

  /// Whether anything is there, be it a link that leads nowhere.
  var exists: Bool {
    var status = stat()
    return lstat(target, &status) == 0
  }

  /// Writes the file for its owner alone, beside its place, and gives it its name once all of it is on the disk.
  ///
  /// - Parameter taken: the failure where something has that name by then.
  func write(taken: () -> Failure, _ body: (CInt) throws(Failure) -> Void) throws(Failure) {
    let part = "\(target).\(getpid()).part"
    unlink(part)
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw cannotWrite(errno) }
    defer { unlink(part) }
    do throws(Failure) {
      try body(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    let isSynced = fsync(descriptor) == 0
    let number = errno
    guard close(descriptor) == 0, isSynced else { throw cannotWrite(isSynced ? errno : number) }
    // A link never takes the place of what is there. Some file systems have none.
    if link(part, target) != 0 {
      let number = errno
      guard number != EEXIST else { throw taken() }
      guard [EPERM, EOPNOTSUPP, ENOSYS].contains(number) else { throw cannotWrite(number) }
      guard !exists else { throw taken() }
      guard rename(part, target) == 0 else { throw cannotWrite(errno) }
    }
    try syncFolder()
  }

  /// Writes bytes to the descriptor that `write(taken:)` lends.
  func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) throws(Failure) {
    do throws(DescriptorSink.Failure) {
      try DescriptorSink(descriptor: descriptor).write(bytes)
    } catch {
      throw cannotWrite(error.number)
    }
  }

  /// Takes the file back.
  func remove() {
    unlink(target)
  }

  private func syncFolder() throws(Failure) {
    let folder = open(FilePlace.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw cannotWrite(errno) }
    defer { close(folder) }
    // Some file systems can't do it for folders.
    guard fsync(folder) == 0 || errno == EINVAL else { throw cannotWrite(errno) }
  }

  private func cannotWrite(_ number: Int32) -> Failure {
    Failure(.failed, "can't write the \(what) '\(path)': \(String(cString: strerror(number)))")
  }
}
