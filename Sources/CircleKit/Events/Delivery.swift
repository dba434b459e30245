import Dispatch

/// Where a delegate's methods are called, one after the other.
struct Delivery: Sendable {
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(queue: DispatchQueue?) {
    let queue = queue ?? DispatchQueue(label: "circlectl.events")
    run = { work in queue.async { work() } }
  }

  /// A task of its own takes the calls in their order; it ends with the delivery.
  init(executor: any TaskExecutor) {
    let (calls, continuation) = AsyncStream<@Sendable () -> Void>.makeStream()
    Task(executorPreference: executor) {
      for await call in calls { call() }
    }
    let end = Ending { continuation.finish() }
    run = { work in
      _ = end
      continuation.yield(work)
    }
  }

  /// Runs its closure when nobody holds it any more.
  private final class Ending: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit { end() }
  }
}
