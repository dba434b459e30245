import CircleReport
import CircleTables
import CommandTree

/// What holds for every command: the command line wins over the environment, that over `circlectl.yaml`, that over the
/// default.
struct GlobalOptions {
  var state: StateLocation
  var output: OutputFormat
  /// The format of a table, where `--output` names one that reports do not have.
  var table: TableWriter.Format?
  var reports: [ReportFile]
  var color: ColorChoice
  var isQuiet: Bool
  var isVerbose: Bool
  var progress: ProgressChoice
  var showsStatistics: Bool
  var lockTimeout: TimeSpan
  /// How long providers may take for names beside something else; nil for commands that don't ask them.
  var providerTimeout: TimeSpan?
  /// Unix milliseconds; nil for the real time.
  var now: Int64?
  var idSeed: String?

  init(_ arguments: ParsedArguments, in context: Context, project: Project) throws(Failure) {
    state = try StateLocation(arguments, in: context, project: project)
    table = try Self.tableFormat(arguments)
    output = try Self.format(arguments.value("output")) ?? project.output ?? .text
    reports = []
    for text in arguments.values("report") {
      let file = try ReportFile(parsing: text)
      let place = FilePlace(context.resolve(file.path))
      guard !reports.contains(where: { place.isSame(as: context.resolve($0.path)) }) else {
        throw Failure(
          .usage, "two reports go to the file '\(file.path)'", next: ["Each --report needs a file of its own."])
      }
      reports.append(file)
    }
    color = arguments.value("color").flatMap(ColorChoice.init) ?? .auto
    isQuiet = arguments.flag("quiet")
    isVerbose = arguments.flag("verbose")
    progress = arguments.value("progress").flatMap(ProgressChoice.init) ?? .auto
    showsStatistics = arguments.flag("stats")
    lockTimeout = try Self.timeSpan(arguments.value("lock-timeout"))
    providerTimeout = try TimeSpan(forProviders: arguments)
    now = try Self.time(arguments.value("now"))
    idSeed = arguments.value("id-seed")
    guard !(isQuiet && isVerbose) else {
      throw Failure(.usage, "--quiet and --verbose can't both hold", next: ["Leave one of them out."])
    }
  }

  private static func format(_ text: String?) throws(Failure) -> OutputFormat? {
    // The tree has already refused all other values.
    text.flatMap(OutputFormat.init)
  }

  private static func tableFormat(_ arguments: ParsedArguments) throws(Failure) -> TableWriter.Format? {
    guard let text = arguments.value("output"), OutputFormat(rawValue: text) == nil else { return nil }
    guard arguments.declares("table"), arguments.value("table") != nil else {
      throw Failure(.usage, "\(text) is a format of tables alone", next: ["'circlectl export --table' writes tables."])
    }
    return TableWriter.Format(rawValue: text)
  }

  private static func timeSpan(_ text: String?) throws(Failure) -> TimeSpan {
    guard let text else { return TimeSpan(milliseconds: 10_000) }
    guard let span = TimeSpan(text) else {
      throw Failure(
        .usage, "'\(text)' is no length of time",
        next: ["--lock-timeout takes 10s, 500ms, 2m or a number of seconds, up to 30 days."])
    }
    return span
  }

  private static func time(_ text: String?) throws(Failure) -> Int64? {
    guard let text else { return nil }
    guard let time = UTCTime.milliseconds(parsing: text), time >= 0 else {
      throw Failure(
        .usage, "'\(text)' is no time", next: ["--now takes a time such as 2025-01-02T03:04:05Z, from 1970 to 9999."])
    }
    return time
  }
}

/// `--color`.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  /// Whether to write in colour to a stream: an option says so, or else the environment, or else it is a terminal.
  func holds(environment: [String: String], isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    if let value = environment["NO_COLOR"], !value.isEmpty { return false }
    if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
    return isTerminal && environment["TERM"] != "dumb"
  }
}

/// `--progress`.
enum ProgressChoice: String, CaseIterable {
  case auto, always, never
}

extension OptionSpec {
  /// The options of the root, which every command takes.
  static let global: [OptionSpec] = [
    .value(
      "state", "LOCATION", completion: .files, environment: "CIRCLECTL_STATE", default: "circle.db",
      "Where the state is kept: the path of a file, or a URL postgres://…"),
    .value(
      "as", "USER", completion: .kind("user"), "Act with exactly this user's rights instead of an administrator's."),
    .value("device", "NAME", "On which of his registered devices the user of --as acts; that one hears nothing of it."),
    .value(
      "output", "FORMAT", short: "o",
      choices: OutputFormat.allCases.map { Choice($0.rawValue, sentence($0.summary)) }
        + TableWriter.Format.allCases.filter { OutputFormat(rawValue: $0.rawValue) == nil }.map {
          Choice($0.rawValue, sentence($0.summary))
        },
      default: "text", "In which format results are written to standard output."),
    .value(
      "report", "FORMAT=FILE", repeatable: true, completion: .files,
      "Write a report to a file as well, also when the command fails."),
    .value(
      "color", "WHEN", choices: ColorChoice.allCases.map { Choice($0.rawValue) }, default: "auto",
      "When to write in colour; auto heeds NO_COLOR, CLICOLOR_FORCE and TERM=dumb."),
    .flag("quiet", short: "q", "Say nothing but results and errors."),
    .flag("verbose", short: "v", "Say more about what is done."),
    .value(
      "progress", "WHEN", choices: ProgressChoice.allCases.map { Choice($0.rawValue) }, default: "auto",
      "When to show progress on standard error; auto means on a terminal, after half a second."),
    .flag("stats", "Tell the time of each phase, objects a second and peak memory on standard error."),
    .value("lock-timeout", "TIME", default: "10s", "How long to wait for another run that writes."),
    .value("now", "TIME", "The time of the run, such as 2025-01-02T03:04:05Z, instead of the clock's."),
    .value("id-seed", "TEXT", "Make the ids of new servers and tags from this text instead of random bytes."),
  ]

  /// The names of those that say who acts: commands that act for nobody refuse them.
  static let acting = ["as", "device"]

  private static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }
}
