import CircleKit
import Glibc

/// All that a run touches of the world outside its arguments, so that tests can put something else in its place.
package struct Context: Sendable {
  /// Where manifests named `-` and answers to questions come from.
  package var input: CInt
  /// Where results go, and nothing else.
  package var output: CInt
  /// Where progress, warnings and errors go.
  package var errors: CInt
  package var environment: [String: String]
  /// The variables whose values are not valid UTF-8; they are not in `environment`.
  package var garbledVariables: Set<String> = []
  /// Where relative paths begin; empty for the process's own current folder.
  package var folder: String
  /// Unix milliseconds, UTC.
  package var clock: @Sendable () -> Int64
  /// Whether a person sits at the descriptor.
  package var isTerminal: @Sendable (CInt) -> Bool
  /// How many columns the terminal at the descriptor has; nil where there is none.
  package var columns: @Sendable (CInt) -> Int?
  /// Bytes that nobody can guess, for ids without `--id-seed`.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// The signal that asks the run to stop, or 0.
  package var interrupted: @Sendable () -> Int32

  package init(
    input: CInt, output: CInt, errors: CInt, environment: [String: String], folder: String,
    clock: @escaping @Sendable () -> Int64, isTerminal: @escaping @Sendable (CInt) -> Bool,
    columns: @escaping @Sendable (CInt) -> Int?, randomBytes: @escaping @Sendable (Int) -> [UInt8],
    interrupted: @escaping @Sendable () -> Int32
  ) {
    self.input = input
    self.output = output
    self.errors = errors
    self.environment = environment
    self.folder = folder
    self.clock = clock
    self.isTerminal = isTerminal
    self.columns = columns
    self.randomBytes = randomBytes
    self.interrupted = interrupted
  }

  /// The real world; signals are noted from now on.
  package static func ofThisProcess() -> Context {
    occupyClosedStreams()
    Signals.install()
    let (environment, garbled) = processEnvironment()
    var context = Context(
      input: STDIN_FILENO, output: STDOUT_FILENO, errors: STDERR_FILENO, environment: environment, folder: "",
      clock: { systemMilliseconds() }, isTerminal: { isatty($0) == 1 }, columns: terminalColumns,
      randomBytes: systemRandomBytes,
      interrupted: Signals.arrived)
    context.garbledVariables = garbled
    return context
  }

  /// The path as the process can open it.
  func resolve(_ path: String) -> String {
    guard !folder.isEmpty, !path.isEmpty, path.utf8.first != UInt8(ascii: "/") else { return path }
    return "\(folder)/\(path)"
  }
}

/// Takes the places of standard streams that were closed, lest a file that is opened later is read or written in their
/// stead. Whoever uses one is told that it is not there: what stands in for input can't be read, nor the others written.
private func occupyClosedStreams() {
  for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
  where fcntl(stream, F_GETFD) < 0 {
    // The lowest that is free is the stream, since those below it are open.
    _ = open("/dev/null", mode)
  }
}

private func processEnvironment() -> (values: [String: String], garbled: Set<String>) {
  var values: [String: String] = [:]
  var garbled: Set<String> = []
  var entry = environ
  while let pointer = entry.pointee {
    entry += 1
    let text = String(cString: pointer)
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
    let name = String(text[..<equals])
    if String(validatingCString: pointer) == nil {
      garbled.insert(name)
    } else {
      values[name] = String(text[text.utf8.index(after: equals)...])
    }
  }
  return (values, garbled)
}

@Sendable private func terminalColumns(_ descriptor: CInt) -> Int? {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
  return Int(size.ws_col)
}

@Sendable private func systemRandomBytes(_ count: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
}
