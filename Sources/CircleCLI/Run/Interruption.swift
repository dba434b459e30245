import Synchronization

/// Whether a signal asks a run to stop, as long as the run can still heed it.
final class Interruption: Sendable {
  private let source: @Sendable () -> Int32
  private let heeds = Atomic<Bool>(true)

  /// - Parameter source: the signal that has come, or 0.
  init(_ source: @escaping @Sendable () -> Int32) {
    self.source = source
  }

  /// Off once the run has written, and while it cleans up.
  var isHeeded: Bool {
    get { heeds.load(ordering: .relaxed) }
    set { heeds.store(newValue, ordering: .relaxed) }
  }

  /// The signal, or 0.
  @Sendable func arrived() -> Int32 {
    isHeeded ? source() : 0
  }
}
