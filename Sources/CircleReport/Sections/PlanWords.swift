import CircleModel
import CirclePlan

extension PlanRefusal.Cause {
  /// The rule that refuses, in one word.
  var word: String {
    switch self {
    case .operation(_, let error): error.name.rawValue
    case .guard: "guard"
    case .ownerChange: "owner-change"
    case .renameCycle: "rename-cycle"
    case .blockedCreate: "blocked-create"
    }
  }

  /// The SDK's number of the error, where it has one.
  var number: Int? {
    if case .operation(_, let error) = self { error.name.number } else { nil }
  }
}

extension PlanNote.Kind {
  var word: String {
    switch self {
    case .adoption: "adoption"
    case .notPruned: "not-pruned"
    case .notInvitedAgain(.declined): "declined"
    case .notInvitedAgain(.leftAfterAccepting): "left-after-accepting"
    case .setting: "setting"
    case .looksRenamed: "looks-renamed"
    }
  }
}
