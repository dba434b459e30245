import Diagnostics

/// What is wrong with manifests only beside the state they are for, each with the code that programs match on.
enum PlanFault: String, CaseIterable {
  case unknownUser = "plan.unknown-user"
  case unknownServerID = "plan.unknown-server-id"
  case otherStack = "plan.other-stack"
  case missingName = "plan.missing-name"
  case missingOwner = "plan.missing-owner"
  case twoOldHandles = "plan.two-old-handles"
  case twoClaimants = "plan.two-claimants"
  case ownerAbsent = "plan.owner-absent"

  /// What the code means, for the reference.
  var sentence: String {
    switch self {
    case .unknownUser: "A user who is named is registered neither in the state nor by a manifest."
    case .unknownServerID: "No server of the state has the id given as `serverId`."
    case .otherStack: "A server of the state belongs to another stack."
    case .missingName: "A server that would have to be created has no name."
    case .missingOwner: "A server that would have to be created has no owner."
    case .twoOldHandles: "Two handles in one `renamedFrom` are both servers of the stack."
    case .twoClaimants: "Two servers of the manifests stand for the same server of the state."
    case .ownerAbsent: "The owner of a server of the state is in its `absent`."
    }
  }

  func error(
    _ message: String, at place: Place, end: Int? = nil, notes: [Diagnostic.Note] = [], help: String? = nil
  ) -> Diagnostic {
    .error(rawValue, message, at: place, end: end, notes: notes, help: help)
  }
}

/// A code and what it means, for the reference of all diagnostics.
package struct PlanDiagnostic: Sendable {
  package let code: String
  package let sentence: String

  /// All that planning can report of manifests and of plan files; what is refused is no fault of theirs and has a
  /// `PlanRefusal`.
  package static let all: [PlanDiagnostic] =
    PlanFault.allCases.map { PlanDiagnostic(code: $0.rawValue, sentence: $0.sentence) }
    + PlanFileFault.allCases.map { PlanDiagnostic(code: $0.rawValue, sentence: $0.sentence) }
}
