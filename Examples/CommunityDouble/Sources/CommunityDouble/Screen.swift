import Synchronization

/// Stands in for the application's user interface: it keeps what is shown.
final class Screen: Sendable {
  private let lines = Mutex<[String]>([])

  func show(_ line: String) {
    lines.withLock { $0.append(line) }
  }

  /// What was shown, once so many lines are there.
  func shown(_ count: Int) async throws -> [String] {
    while lines.withLock({ $0.count }) < count { try await Task.sleep(for: .milliseconds(5)) }
    return lines.withLock { $0 }
  }
}
