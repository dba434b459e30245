import CircleModel
import Diagnostics

/// Finds names that look the same and are not: those that differ only in their Unicode normalisation.
struct TwinFinder {
  /// `String` compares canonically, which is just what is looked for here.
  private var known: [String: Given<Text>] = [:]

  /// Adds a name and answers the first one that it can be mistaken for.
  mutating func add(_ name: Text, at place: Place) -> Given<Text>? {
    if name.string.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
    guard let first = known[name.string] else {
      known[name.string] = Given(name, at: place)
      return nil
    }
    return first.value == name ? nil : first
  }
}

extension ManifestDraft {
  mutating func warnOfTwins(_ name: Text, _ twin: Given<Text>, at place: Place, end: Int? = nil) {
    warn(
      .similarNames,
      "'\(excerpt(name.string))' looks like another name and differs from it in its Unicode normalisation",
      at: place, end: end, notes: [Diagnostic.Note("the other one", at: twin.place)])
  }
}
