import CommandTree

extension OptionSpec {
  /// For commands that show names beside something else.
  static let providerTimeout: OptionSpec = .value(
    "provider-timeout", "TIME", default: "2s", "How long providers may take to tell nicknames; 0 asks none that runs.")
}

extension TimeSpan {
  /// How long all providers together may take for names beside something else.
  static let forProviders = TimeSpan(milliseconds: 2000)

  /// The value of `--provider-timeout`; nil for a command that does not take it.
  init?(forProviders arguments: ParsedArguments) throws(Failure) {
    guard arguments.declares(OptionSpec.providerTimeout.name) else { return nil }
    guard let text = arguments.value(OptionSpec.providerTimeout.name) else {
      self = .forProviders
      return
    }
    guard let span = TimeSpan(text) else {
      throw Failure(
        .usage, "'\(text)' is no length of time",
        next: ["--provider-timeout takes 2s, 500ms or a number of seconds, up to 30 days."])
    }
    self = span
  }
}
