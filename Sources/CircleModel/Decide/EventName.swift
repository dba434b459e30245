/// An event of the SDK: the server events that its delegate hears, and the multi-device events.
package enum EventName: UInt8, CaseIterable, Sendable {
  case onServerUpdated, onServerDestroyed, onReceiveServerInvitation, onServerInvitationBeAccepted
  case onServerInvitationBeDeclined, onServerRoleAssigned, onMemberJoinedServer, onMemberLeftServer
  case onMemberRemovedFromServer
  case deviceCreate, deviceDestroy, deviceUpdate, deviceJoin, deviceExit, deviceInviteBeAccepted
  case deviceInviteBeDeclined, deviceSetRole, deviceRemoveUser, deviceInviteUser

  /// As in the log and in reports.
  package var word: StaticString {
    switch self {
    case .onServerUpdated: "onServerUpdated"
    case .onServerDestroyed: "onServerDestroyed"
    case .onReceiveServerInvitation: "onReceiveServerInvitation"
    case .onServerInvitationBeAccepted: "onServerInvitationBeAccepted"
    case .onServerInvitationBeDeclined: "onServerInvitationBeDeclined"
    case .onServerRoleAssigned: "onServerRoleAssigned"
    case .onMemberJoinedServer: "onMemberJoinedServer"
    case .onMemberLeftServer: "onMemberLeftServer"
    case .onMemberRemovedFromServer: "onMemberRemovedFromServer"
    case .deviceCreate: "multiDevices.Create"
    case .deviceDestroy: "multiDevices.Destroy"
    case .deviceUpdate: "multiDevices.Update"
    case .deviceJoin: "multiDevices.Join"
    case .deviceExit: "multiDevices.Exit"
    case .deviceInviteBeAccepted: "multiDevices.InviteBeAccepted"
    case .deviceInviteBeDeclined: "multiDevices.InviteBeDeclined"
    case .deviceSetRole: "multiDevices.SetRole"
    case .deviceRemoveUser: "multiDevices.RemoveUser"
    case .deviceInviteUser: "multiDevices.InviteUser"
    }
  }

  package var isDeviceEvent: Bool { rawValue >= EventName.deviceCreate.rawValue }
}

/// Who receives an event: a rule with an exact count, never a stored list.
package enum AudienceRule: UInt8, CaseIterable, Sendable {
  /// All members but the one whom the event is about, or who acted.
  case membersExcept
  /// All members as they were, but the owner.
  case membersExceptOwner
  /// All (remaining) members.
  case members
  case invitee
  case inviter
  /// The removed, the owner and the remaining moderators, each once, but the actor.
  case removedAndModerators
  /// The actor's own devices but the one on which he acted.
  case otherDevices

  package var word: StaticString {
    switch self {
    case .membersExcept: "membersExcept"
    case .membersExceptOwner: "membersExceptOwner"
    case .members: "members"
    case .invitee: "invitee"
    case .inviter: "inviter"
    case .removedAndModerators: "removedAndModerators"
    case .otherDevices: "otherDevices"
    }
  }
}

extension EventName {
  package var audience: AudienceRule {
    switch self {
    case .onServerUpdated, .onServerRoleAssigned, .onMemberJoinedServer: .membersExcept
    case .onServerDestroyed: .membersExceptOwner
    case .onReceiveServerInvitation: .invitee
    case .onServerInvitationBeAccepted, .onServerInvitationBeDeclined: .inviter
    case .onMemberLeftServer: .members
    case .onMemberRemovedFromServer: .removedAndModerators
    default: .otherDevices
    }
  }
}

extension OperationKind {
  /// The server events of one operation, in order; a server event is emitted even when its audience is empty.
  package var serverEvents: [EventName] {
    switch self {
    case .updateServer: [.onServerUpdated]
    case .destroyServer: [.onServerDestroyed]
    case .inviteUser: [.onReceiveServerInvitation]
    case .acceptInvitation: [.onServerInvitationBeAccepted, .onMemberJoinedServer]
    case .declineInvitation: [.onServerInvitationBeDeclined]
    case .joinServer: [.onMemberJoinedServer]
    case .leaveServer: [.onMemberLeftServer]
    case .removeUsers: [.onMemberRemovedFromServer]
    case .addModerator, .removeModerator: [.onServerRoleAssigned]
    default: []
    }
  }

  /// The multi-device event, emitted after the server events and only when the actor has another device.
  package var deviceEvent: EventName? {
    switch self {
    case .createServer: .deviceCreate
    case .updateServer: .deviceUpdate
    case .destroyServer: .deviceDestroy
    case .inviteUser: .deviceInviteUser
    case .acceptInvitation: .deviceInviteBeAccepted
    case .declineInvitation: .deviceInviteBeDeclined
    case .joinServer: .deviceJoin
    case .leaveServer: .deviceExit
    case .removeUsers: .deviceRemoveUser
    case .addModerator, .removeModerator: .deviceSetRole
    default: nil
    }
  }

  /// How many events a record of this kind stands for.
  package func eventCount(devices: UInt32) -> Int {
    let server =
      switch self {
      case .acceptInvitation: 2
      case .updateServer, .destroyServer, .inviteUser, .declineInvitation, .joinServer, .leaveServer, .removeUsers,
        .addModerator, .removeModerator:
        1
      default: 0
      }
    return server + (devices > 0 && deviceEvent != nil ? 1 : 0)
  }
}
