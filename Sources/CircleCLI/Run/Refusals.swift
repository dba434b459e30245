import CirclePlan
import Diagnostics

extension PlanRefusal {
  var isOfGuard: Bool {
    if case .guard = cause { return true }
    return false
  }

  /// In one sentence, with the manifest line it comes from.
  func sentence(in files: SourceFiles) -> String {
    place.isKnown ? "\(files.path(of: place.file)):\(place.line): \(message)" : message
  }
}

extension CommandRun {
  /// Tells that rules or guards refuse a plan: the first one in full, with its way out.
  ///
  /// - Parameter what: what is refused, such as "the plan".
  func refusal(_ refusals: [PlanRefusal], of what: String) -> Failure {
    guard let first = refusals.first else { return Failure(.refused, "\(what) is refused") }
    let others = refusals.count - 1
    let more = others == 0 ? "" : " (and \(grouped(others)) more)"
    return Failure(
      .refused, "refused: \(first.message)\(more)", next: first.wayOut.prefix(1) + ["Nothing was written."])
  }
}
