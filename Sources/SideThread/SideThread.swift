import Glibc

/// Work on a thread of its own, beside the caller's: the second core of the machine.
///
/// The work must not touch what the caller changes before `join()`; values that both only read are safe. Where the
/// system has no thread left `start` does the work at once in the caller's, so that the result is the same.
package final class SideThread<Result> {
  private let work: () -> Result
  private var result: Result?
  private var thread = pthread_t()
  private var isRunning = false

  private init(_ work: @escaping () -> Result) {
    self.work = work
  }

  package static func start(_ work: @escaping () -> Result) -> SideThread {
    let side = SideThread(work)
    side.isRunning = runs(side, on: &side.thread)
    if !side.isRunning { side.result = work() }
    return side
  }

  /// Nil, with nothing done, where the system has no thread left: for work that waits for what the caller does beside it.
  package static func startIfPossible(_ work: @escaping () -> Result) -> SideThread? {
    let side = SideThread(work)
    side.isRunning = runs(side, on: &side.thread)
    return side.isRunning ? side : nil
  }

  /// Waits for the work and gives its result.
  package func join() -> Result {
    if isRunning {
      pthread_join(thread, nil)
      isRunning = false
    }
    return result ?? work()
  }

  deinit {
    if isRunning { pthread_detach(thread) }
  }

  private static func runs(_ side: SideThread, on thread: inout pthread_t) -> Bool {
    let argument = Unmanaged.passRetained(side as any Runnable & AnyObject as AnyObject)
    // Signals are for the thread that waits for files, stores and people.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let failed = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let side = Unmanaged<AnyObject>.fromOpaque(argument).takeRetainedValue()
        (side as? any Runnable)?.run()
        return nil
      }, argument.toOpaque())
    if failed != 0 { argument.release() }
    return failed == 0
  }
}

/// What a thread can start without knowing its result's type.
private protocol Runnable: AnyObject {
  func run()
}

extension SideThread: Runnable {
  fileprivate func run() {
    result = work()
  }
}
