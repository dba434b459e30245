import CSpawn
import Glibc

/// A command that `/bin/sh` runs in a process group of its own, fed and read through pipes.
///
/// When `run` returns nothing of it is left: the group is killed and the shell reaped, also when a child of the shell
/// still held the output open. What has left the group (`setsid`) goes its own way; nobody waits for it.
struct ShellCommand {
  /// How it ended.
  enum End: Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case timedOut
    case tooMuchOutput
    case cancelled
    /// Something else in this process waited for it first.
    case lost
  }

  struct Result {
    var end: End
    var output: [UInt8]
    /// The first of what it said on standard error.
    var errors: [UInt8]
  }

  /// The system could not start it.
  struct Failure: Error {
    var reason: String
  }

  var command: String
  /// Each `NAME=value`.
  var environment: [String]
  /// Where it runs; empty for the process's own folder.
  var folder: String
  /// In bytes; more ends it.
  var largestOutput: Int
  /// How much of standard error is kept; the rest is read and forgotten.
  var keptErrors = 8 << 10

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - input: what it can read; it need not read all of it.
  ///   - deadline: on `MonotonicClock`, in milliseconds.
  ///   - isCancelled: asked at least every 50 ms.
  func run(
    input: [UInt8], until deadline: Int64, isCancelled: () -> Bool
  ) throws(Failure) -> Result {
    if MonotonicClock.now() >= deadline { return Result(end: .timedOut, output: [], errors: []) }
    Self.makeChildrenWaitable()
    var exchange = Exchange(try Pipes(), input: input, largestOutput: largestOutput, keptErrors: keptErrors)
    defer { exchange.pipes.closeAll() }
    let process = try spawn(exchange.pipes)
    exchange.pipes.closeTheirs()
    let early = BrokenPipeGuard.during {
      exchange.run(with: process, until: deadline, isCancelled: isCancelled)
    }
    // The shell is a zombie until it is reaped, so that no other group can have its number yet.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    var reaped = waitpid(process, &status, 0)
    while reaped < 0, errno == EINTR { reaped = waitpid(process, &status, 0) }
    return Result(end: early ?? Self.end(reaped == process, status), output: exchange.output, errors: exchange.errors)
  }

  private static func end(_ isReaped: Bool, _ status: Int32) -> End {
    guard isReaped else { return .lost }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  /// A program that was started with SIGCHLD ignored has no children to wait for: the system reaps them.
  private static func makeChildrenWaitable() {
    var action = sigaction()
    sigaction(SIGCHLD, nil, &action)
    let isIgnored =
      unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    if isIgnored { signal(SIGCHLD, SIG_DFL) }
  }

  private func spawn(_ pipes: Pipes) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in [pipes.input.theirs, pipes.output.theirs, pipes.errors.theirs].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(target))
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    if !folder.isEmpty { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // What this process ignores or blocks is no business of the command.
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let line: [String] = ["/bin/sh", "-c", command]
    var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer {
      for word in words { free(word) }
      for variable in variables { free(variable) }
    }
    var process = pid_t()
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failure(reason: String(cString: strerror(code))) }
    return process
  }
}

/// Time that never goes back.
enum MonotonicClock {
  /// Milliseconds since some fixed moment.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// The three pipes of a command; no other program that is started meanwhile inherits them.
struct Pipes {
  struct Pipe {
    var ours: CInt
    var theirs: CInt
  }

  private(set) var input = Pipe(ours: -1, theirs: -1)
  private(set) var output = Pipe(ours: -1, theirs: -1)
  private(set) var errors = Pipe(ours: -1, theirs: -1)

  init() throws(ShellCommand.Failure) {
    do throws(ShellCommand.Failure) {
      input = try Self.make(weWrite: true)
      output = try Self.make(weWrite: false)
      errors = try Self.make(weWrite: false)
    } catch {
      closeAll()
      throw error
    }
  }

  private static func make(weWrite: Bool) throws(ShellCommand.Failure) -> Pipe {
    var ends: [CInt] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .init(reason: String(cString: strerror(errno))) }
    // Above the standard streams, which the command's own take the place of; one of ours may be closed.
    for index in 0..<2 where ends[index] <= STDERR_FILENO {
      let higher = fcntl(ends[index], F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      let code = errno
      Glibc.close(ends[index])
      ends[index] = higher
      guard higher >= 0 else {
        Glibc.close(ends[1 - index])
        throw .init(reason: String(cString: strerror(code)))
      }
    }
    let pipe = weWrite ? Pipe(ours: ends[1], theirs: ends[0]) : Pipe(ours: ends[0], theirs: ends[1])
    _ = fcntl(pipe.ours, F_SETFL, O_NONBLOCK)
    return pipe
  }

  mutating func closeTheirs() {
    Self.close(&input.theirs)
    Self.close(&output.theirs)
    Self.close(&errors.theirs)
  }

  /// Tells the command that nothing more comes.
  mutating func closeInput() { Self.close(&input.ours) }
  mutating func closeOutput() { Self.close(&output.ours) }
  mutating func closeErrors() { Self.close(&errors.ours) }

  mutating func closeAll() {
    closeTheirs()
    Self.close(&input.ours)
    Self.close(&output.ours)
    Self.close(&errors.ours)
  }

  private static func close(_ descriptor: inout CInt) {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}

/// Writing into a pipe that nobody reads sends SIGPIPE to the thread, which would end the whole program.
private enum BrokenPipeGuard {
  static func during<R>(_ body: () -> R) -> R {
    var signals = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer {
      if !wasPending {
        var none = timespec()
        while sigtimedwait(&signals, nil, &none) < 0, errno == EINTR {}
      }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return body()
  }
}
