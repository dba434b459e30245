import Diagnostics
import Glibc
import JSONText
import Synchronization

/// The two streams of a run: results on one, all that is said beside them on the other.
///
/// A reader of the results who has gone away ends the output quietly; any other fault in writing is a failure.
final class Console: Sendable {
  private let output: DescriptorSink
  private let errors: DescriptorSink
  private struct Line {
    var isShown = false
  }
  /// Whether the last line on the terminal is one of progress, to be wiped before anything else is said.
  private let line = Mutex(Line())
  private let closed = Atomic<Bool>(false)
  private let isReadByWorkflow = Atomic<Bool>(false)

  init(output: CInt, errors: CInt) {
    self.output = DescriptorSink(descriptor: output)
    self.errors = DescriptorSink(descriptor: errors)
  }

  /// Whether nobody reads the results any more, so that making further ones is no use.
  var isOutputClosed: Bool { closed.load(ordering: .relaxed) }

  /// From now on a runner of GitHub reads what is said: no line of it may be a command.
  func guardAgainstCommands() {
    isReadByWorkflow.store(true, ordering: .relaxed)
  }

  /// Notes that the reader of the results has gone.
  func outputWasClosed() {
    closed.store(true, ordering: .relaxed)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard !isOutputClosed, !bytes.isEmpty else { return }
    clearProgress()
    do throws(DescriptorSink.Failure) {
      try output.write(bytes)
    } catch {
      guard error.number != EPIPE else { return outputWasClosed() }
      throw Failure(.failed, "can't write the result to standard output: \(String(cString: strerror(error.number)))")
    }
  }

  func write(_ text: String) throws(Failure) {
    try write(bytes: Array(text.utf8))
  }

  func write(bytes: [UInt8]) throws(Failure) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in try write(UnsafeRawBufferPointer(buffer)) }
  }

  /// Says something beside the results; that nobody listens is no failure.
  func say(_ text: String) {
    clearProgress()
    tell(text.withoutPasswords)
  }

  /// Shows a line of progress in the place of the last one.
  func showProgress(_ text: String) {
    line.withLock { line in
      tell("\r\u{1B}[K\(text)")
      line.isShown = true
    }
  }

  /// A line that begins with `::`, also behind blanks, is a command of a workflow.
  private func withoutCommands(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.drop { $0.isWhitespace }.hasPrefix("::") ? "circlectl: \(line)" : String(line) }
      .joined(separator: "\n")
  }

  func clearProgress() {
    line.withLock { line in
      guard line.isShown else { return }
      tell("\r\u{1B}[K")
      line.isShown = false
    }
  }

  private func tell(_ text: String) {
    let bytes = Array((isReadByWorkflow.load(ordering: .relaxed) ? withoutCommands(text) : text).utf8)
    bytes.withUnsafeBufferPointer { buffer in
      do throws(DescriptorSink.Failure) {
        try errors.write(UnsafeRawBufferPointer(buffer))
      } catch {
        // There is nowhere left to tell it.
      }
    }
  }
}
