import CircleModel
package import CirclePlan
package import Diagnostics

extension Diagnostic {
  /// What refuses a plan, as a fault of the manifest line that asks for it.
  package init(_ refusal: PlanRefusal) {
    self = .error(
      "plan.\(refusal.cause.word)", (refusal.handle.map { "\($0.string): " } ?? "") + refusal.message,
      at: refusal.place, help: refusal.wayOut.first)
  }
}
