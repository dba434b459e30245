import CircleReport
import CircleState
import CommandTree
import Digest
import Glibc

extension OptionSpec {
  /// `--archive`.
  static func archive(_ summary: String) -> OptionSpec {
    value("archive", "FILE", repeatable: true, completion: .files, summary)
  }
}

extension CommandRun {
  /// What the files of `--archive` hold; nil where none is given.
  func archive() throws(Failure) -> LogArchive? {
    let paths = arguments.values("archive")
    guard !paths.isEmpty else { return nil }
    try refuseReports(over: paths, "archive")
    var archive = LogArchive()
    for path in paths {
      let extent = try phase(.loading) { () throws(Failure) in try add(path, to: &archive) }
      detail("'\(path)' holds runs \(extent.runs.lowerBound) to \(extent.runs.upperBound)")
    }
    return archive
  }

  private func add(_ path: String, to archive: inout LogArchive) throws(Failure) -> CutExtent {
    // Neither waits for a writer of a FIFO, nor reads what never ends.
    let descriptor = open(context.resolve(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.cannotRead("archive", path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.cannotRead("archive", path, "it is no file")
    }
    return try readingPieces(
      of: path, "archive", from: descriptor,
      wayBack: "The archive is not what was written; another copy of it is the way back."
    ) { (next) throws(RestoreError) in
      try archive.add(next)
    }
  }

  /// Refuses archives of another state's log.
  func requireOwn(_ archive: LogArchive, in store: StateStore) throws(Failure) {
    let foreign = try onState { () throws(StateError) in try archive.firstForeignRun(in: store) }
    guard let foreign else { return }
    throw Failure(
      .refused, "the archive holds a run \(foreign) that is not the one of the state's history",
      next: ["It was made of another state, or the state is an older copy."])
  }
}
