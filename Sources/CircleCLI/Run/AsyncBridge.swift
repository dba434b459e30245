import Dispatch
import Synchronization

/// Waits for asynchronous work: the one place where the synchronous command line meets Swift's concurrency.
///
/// The caller's thread sleeps, and the work runs on others; it must not come back to the caller's. Signals still arrive,
/// but nobody looks at them here: the work does so itself.
///
/// - Parameter limit: how long to wait; nil for as long as it takes. The work goes on after it, until the process ends.
/// - Returns: nil when the time was over.
func waitFor<Value: Sendable>(
  atMost limit: TimeSpan? = nil, _ work: @escaping @Sendable () async -> Value
) -> Value? {
  let box = ResultBox<Value>()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    let value = await work()
    box.value.withLock { $0 = value }
    done.signal()
  }
  if let limit {
    guard done.wait(timeout: .now() + .milliseconds(limit.milliseconds)) == .success else { return nil }
  } else {
    done.wait()
  }
  return box.value.withLock { $0 }
}

private final class ResultBox<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
