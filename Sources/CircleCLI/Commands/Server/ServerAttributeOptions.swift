import CircleModel
import CommandTree

extension OptionSpec {
  /// A server's attributes beside its name.
  static let serverAttributes: [OptionSpec] = [
    .value("type", "TYPE", choices: ServerType.allCases.map { Choice($0.word) }, "Who can find and join it."),
    .value("icon", "URL", "Its icon, up to 500 characters."),
    .value("background", "URL", "Its background, up to 500 characters."),
    .value("desc", "TEXT", "What it is about, up to 500 characters."),
    .value("ext", "TEXT", "Whatever an app keeps with it, up to 500 characters."),
  ]
}
