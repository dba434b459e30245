import Glibc
import Synchronization

/// SIGINT and SIGTERM: the first one asks the command to stop where nothing is half done, a second one ends it at once.
enum Signals {
  static let interrupt = SIGINT
  static let terminate = SIGTERM

  private static let pending = Atomic<Int32>(0)

  /// The signal that has come, or 0.
  @Sendable static func arrived() -> Int32 {
    pending.load(ordering: .relaxed)
  }

  /// From now on signals are noted; those that the process was started to ignore stay ignored. Writing into a closed
  /// pipe is an error like any other.
  static func install() {
    // Makes the global before a handler could be the first to touch it.
    pending.store(0, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM] { install(for: number) }
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
        _exit(128 + signal)
      }
    }
    sigemptyset(&action.sa_mask)
    // Without SA_RESTART, so that a read that waits for a person comes back.
    action.sa_flags = 0
    sigaction(number, &action, nil)
  }
}
