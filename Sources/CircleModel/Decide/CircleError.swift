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

  /// One sentence for the reference.
  package var meaning: String {
    switch self {
    case .partialSuccess: "Several operations were asked for, and some were refused."
    case .invalidParam: "A name, text, tag or id breaks its rule, or something required is missing."
    case .queryParamReachesLimit: "A text is too long, or one call asks for too many things."
    case .reachLimit: "A limit would be passed: servers that a user owns or is in, or tags of a server."
    case .repeatedOperation: "What is asked for is so already."
    case .notFound: "There is no such server or tag."
    case .notRegistered: "The user is not registered."
    case .notMember: "The user is no member of the server."
    case .noPermission: "The acting user has not the role that this needs."
    case .handleTaken: "Another server has the handle."
    case .ownerCannotLeave: "The owner cannot leave a server, nor be removed from it."
    case .privateServer: "A private server is joined by invitation only."
    case .noInvitation: "There is no pending invitation."
    case .protected: "The server is protected from being destroyed."
    case .unsupported: "This kind of state cannot do what is asked for."
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
  /// The id of the user who is not registered, where that is the reason.
  package var unregistered: Text?
  /// One sentence for a person, without a full stop.
  package var reason: String

  package init(_ name: CircleErrorName, server: Text? = nil, actor: Text? = nil, _ reason: String) {
    self.name = name
    self.server = server
    self.actor = actor
    self.reason = reason
  }
}
