/// A part of a run that may take long.
enum Phase: String {
  case reading
  case readingRows = "reading rows"
  case waiting
  case loading
  case planning
  case checking
  case writing
  case reporting

  /// What a person sees while it lasts.
  var title: String {
    switch self {
    case .reading: "reading manifests"
    case .readingRows: "reading rows"
    case .waiting: "waiting for the lock"
    case .loading: "loading the state"
    case .planning: "planning"
    case .checking: "checking"
    case .writing: "writing"
    case .reporting: "reporting"
    }
  }
}
