import CircleManifest
import CircleModel
import CircleReport
import Diagnostics

/// The defaults that `circlectl.yaml` in the current folder gives.
struct Project {
  var state: String?
  var stack: String?
  var paths: [String] = []
  var maxRemovals: MaxRemovals?
  var output: OutputFormat?

  init() {}

  /// Reads the file where there is one; what is wrong with it ends the run.
  init(in context: Context, _ console: Console, colour: Bool) throws(Failure) {
    var files = SourceFiles()
    var diagnostics = DiagnosticCollector()
    let defaults = ProjectDefaults.read(
      context.resolve("circlectl.yaml"), outputs: OutputFormat.allCases.map(\.rawValue), files: &files,
      diagnostics: &diagnostics)
    if !diagnostics.isEmpty { console.say(DiagnosticPrinter(files: files, colour: colour).text(of: diagnostics)) }
    guard !diagnostics.hasErrors else {
      throw Failure(
        .badInput, "circlectl.yaml can't be used; nothing was done", faults: FaultList(diagnostics, files: files))
    }
    guard let defaults else { return }
    state = defaults.state?.value.string
    stack = defaults.stack?.value.string
    paths = defaults.paths?.value.map(\.string) ?? []
    maxRemovals = defaults.maxRemovals?.value
    output = (defaults.output?.value.string).flatMap(OutputFormat.init)
  }
}
