import CircleReport
import CommandTree

/// The program: a command line in, an exit code out.
package enum CircleCLI {
  /// Runs a command line.
  /// - Returns: the exit code.
  package static func run(_ line: CommandWords, _ context: Context) -> Int32 {
    let console = Console(output: context.output, errors: context.errors)
    let early = EarlyOptions(line.words)
    if early.output == .github { console.guardAgainstCommands() }
    let isColoured = early.color.holds(
      environment: context.environment, isTerminal: context.isTerminal(context.errors))
    do throws(Failure) {
      return try start(line, context, console, isColoured).rawValue
    } catch {
      if !error.isReported { report(error, as: early.output ?? error.format, context) }
      console.say(error.text(colour: isColoured))
      return ExitStatus(error.kind).rawValue
    }
  }

  private static func start(
    _ line: CommandWords, _ context: Context, _ console: Console, _ isColoured: Bool
  ) throws(Failure) -> ExitStatus {
    if let garbled = line.garbled {
      // A location may hold a password.
      let word = garbled.contains("://") ? "a location" : "'\(garbled)'"
      throw Failure(
        .usage, "\(word) on the command line is not valid UTF-8",
        next: ["A file with such a name has to be renamed first."])
    }
    let invocation: Invocation<Action>
    do throws(UsageError) {
      invocation = try commandTree.parse(line.words)
    } catch {
      if error.showsHelp, let help = commandTree.overview(of: error.path, width: 80) { console.say("\(help)\n") }
      throw Failure(error, program: "circlectl")
    }
    switch invocation {
    case .help(let path):
      let width = min(context.columns(context.output) ?? 80, 100)
      let isStyled = ColorChoice.auto.holds(
        environment: context.environment, isTerminal: context.isTerminal(context.output))
      try console.write(commandTree.help(for: path, width: width, styled: isStyled) ?? "")
      return .done
    case .version:
      try console.write("circlectl \(ProgramVersion.number)\n")
      return .done
    case .run(let action, let arguments, let path):
      return try perform(action, arguments, path: path, context, console, isColoured)
    }
  }

  private static func perform(
    _ action: Action, _ arguments: ParsedArguments, path: [String], _ context: Context, _ console: Console,
    _ isColoured: Bool
  ) throws(Failure) -> ExitStatus {
    let run: CommandRun
    var project = Project()
    do throws(Failure) {
      var fault: Failure?
      if action.heedsProject {
        do throws(Failure) {
          project = try Project(in: context, console, colour: isColoured)
        } catch {
          guard !action.needsProject else { throw error }
          fault = error
        }
      }
      let options = try GlobalOptions(arguments, in: context, project: project)
      if options.output == .github { console.guardAgainstCommands() }
      for report in options.reports { try report.target.check(in: context, state: options.state) }
      run = CommandRun(arguments, path: path, options: options, project: project, context: context, console: console)
      run.projectFault = fault
    } catch {
      var failure = error
      failure.command = path.joined(separator: " ")
      failure.format = project.output
      throw failure
    }
    let progress = run.startProgress()
    defer {
      progress?.stop()
      if run.options.showsStatistics { console.say(run.stopwatch.summary) }
    }
    do throws(Failure) {
      return try action.body(run)
    } catch {
      tell(error, run)
      var failure = error
      failure.isReported = true
      throw failure
    }
  }

  /// Writes the reports of a run that failed; that they can't be written does not hide why it did.
  private static func tell(_ failure: Failure, _ run: CommandRun) {
    do throws(Failure) {
      try run.deliver(failure)
    } catch {
      run.console.say(error.text(colour: run.colourOnErrors))
    }
  }

  /// Writes the report of what failed before there was a run, for programs; people have it on standard error.
  private static func report(_ failure: Failure, as format: OutputFormat?, _ context: Context) {
    guard let format, format.isForMachines else { return }
    var sink = ByteSink(descriptor: context.output)
    do throws(RenderError) {
      try Report(of: failure, command: failure.command).write(as: format, to: &sink)
    } catch {
      // Why it failed is told on standard error all the same.
    }
  }
}
