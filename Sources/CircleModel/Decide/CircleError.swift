/// Why an operation was refused: a closed list, with the number that the SDK documents where there is one.
package enum CircleErrorName: String, CaseIterable, Sendable {
  case invalidParam, queryParamReachesLimit, reachLimit, repeatedOperation, partialSuccess
  case notFound, notRegistered, notMember, noPermission, handleTaken, ownerCannotLeave, privateServer
  case noInvitation, protected, unsupported

  package var number: Int? {
    switch self {
    case .partialSuccess: 7
    case .invalidParam: 110
    case .queryParamReachesLimit: 112
    case .reachLimit: 113
    case .repeatedOperation: 114
    default: nil
    }
  }
}

/// A refused operation: it changed nothing and emitted nothing.
package struct CircleError: Error, Equatable, Sendable {
  package var name: CircleErrorName
  /// The handle of the server concerned.
  package var server: Text?
  /// The id of the user on whose behalf it would have run.
  package var actor: Text?
  /// One sentence for a person, without a full stop.
  package var reason: String

  package init(_ name: CircleErrorName, server: Text? = nil, actor: Text? = nil, _ reason: String) {
    self.name = name
    self.server = server
    self.actor = actor
    self.reason = reason
  }
}
