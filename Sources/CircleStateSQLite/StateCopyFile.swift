import CircleState
import Glibc

/// The file that keeps a state as it was before it was brought to a newer format: beside it, for its owner alone, under a
/// name that nothing had before.
struct StateCopyFile {
  let path: String

  /// Makes it, empty.
  init(beside state: String) throws(StateError) {
    var number = 1
    while true {
      let path = state + (number == 1 ? ".before-upgrade" : ".before-upgrade-\(number)")
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        close(descriptor)
        self.path = path
        return
      }
      guard errno == EEXIST, number < 1000 else {
        throw .io(
          "'\(state)' has an older format, and no copy of it can be made at '\(path)': "
            + String(cString: strerror(errno)))
      }
      number += 1
    }
  }

  /// Makes the file and its name lasting.
  func sync() throws(StateError) {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    for (name, flags) in [(path, O_RDONLY), (folder, O_RDONLY | O_DIRECTORY)] {
      let descriptor = open(name, flags | O_CLOEXEC)
      guard descriptor >= 0 else { throw .io("can't write '\(path)': \(String(cString: strerror(errno)))") }
      let result = fsync(descriptor)
      let number = errno
      close(descriptor)
      // Some file systems can't do it for folders.
      guard result == 0 || number == EINVAL else {
        throw .io("can't write '\(path)': \(String(cString: strerror(number)))")
      }
    }
  }

  func remove() {
    unlink(path)
  }
}
