import Glibc

/// The file of a state as the system sees it: its rights, the room beside it, what was left there.
struct StateFile {
  private let path: String
  /// As people know it.
  private let location: String

  init(_ path: String, _ location: String) {
    self.path = path
    self.location = location
  }

  var hasJournal: Bool {
    var status = stat()
    return stat(path + "-journal", &status) == 0 && status.st_size > 0
  }

  /// - Parameter hadJournal: whether a journal was there before the state was opened.
  func look(into checkup: inout Checkup, hadJournal: Bool) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    rights(status, &checkup)
    room(status, &checkup)
    journal(hadJournal, &checkup)
  }

  /// Where there is no file yet: whether one can be made.
  func lookAtPlace(into checkup: inout Checkup) {
    let folder = FilePlace.folder(of: path)
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return checkup.warn(
        .state, "writing", "the folder for '\(location)' is not there",
        "Make it before the first command that writes, or name another place with --state.")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      return checkup.warn(
        .state, "writing", "the folder for '\(location)' may not be written: \(String(cString: strerror(errno)))",
        "The first command that writes needs it writable for this user, or another place with --state.")
    }
    checkup.ok(.state, "writing", "the folder for '\(location)' may be written")
  }

  private func rights(_ status: stat, _ checkup: inout Checkup) {
    let mode = status.st_mode & 0o777
    if mode & 0o077 == 0 {
      checkup.ok(.state, "rights", "'\(location)' is its owner's alone")
    } else {
      checkup.warn(
        .state, "rights", "others than its owner may use '\(location)' (mode \(String(mode, radix: 8)))",
        "'chmod 600 \(location)' keeps it to its owner, unless that is meant.")
    }
    guard access(path, W_OK) == 0, access(FilePlace.folder(of: path), W_OK) == 0 else {
      return checkup.warn(
        .state, "writing", "'\(location)', or its folder, may not be written by this user",
        "Commands that only read work; for the others both have to be writable, for the journal stands beside the file."
      )
    }
    checkup.ok(.state, "writing", "'\(location)' and its folder may be written")
  }

  /// A run may change every page, and keeps the old ones in the journal meanwhile.
  private func room(_ status: stat, _ checkup: inout Checkup) {
    var system = statvfs()
    guard statvfs(path, &system) == 0 else { return }
    let size = UInt64(max(0, status.st_size))
    let (free, isBeyond) = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize))
    let needed = size * 2 + 16 << 20
    let words = "the state has \(Self.megabytes(size)), the disk \(Self.megabytes(free)) free"
    if isBeyond || free >= needed {
      checkup.ok(.state, "room", words)
    } else {
      checkup.warn(
        .state, "room", words, "Make room: a run that changes much needs up to \(Self.megabytes(needed)) for a while.")
    }
  }

  private func journal(_ hadJournal: Bool, _ checkup: inout Checkup) {
    switch (hadJournal, hasJournal) {
    case (false, _): checkup.ok(.state, "journal", "no interrupted run has left one")
    case (true, false): checkup.ok(.state, "journal", "what an interrupted run had left was rolled back now")
    case (true, true):
      checkup.warn(
        .state, "journal", "'\(location)-journal' is there: a run is writing, or was interrupted",
        "Leave it where it is: it belongs to the state, and the next command that may write rolls it back.")
    }
  }

  /// In MiB, rounded up.
  private static func megabytes(_ bytes: UInt64) -> String {
    "\(grouped(Int(clamping: bytes / 1_048_576 + (bytes % 1_048_576 == 0 ? 0 : 1)))) MiB"
  }
}
