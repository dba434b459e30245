import CircleReport
import CommandTree

/// `circlectl version`.
enum Version {
  static let spec = CommandSpec<Action>(
    "version", "Show the version.",
    examples: [Example("circlectl version", "Shows which circlectl this is.")],
    refuses: OptionSpec.acting,
    action: Action(heedsProject: false) { (run) throws(Failure) in
      try run.deliver(Report(command: run.command, result: .done, sections: [.version(ProgramVersion.number)]))
      return .done
    })
}
