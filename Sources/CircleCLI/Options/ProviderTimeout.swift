import CommandTree

extension OptionSpec {
  /// For commands that show names beside something else.
  static let providerTimeout: OptionSpec = .value(
    "provider-timeout", "TIME", default: "2s", "How long providers may take to tell nicknames; 0 asks none that runs.")
}

extension CommandRun {
  /// The value of `--provider-timeout`; only for commands that have it.
  func providerTimeout() throws(Failure) -> TimeSpan {
    guard let text = arguments.value("provider-timeout") else { return Self.defaultProviderTimeout }
    guard let span = TimeSpan(text) else {
      throw Failure(
        .usage, "'\(text)' is no length of time",
        next: ["--provider-timeout takes 2s, 500ms or a number of seconds, up to 30 days."])
    }
    return span
  }

  /// How long all providers together may take for names beside something else.
  static var defaultProviderTimeout: TimeSpan { TimeSpan(milliseconds: 2000) }
}
