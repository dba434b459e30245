import CircleKit
import CircleReport
import CircleState
import CommandTree
import Diagnostics
import Glibc

/// One run of one command: what it was given, where it writes, what it may touch.
final class CommandRun {
  let arguments: ParsedArguments
  let options: GlobalOptions
  let project: Project
  /// Why `circlectl.yaml` can't be used, for a command that goes on all the same.
  var projectFault: Failure?
  let context: Context
  let console: Console
  /// Those of `--report` that may be written.
  var reports: [ReportFile]
  /// Whether the run has yet to find out which files it reads, none of which a report may replace.
  var hasUnknownInputs: Bool
  let stopwatch = Stopwatch()
  /// The command as its user knows it, such as `state info`.
  let command: String
  /// Whether all reports of the run have been written or tried.
  var hasReported = false
  /// Whether the state was changed: from then on a signal changes nothing.
  var hasWritten = false {
    didSet {
      interruption.isHeeded = !hasWritten
      Signals.enter(hasWritten ? .written : .untouched)
    }
  }
  /// What was warned of, for reports.
  private(set) var warnings: [String] = []
  let interruption: Interruption
  /// What standard input gave, where something had to look at it before it is read as manifests.
  var inputBytes: [UInt8]?

  init(
    _ arguments: ParsedArguments, path: [String], options: GlobalOptions, project: Project, context: Context,
    console: Console
  ) {
    self.arguments = arguments
    self.options = options
    self.project = project
    self.context = context
    self.console = console
    reports = options.reports
    hasUnknownInputs = arguments.declares(argument: "paths")
    interruption = Interruption(context.interrupted)
    command = path.joined(separator: " ")
  }

  // MARK: Time

  /// The run's own clock: `--now`, or else the system's. Unix milliseconds.
  var now: Int64 { options.now ?? context.clock() }

  // MARK: What is said beside the results

  var colourOnErrors: Bool {
    options.color.holds(environment: context.environment, isTerminal: context.isTerminal(context.errors))
  }

  var colourOnOutput: Bool {
    options.color.holds(environment: context.environment, isTerminal: context.isTerminal(context.output))
  }

  /// Tells what a person should know; `--quiet` silences it.
  func note(_ sentence: String) {
    if !options.isQuiet { console.say("circlectl: \(terminalSafe(sentence))\n") }
  }

  /// Warns of what keeps nobody from going on; reports have it as a message.
  func warn(_ sentence: String) {
    warnings.append(sentence)
    note("warning: \(sentence)")
  }

  /// Prints what was found in the input; `--quiet` silences mere doubts.
  func tell(_ found: DiagnosticCollector, of files: SourceFiles) {
    let shown = options.isQuiet ? found.withoutWarnings : found
    guard !shown.isEmpty else { return }
    console.say(DiagnosticPrinter(files: files, colour: colourOnErrors).text(of: shown))
  }

  /// Tells what is being done; only `--verbose` asks for it.
  func detail(_ sentence: @autoclosure () -> String) {
    if options.isVerbose { console.say("circlectl: \(terminalSafe(sentence()))\n") }
  }

  // MARK: Phases

  /// Runs a part of the command, timed and shown as progress; a signal that came before it ends the run.
  func phase<R>(_ phase: Phase, _ body: () throws(Failure) -> R) throws(Failure) -> R {
    try checkInterrupted()
    stopwatch.begin(phase)
    if phase == .writing { Signals.enter(.writing) }
    defer {
      stopwatch.end()
      if !hasWritten { Signals.enter(.untouched) }
    }
    return try body()
  }

  func checkInterrupted() throws(Failure) {
    let signal = interruption.arrived()
    if signal != 0 { throw Failure(interruptedBy: signal) }
  }

  /// Runs what speaks of states, with its errors in a person's words.
  ///
  /// - Parameter location: of another state than the one of the run's options.
  func onState<R>(at location: String? = nil, _ body: () throws(StateError) -> R) throws(Failure) -> R {
    do throws(StateError) {
      return try body()
    } catch {
      if location == nil, case .busy = error, let holder = options.state.place(in: context).holder() {
        throw Failure(.locked(holder), location: options.state.path)
      }
      throw Failure(error, location: location ?? options.state.path)
    }
  }

  /// Starts to show progress, where it is wanted.
  func startProgress() -> ProgressDisplay? {
    let isOnTerminal = context.isTerminal(context.errors) && context.environment["TERM"] != "dumb"
    switch options.progress {
    case .never: return nil
    case .auto: if !isOnTerminal || options.isQuiet { return nil }
    case .always: break
    }
    let context = self.context
    return ProgressDisplay(
      console: console, stopwatch: stopwatch, isOnTerminal: isOnTerminal,
      columns: { context.columns(context.errors) })
  }
}
