import CircleReport

/// The defaults that `circlectl.yaml` in the current folder gives.
struct Project {
  var state: String?
  var stack: String?
  var paths: [String] = []
  var maxRemovals: String?
  var output: OutputFormat?

  static func read(in context: Context, _ console: Console) throws(Failure) -> Project {
    Project()
  }
}
