import CircleModel
import CirclePlan
import CircleReport
import CommandTree
import Diagnostics
import Digest

extension CommandRun {
  /// Where `--save` wants the plan; told before anything is done if it can't be written there.
  ///
  /// - Parameter files: what was read, which it may not replace.
  func planFileToSave(besides files: SourceFiles) throws(Failure) -> ReplacedFile? {
    guard let path = arguments.value("save") else { return nil }
    guard !path.isEmpty else { throw Failure(.usage, "--save names no file") }
    // It holds what profiles hold.
    let file = ReplacedFile(path: path, what: "plan", option: "--save", mode: 0o600)
    try check(file)
    if let input = input(replacedBy: file, among: files) { throw file.wouldReplace("the input '\(input)'") }
    return file
  }

  /// Writes the plan whole or not at all, and tells its digest.
  func save(_ saved: SavedPlan, to file: ReplacedFile) throws(Failure) -> ReportSection {
    try phase(.reporting) { () throws(Failure) in
      var digest = ""
      try file.write(in: context) { (descriptor) throws(Failure) in
        digest = try saved.write { (bytes) throws(Failure) in try file.write(bytes, to: descriptor) }.hex
      }
      return .savedPlan(saved, path: file.path, digest: digest)
    }
  }
}

extension ReportSection {
  /// Where a plan is kept, and by which digest `apply --digest` knows it.
  static func savedPlan(_ saved: SavedPlan, path: String, digest: String) -> ReportSection {
    .records(
      RecordList(
        "savedPlan", "savedPlan",
        [
          .init("file", "saved as"), .init("digest", "digest"), .init("operations", nil),
        ],
        rows: [[.text(path), .text(digest), .number(saved.plan.outcome.records.count)]], form: .details))
  }
}
