import CircleProviders
import CircleReport
import CommandTree

/// `circlectl provider list`: the sources of user information, in their order.
enum ProviderList {
  static let spec = CommandSpec<Action>(
    "list", "List the sources of user information.",
    discussion: "In the order in which they are asked. Nothing is read or run for it.",
    examples: [Example("circlectl provider list", "Shows names, files, commands and time limits.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let rows = try run.providerList().map { provider in
      switch provider.source {
      case .file(let path): ProviderRow(name: provider.name, kind: provider.kind, source: path, timeout: nil)
      case .exec(let command):
        ProviderRow(name: provider.name, kind: provider.kind, source: command, timeout: provider.timeout)
      }
    }
    try run.deliver(Report(command: run.command, result: .done, sections: [.providers(rows)]))
    return .done
  }
}
