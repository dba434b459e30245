import CommandTree
import Diagnostics

/// The program: a command line in, an exit code out.
package enum CircleCLI {
  /// Runs a command line, without the program's name.
  /// - Returns: the exit code.
  package static func run(_ words: [String], _ context: Context) -> Int32 {
    let console = Console(output: context.output, errors: context.errors)
    let isColoured = earlyColour(words, context)
    do throws(Failure) {
      return try start(words, context, console, isColoured).rawValue
    } catch {
      console.say(error.text(colour: isColoured))
      return ExitStatus(error.kind).rawValue
    }
  }

  private static func start(
    _ words: [String], _ context: Context, _ console: Console, _ isColoured: Bool
  ) throws(Failure) -> ExitStatus {
    let invocation: Invocation<Action>
    do throws(UsageError) {
      invocation = try commandTree.parse(words)
    } catch {
      if error.showsHelp, let help = commandTree.help(for: error.path, width: 80) { console.say("\(help)\n") }
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
    let project = action.heedsProject ? try Project(in: context, console, colour: isColoured) : Project()
    let options = try GlobalOptions(arguments, environment: context.environment, project: project)
    for report in options.reports { try report.check(in: context, state: options.state) }
    let run = CommandRun(
      arguments, path: path, options: options, project: project, context: context, console: console)
    let progress = run.startProgress()
    defer {
      progress?.stop()
      if options.showsStatistics { console.say(run.stopwatch.summary) }
    }
    do throws(Failure) {
      return try action.body(run)
    } catch {
      tell(error, run)
      throw error
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

  /// Whether errors in the command line itself are in colour: `--color` may be the word that is wrong.
  private static func earlyColour(_ words: [String], _ context: Context) -> Bool {
    var choice = ColorChoice.auto
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      for candidate in ColorChoice.allCases
      where word == "--color=\(candidate.rawValue)" || (word == "--color" && next == candidate.rawValue) {
        choice = candidate
      }
    }
    return choice.holds(environment: context.environment, isTerminal: context.isTerminal(context.errors))
  }
}
