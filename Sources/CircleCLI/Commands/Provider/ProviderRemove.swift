import CircleProviders
import CircleReport
import CommandTree
import Diagnostics

/// `circlectl provider remove`: forgets a source of user information, and what it answered.
enum ProviderRemove {
  static let spec = CommandSpec<Action>(
    "remove", "Forget a source of user information, and what it answered.",
    examples: [Example("circlectl provider remove staff", "Shows what the other providers and the state say again.")],
    arguments: [ArgumentSpec("name", completion: .kind("provider"), "The provider's name.")],
    action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let name = run.arguments.argument("name") ?? ""
    // Where nothing is written down there is nothing to change.
    let known = try run.providerList().map(\.name)
    guard known.contains(name) else { throw isUnknown(name, known) }
    let done = try run.onProviders { () throws(ProviderError) in
      try ConfiguredProviders(run.providerFolders).change { (providers) throws(Failure) in
        guard let index = providers.firstIndex(where: { $0.name == name }) else { throw isUnknown(name, known) }
        providers.remove(at: index)
      }
    }
    try done.get()
    ProviderSet.forget(name, cacheFolder: run.providerFolders.cache)
    try run.deliver(
      Report(command: run.command, result: .done, sections: [.message("the provider '\(name)' was removed")]))
    return .done
  }

  private static func isUnknown(_ name: String, _ known: [String]) -> Failure {
    let meant = nearestName(to: name, among: known).map { ["Did you mean '\($0)'?"] }
    return Failure(
      .refused, "refused: there is no provider '\(name)' (notFound)",
      next: meant ?? ["'circlectl provider list' shows them."])
  }
}
