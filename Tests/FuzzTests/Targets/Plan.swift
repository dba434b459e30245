import CircleModel
import Diagnostics

@testable import CirclePlan

extension FuzzTarget {
  /// Saved plans: whatever is taken for one, its digest aside, is written and read back as the same, and can be decided on
  /// a state that knows nothing of it.
  static let plan = FuzzTarget(name: "plan") { bytes in
    _ = SavedPlan.isPlan(bytes.prefix(256))
    var decoder = SavedPlanDecoder(file: 0)
    do throws(PlanFileError) {
      try decoder.read(bytes)
    } catch {
      return try holdVisible(DiagnosticPrinter(files: SourceFiles()).text(of: error.diagnostic), lines: true)
    }
    let text = Self.text(of: decoder.saved)
    let again: SavedPlan
    do throws(PlanFileError) {
      again = try SavedPlan(reading: text, file: 0, path: "plan.json")
    } catch {
      throw Broken(description: "what was written is not read: \(error)\n\(String(decoding: text, as: UTF8.self))")
    }
    try holdEqual(
      String(decoding: Self.text(of: again), as: UTF8.self), String(decoding: text, as: UTF8.self),
      "what was written is read as something else")
    var actual = Snapshot()
    actual.adopt(again.plan.result.names)
    let context = RunContext(kind: .apply, time: 1, ids: IDSource(seed: [7], nextSeq: 1))
    let replay = PlanReplay(again, on: actual, options: again.options, context: context)
    for stale in replay.stale { try hold(!stale.message.isEmpty, "something is stale, and nobody says what") }
  }

  private static func text(of plan: SavedPlan) -> [UInt8] {
    var text: [UInt8] = []
    plan.write { (piece) throws(Never) in text += piece }
    return text
  }
}
