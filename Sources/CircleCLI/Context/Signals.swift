import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP (the terminal has gone, which ends the run as SIGTERM does): the first one asks the command to stop where nothing is half done, a second one ends it at once.
///
/// 130 and 143 say that the state is as it was, so no signal ends the program with them while the state is being
/// written or after that: until the write is done a second one waits, and then it only cuts the report off.
enum Signals {
  /// How far the run has come with the state.
  enum Stage: UInt8, AtomicRepresentable {
    case untouched, writing, written
  }

  private static let stage = Atomic<Stage>(.untouched)
  static let interrupt = SIGINT
  static let terminate = SIGTERM

  /// The exit code of a run that the signal ends.
  static func status(of signal: Int32) -> Int32 { signal == SIGINT ? 130 : 143 }

  private static let pending = Atomic<Int32>(0)

  /// The signal that has come, or 0.
  @Sendable static func arrived() -> Int32 {
    pending.load(ordering: .relaxed)
  }

  static func enter(_ next: Stage) {
    stage.store(next, ordering: .relaxed)
  }

  /// From now on signals are noted; those that the process was started to ignore stay ignored. Writing into a closed
  /// pipe, or beyond the size that a file may have, is an error like any other.
  static func install() {
    // Makes the global before a handler could be the first to touch it.
    pending.store(0, ordering: .relaxed)
    enter(.untouched)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] { install(for: number) }
  }

  private static func install(for number: Int32) {
    var before = sigaction()
    sigaction(number, nil, &before)
    let ignored =
      unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    if ignored { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { signal in
      if !Signals.pending.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged {
        Signals.end(by: signal)
      }
    }
    sigemptyset(&action.sa_mask)
    // Without SA_RESTART, so that a read that waits for a person comes back.
    action.sa_flags = 0
    sigaction(number, &action, nil)
  }

  /// What a second signal does; called by the handler, so it only does what a handler may.
  private static func end(by signal: Int32) {
    switch stage.load(ordering: .relaxed) {
    case .untouched: _exit(status(of: signal))
    case .writing: return
    case .written:
      let message: StaticString = "\ncirclectl: the run is written; its report was cut off by a second signal\n"
      _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
      _exit(1)
    }
  }
}
