package import CircleModel

/// What the domain refuses with, beside the public error of the same name that callers get.
package typealias Refused = CircleModel.CircleError

/// Why an operation or a read was refused: it changed nothing and emitted nothing.
///
/// The list of names is closed; the numbers are those that the SDK documents.
public struct CircleError: Error, Equatable, Sendable {
  /// Why, in one word.
  public enum Name: String, CaseIterable, Sendable {
    /// A name, text, tag or id breaks its rule, or something required is missing. Number 110.
    case invalidParam
    /// A text is too long, or one call asks for too many things. Number 112.
    case queryParamReachesLimit
    /// A limit would be passed: servers that a user owns or is in, or tags of a server. Number 113.
    case reachLimit
    /// What is asked for is so already. Number 114.
    case repeatedOperation
    /// Several operations were asked for, and some were refused. Number 7.
    case partialSuccess
    /// There is no such server or tag.
    case notFound
    /// The user, or the device, is not registered.
    case notRegistered
    /// The user is no member of the server.
    case notMember
    /// The acting user has not the role that this needs.
    case noPermission
    /// Another server has the handle.
    case handleTaken
    /// The owner cannot leave a server, only destroy it.
    case ownerCannotLeave
    /// A private server is joined by invitation only.
    case privateServer
    /// There is no pending invitation.
    case noInvitation
    /// The server is protected from being destroyed.
    case protected
    /// What is asked of cannot do it.
    case unsupported

    /// The number that the SDK documents, where there is one.
    public var number: Int? { CircleErrorName(rawValue: rawValue)?.number }
  }

  /// Why, in one word.
  public let name: Name
  /// The handle of the server concerned.
  public let server: String?
  /// The id of the user on whose behalf the operation would have run.
  public let actor: String?
  /// One sentence for a person, without a full stop.
  public let reason: String

  /// The number that the SDK documents, where there is one.
  public var number: Int? { name.number }

  /// A refusal, for delegates and test doubles that refuse themselves.
  public init(_ name: Name, server: String? = nil, actor: String? = nil, _ reason: String) {
    self.name = name
    self.server = server
    self.actor = actor
    self.reason = reason
  }

  package init(_ refused: Refused) {
    self.init(
      Name(rawValue: refused.name.rawValue) ?? .invalidParam, server: refused.server?.string,
      actor: refused.actor?.string, refused.reason)
  }
}

extension CircleError: CustomStringConvertible {
  /// As the command line prints it: `bob is not a member (notMember)`.
  public var description: String {
    let number = number.map { " \($0)" } ?? ""
    return "\(reason) (\(name.rawValue)\(number))"
  }
}
