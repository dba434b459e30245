import CircleState

/// A moment of the monotonic clock until which something may take.
struct Deadline {
  private let end: Int

  init(milliseconds: Int) {
    let (sum, overflows) = Self.now.addingReportingOverflow(max(0, milliseconds))
    end = overflows ? Int.max : sum
  }

  /// Milliseconds, 0 once it has passed.
  var left: Int { max(0, end - Self.now) }

  private static var now: Int { Int(StateStore.monotonicMilliseconds()) }
}

/// How long a connection waits for its server, and whom it asks meanwhile whether it should stop.
struct Patience: Sendable {
  /// How many milliseconds a server that owes an answer may say nothing.
  var silence = 60_000
  /// The signal that has come, or 0.
  var interrupted: @Sendable () -> Int32 = { 0 }

  /// How often signals are asked for while waiting, in milliseconds.
  static let tick = 100
}
