import Glibc

/// What goes to and fro between this process and a command that runs.
struct Exchange {
  var pipes: Pipes
  private let input: [UInt8]
  private var written = 0
  private let largestOutput: Int
  private let keptErrors: Int
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private var piece = [UInt8](repeating: 0, count: 64 << 10)

  /// How often it is looked at whether the command still runs, in milliseconds: where a child of it keeps the output
  /// open, nothing else tells.
  private static let tick: Int64 = 20

  init(_ pipes: Pipes, input: [UInt8], largestOutput: Int, keptErrors: Int) {
    self.pipes = pipes
    self.input = input
    self.largestOutput = largestOutput
    self.keptErrors = keptErrors
  }

  /// Feeds and reads the command until its shell has ended.
  /// - Returns: why it must be ended before that; nil when it ended by itself.
  mutating func run(
    with process: pid_t, until deadline: Int64, isCancelled: () -> Bool
  ) -> ShellCommand.End? {
    while true {
      // Before what is read, so that all that was written before the end is read after it.
      let hasEnded = Self.hasEnded(process)
      if !transfer() { return .tooMuchOutput }
      if hasEnded { return nil }
      if isCancelled() { return .cancelled }
      let rest = deadline - MonotonicClock.now()
      if rest <= 0 { return .timedOut }
      wait(min(rest, Self.tick))
    }
  }

  /// Whether the shell has ended; it stays a zombie.
  private static func hasEnded(_ process: pid_t) -> Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) != 0 {
      if errno != EINTR { return true }
    }
    return info.si_signo != 0
  }

  /// Waits until something can be read or written.
  private func wait(_ time: Int64) {
    var waiting: [pollfd] = []
    if pipes.input.ours >= 0 { waiting.append(pollfd(fd: pipes.input.ours, events: Int16(POLLOUT), revents: 0)) }
    if pipes.output.ours >= 0 { waiting.append(pollfd(fd: pipes.output.ours, events: Int16(POLLIN), revents: 0)) }
    if pipes.errors.ours >= 0 { waiting.append(pollfd(fd: pipes.errors.ours, events: Int16(POLLIN), revents: 0)) }
    // With both outputs closed the end is near.
    let isEnding = pipes.output.ours < 0 && pipes.errors.ours < 0
    poll(&waiting, nfds_t(waiting.count), Int32(isEnding ? min(time, 1) : time))
  }

  /// Writes and reads all that goes without waiting; false when the output has become too large.
  private mutating func transfer() -> Bool {
    send()
    while pipes.output.ours >= 0 {
      guard let count = receive(pipes.output.ours) else { break }
      if count == 0 { pipes.closeOutput() }
      output += piece[..<count]
      if output.count > largestOutput { return false }
    }
    // A command that complains without end is not read without end.
    var rounds = 64
    while pipes.errors.ours >= 0, rounds > 0 {
      guard let count = receive(pipes.errors.ours) else { break }
      if count == 0 { pipes.closeErrors() }
      errors += piece[..<min(count, keptErrors - errors.count)]
      rounds -= 1
    }
    return true
  }

  private mutating func send() {
    while pipes.input.ours >= 0 {
      if written == input.count { return pipes.closeInput() }
      let count = input.withUnsafeBytes {
        write(pipes.input.ours, $0.baseAddress.map { $0 + written }, $0.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        // It reads no further; what it answers counts all the same.
        pipes.closeInput()
      }
    }
  }

  /// - Returns: how many bytes came, 0 at the end, nil when there are none now.
  private mutating func receive(_ descriptor: CInt) -> Int? {
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return nil }
      if errno != EINTR { return 0 }
    }
  }
}
