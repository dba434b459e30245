/// What the user did on another of his devices.
public enum MultiDevicesEvent: Int, CaseIterable, Hashable, Sendable {
  /// Created a server.
  case circleServerCreate
  /// Destroyed a server.
  case circleServerDestroy
  /// Changed a server's attributes.
  case circleServerUpdate
  /// Joined a server.
  case circleServerJoin
  /// Left a server.
  case circleServerExit
  /// Accepted an invitation.
  case circleServerInviteBeAccepted
  /// Declined an invitation.
  case circleServerInviteBeDeclined
  /// Gave a member a role.
  case circleServerSetRole
  /// Removed members.
  case circleServerRemoveUser
  /// Invited a user.
  case circleServerInviteUser

  init?(_ name: CircleEvent.Name) {
    switch name {
    case .multiDevicesCreate: self = .circleServerCreate
    case .multiDevicesDestroy: self = .circleServerDestroy
    case .multiDevicesUpdate: self = .circleServerUpdate
    case .multiDevicesJoin: self = .circleServerJoin
    case .multiDevicesExit: self = .circleServerExit
    case .multiDevicesInviteBeAccepted: self = .circleServerInviteBeAccepted
    case .multiDevicesInviteBeDeclined: self = .circleServerInviteBeDeclined
    case .multiDevicesSetRole: self = .circleServerSetRole
    case .multiDevicesRemoveUser: self = .circleServerRemoveUser
    case .multiDevicesInviteUser: self = .circleServerInviteUser
    default: return nil
    }
  }
}

/// Hears what its user did on another of his devices; the method is optional.
///
/// Only a manager with a device hears of the others: one without is none of the user's devices.
public protocol MultiDevicesDelegate: AnyObject, Sendable {
  /// - Parameters:
  ///   - event: what he did.
  ///   - serverId: the server's id.
  ///   - ext: the users concerned: who was invited, removed or given a role, or who answered.
  func multiDevicesCircleServerEventDidReceive(_ event: MultiDevicesEvent, serverId: String, ext: [String])
}

extension MultiDevicesDelegate {
  /// Does nothing.
  public func multiDevicesCircleServerEventDidReceive(_ event: MultiDevicesEvent, serverId: String, ext: [String]) {}
}
