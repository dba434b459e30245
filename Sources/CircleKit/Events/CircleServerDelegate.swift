/// What a server event carries of its server.
public struct CircleServerEvent: Hashable, Sendable {
  /// The server's id.
  public let serverId: String
  /// After an update all attributes that are set; with an invitation the server's name and icon.
  public let attribute: CircleServerAttribute
  /// The names of the attributes that an update changed.
  public let changed: [String]
  /// The text of an invitation.
  public let welcome: String?
}

/// Hears the server events that its user receives; all methods are optional.
///
/// The calls come in the order of the events, on the queue or executor that the delegate was added with.
public protocol CircleServerDelegate: AnyObject, Sendable {
  /// The server's attributes changed. All members hear it but the one who changed them.
  func onServerUpdated(_ event: CircleServerEvent)
  /// The server was destroyed. All who were members hear it but the owner.
  func onServerDestroyed(_ serverId: String, initiator: String)
  /// The user is invited.
  func onReceiveServerInvitation(_ event: CircleServerEvent, inviter: String)
  /// An invitation of the user was accepted.
  func onServerInvitationBeAccepted(_ serverId: String, invitee: String)
  /// An invitation of the user was declined.
  func onServerInvitationBeDeclined(_ serverId: String, invitee: String)
  /// A member's role changed. All members hear it but the owner, who changed it.
  func onServerRoleAssigned(_ serverId: String, member: String, role: CircleUserRole)
  /// A user joined. All members hear it but he.
  func onMemberJoinedServer(_ serverId: String, member: String)
  /// A member left. All who remain hear it.
  func onMemberLeftServer(_ serverId: String, member: String)
  /// Members were removed. They, the owner and the remaining moderators hear it, but the one who did it.
  func onMemberRemoved(fromServer serverId: String, members: [String])
}

extension CircleServerDelegate {
  /// Does nothing.
  public func onServerUpdated(_ event: CircleServerEvent) {}
  /// Does nothing.
  public func onServerDestroyed(_ serverId: String, initiator: String) {}
  /// Does nothing.
  public func onReceiveServerInvitation(_ event: CircleServerEvent, inviter: String) {}
  /// Does nothing.
  public func onServerInvitationBeAccepted(_ serverId: String, invitee: String) {}
  /// Does nothing.
  public func onServerInvitationBeDeclined(_ serverId: String, invitee: String) {}
  /// Does nothing.
  public func onServerRoleAssigned(_ serverId: String, member: String, role: CircleUserRole) {}
  /// Does nothing.
  public func onMemberJoinedServer(_ serverId: String, member: String) {}
  /// Does nothing.
  public func onMemberLeftServer(_ serverId: String, member: String) {}
  /// Does nothing.
  public func onMemberRemoved(fromServer serverId: String, members: [String]) {}
}

extension CircleServerDelegate {
  /// Calls the method of the event; multi-device events have none here.
  func receive(_ event: CircleEvent) {
    let user = event.users.first ?? ""
    let detail = CircleServerEvent(
      serverId: event.serverId, attribute: event.attribute ?? CircleServerAttribute(), changed: event.changed,
      welcome: event.welcome)
    switch event.name {
    case .onServerUpdated: onServerUpdated(detail)
    case .onServerDestroyed: onServerDestroyed(event.serverId, initiator: event.actor)
    case .onReceiveServerInvitation: onReceiveServerInvitation(detail, inviter: event.inviter ?? event.actor)
    case .onServerInvitationBeAccepted: onServerInvitationBeAccepted(event.serverId, invitee: user)
    case .onServerInvitationBeDeclined: onServerInvitationBeDeclined(event.serverId, invitee: user)
    case .onServerRoleAssigned: onServerRoleAssigned(event.serverId, member: user, role: event.role ?? .user)
    case .onMemberJoinedServer: onMemberJoinedServer(event.serverId, member: user)
    case .onMemberLeftServer: onMemberLeftServer(event.serverId, member: user)
    case .onMemberRemovedFromServer: onMemberRemoved(fromServer: event.serverId, members: event.users)
    default: break
    }
  }
}
