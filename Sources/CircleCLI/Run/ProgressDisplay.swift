import Diagnostics
import Glibc

/// Shows which phase lasts, on a terminal as one line that is drawn again and again, elsewhere as a plain line now and
/// then. A thread of its own draws, since the work may not come back for seconds.
final class ProgressDisplay: Sendable {
  /// How long a run may take before anything is shown, and how often it is drawn.
  private struct Pace {
    var first: Int32
    var next: Int32
  }

  private final class Drawing: Sendable {
    let console: Console
    let stopwatch: Stopwatch
    let isOnTerminal: Bool
    let columns: @Sendable () -> Int?
    let stop: CInt

    init(
      console: Console, stopwatch: Stopwatch, isOnTerminal: Bool, columns: @escaping @Sendable () -> Int?, stop: CInt
    ) {
      self.console = console
      self.stopwatch = stopwatch
      self.isOnTerminal = isOnTerminal
      self.columns = columns
      self.stop = stop
    }

    func run() {
      let pace = isOnTerminal ? Pace(first: 500, next: 120) : Pace(first: 500, next: 1000)
      var wait = pace.first
      while !isStopped(within: wait) {
        // While a person was asked, the run has taken no time.
        if stopwatch.elapsed * 1000 >= Double(pace.first) { draw() }
        wait = pace.next
      }
    }

    private func isStopped(within milliseconds: Int32) -> Bool {
      var signal = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
      return poll(&signal, 1, milliseconds) > 0
    }

    private func draw() {
      guard let lap = stopwatch.current else { return }
      guard isOnTerminal else { return console.say("\(text(of: lap, within: .max))\n") }
      // A line that the terminal breaks could not be wiped.
      let width = columns().map { max($0 - 1, 0) } ?? .max
      console.showProgress(truncated(text(of: lap, within: width), to: width))
    }

    private static let longestBar = 20
    private static let shortestBar = 4

    /// The phase with what is known of it. Where the line is too long the bar is shorter or left out, then the time that
    /// the run has taken.
    private func text(of lap: Stopwatch.Lap, within width: Int) -> String {
      let title = "circlectl: \(lap.phase.title)"
      let elapsed = ", \(decimals(stopwatch.elapsed, 1)) s"
      guard let progress = lap.progress else {
        return title + (lap.objects > 0 ? ", \(grouped(lap.objects))" : "") + elapsed
      }
      let text = "\(title) \(progress)"
      let room = width - text.utf8.count - elapsed.utf8.count
      let bar = min(room - " []".utf8.count, Self.longestBar)
      if bar >= Self.shortestBar { return "\(title) [\(lap.bar(of: bar))] \(progress)\(elapsed)" }
      return room >= 0 ? text + elapsed : text
    }
  }

  private let console: Console
  private let stopper: CInt
  private let stopped: CInt
  private let thread: pthread_t

  /// Nil when the system gives no thread for it: a run goes on without.
  ///
  /// - Parameter columns: how wide the terminal is, asked each time.
  init?(
    console: Console, stopwatch: Stopwatch, isOnTerminal: Bool, columns: @escaping @Sendable () -> Int? = { nil }
  ) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let drawing = Drawing(
      console: console, stopwatch: stopwatch, isOnTerminal: isOnTerminal, columns: columns, stop: ends[0])
    let argument = Unmanaged.passRetained(drawing)
    var thread = pthread_t()
    // Signals are the main thread's, whose reads they shall cut short.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Drawing>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      argument.release()
      for end in ends { close(end) }
      return nil
    }
    self.console = console
    self.thread = thread
    stopped = ends[0]
    stopper = ends[1]
  }

  /// Ends the display and wipes its line.
  func stop() {
    close(stopper)
    pthread_join(thread, nil)
    close(stopped)
    console.clearProgress()
  }
}
