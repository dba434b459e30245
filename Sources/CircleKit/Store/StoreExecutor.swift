import Dispatch

/// Runs the work of a store on a queue of its own: a store may wait for another process's lock, and must not keep a thread
/// of the common pool from others meanwhile.
final class StoreExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "circlectl.store")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
