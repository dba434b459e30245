import CircleModel
import CirclePlan
import CommandTree

extension OptionSpec {
  /// What `diff` and `apply` both take, since it bears on the plan.
  static let planning: [OptionSpec] =
    [
      stack,
      .flag("prune", "Destroy the servers of this stack that no manifest names any more."),
      .flag("register", "Register users whom the manifests name and nobody registered."),
      .allowOutside,
    ] + guards + [
      .value(
        "only", "SELECTOR", repeatable: true, completion: .kind("selector"), group: "Selection",
        "Take in these changes alone: a handle, a glob of handles, tag=NAME, kind=KIND, action=ACTION, or several with commas."
      ),
      .value(
        "exclude", "SELECTOR", repeatable: true, completion: .kind("selector"), group: "Selection",
        "Leave these changes out."),
    ]

  /// What everything that may remove many takes.
  static let guards: [OptionSpec] = [
    .value(
      "max-removals", "N|P%", group: "Guards", default: "30%",
      "How many of a server's members or moderators, or of the stack's servers, may go, where there are ten or more."),
    .value(
      "allow", "GUARD", repeatable: true, group: "Guards",
      "Let one guard pass up to a number of removals, such as 'remove:member@swift-fans<=120'."),
    .value("reason", "TEXT", group: "Guards", "Why; it is kept in the history."),
  ]

  static let allowOutside = flag("allow-outside", "Let manifests name files outside their folder.")
  static let dryRun = flag("dry-run", "Show the plan and write nothing.")
  static let stack = value("stack", "NAME", default: "default", "The stack that the manifests belong to.")
}

extension ArgumentSpec {
  static let manifestsOrPlan = ArgumentSpec(
    "paths", shown: "PATH", cardinality: .zeroOrMore, completion: .files,
    "Manifests and folders of manifests, - for standard input, or one saved plan; the folder 'manifests' when left out."
  )

  static let manifests = ArgumentSpec(
    "paths", shown: "PATH", cardinality: .zeroOrMore, completion: .files,
    "Manifests and folders of manifests, - for standard input; the folder 'manifests' when left out.")
}

extension CommandRun {
  /// The manifests that the command line names, or the project, or by default the folder `manifests`.
  var manifestPaths: [String] {
    let named = arguments.arguments("paths")
    if !named.isEmpty { return named }
    return project.paths.isEmpty ? ["manifests"] : project.paths
  }

  /// The folder in which all manifests have to be, since its `circlectl.yaml` names them; nil where the command line does.
  var baseOfManifests: String? {
    arguments.arguments("paths").isEmpty && !project.paths.isEmpty ? context.resolve(".") : nil
  }

  /// What to do about manifests that are not there.
  var helpForMissing: String {
    let isDefault = arguments.arguments("paths").isEmpty && project.paths.isEmpty
    return isDefault
      ? "without a name, the folder 'manifests' is read: name files or folders, or write 'paths' into circlectl.yaml"
      : "name a manifest, or a folder of manifests, that is there"
  }

  func stackName() throws(Failure) -> Text {
    let name = arguments.value("stack") ?? project.stack ?? "default"
    let isPlain = name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace }
    guard 1...64 ~= name.utf8.count, isPlain else {
      throw Failure(
        .usage, "'\(name)' is no name of a stack", next: ["A stack's name has 1 to 64 bytes without blanks."])
    }
    return Text(name)
  }

  func planOptions() throws(Failure) -> PlanOptions {
    var options = PlanOptions(
      stack: try stackName(), prune: arguments.flag("prune"), register: arguments.flag("register"))
    try takeGuards(into: &options)
    options.selection = Selection(only: try selectors("only"), exclude: try selectors("exclude"))
    return options
  }

  /// What the guards let pass, and why.
  func takeGuards(into options: inout PlanOptions) throws(Failure) {
    options.reason = arguments.value("reason").map { Text($0) }
    if let ceiling = project.maxRemovals { options.maxRemovals = ceiling }
    if let text = arguments.value("max-removals") {
      guard let ceiling = MaxRemovals(text) else {
        throw Failure(
          .usage, "'\(text)' is no ceiling of removals",
          next: ["--max-removals takes a number or, from 0% to 100%, a share."])
      }
      options.maxRemovals = ceiling
    }
    for text in arguments.values("allow") {
      do throws(GuardAllowance.Malformed) {
        options.allow.append(try GuardAllowance(parsing: text))
      } catch {
        throw Failure(.usage, "--allow: \(error.message)")
      }
    }
  }

  private func selectors(_ option: String) throws(Failure) -> [Selector] {
    var selectors: [Selector] = []
    for text in arguments.values(option) {
      do throws(Selector.Malformed) {
        selectors.append(try Selector(parsing: text))
      } catch {
        throw Failure(.usage, "--\(option): \(error.message)")
      }
    }
    return selectors
  }
}
