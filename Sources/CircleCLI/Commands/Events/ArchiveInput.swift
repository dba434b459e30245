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
    guard descriptor >= 0 else { throw Self.cannotRead(path, String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Self.cannotRead(path, "it is no file")
    }
    var failure: Failure?
    do throws(RestoreError) {
      return try archive.add { () throws(StateError) in
        let signal = interruption.arrived()
        guard signal == 0 else { throw .interrupted(signal: signal) }
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        let count = read(descriptor, &piece, piece.count)
        guard count >= 0 else {
          failure = Self.cannotRead(path, String(cString: strerror(errno)))
          throw .io("")
        }
        return Array(piece[..<count])
      }
    } catch {
      if let failure { throw failure }
      switch error {
      case .state(let error): throw Failure(error, location: options.state.path)
      case .dump(let fault):
        throw Failure(
          .badInput, "\(path):\(fault.line): \(fault.sentence)",
          next: ["The archive is not what was written; another copy of it is the way back."])
      }
    }
  }

  private static func cannotRead(_ path: String, _ reason: String) -> Failure {
    Failure(.badInput, "can't read the archive '\(path)': \(reason)")
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
