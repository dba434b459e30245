package import CircleModel
package import CircleState

/// An event as one user receives it.
public struct CircleEvent: Hashable, Sendable {
  /// What happened: the SDK's nine server events, and its ten multi-device events.
  public enum Name: String, CaseIterable, Sendable {
    case onServerUpdated, onServerDestroyed, onReceiveServerInvitation, onServerInvitationBeAccepted
    case onServerInvitationBeDeclined, onServerRoleAssigned, onMemberJoinedServer, onMemberLeftServer
    case onMemberRemovedFromServer
    case multiDevicesCreate = "multiDevices.Create"
    case multiDevicesDestroy = "multiDevices.Destroy"
    case multiDevicesUpdate = "multiDevices.Update"
    case multiDevicesJoin = "multiDevices.Join"
    case multiDevicesExit = "multiDevices.Exit"
    case multiDevicesInviteBeAccepted = "multiDevices.InviteBeAccepted"
    case multiDevicesInviteBeDeclined = "multiDevices.InviteBeDeclined"
    case multiDevicesSetRole = "multiDevices.SetRole"
    case multiDevicesRemoveUser = "multiDevices.RemoveUser"
    case multiDevicesInviteUser = "multiDevices.InviteUser"

    init?(_ name: EventName) { self.init(rawValue: name.word.description) }
  }

  /// Without gaps within a state, from 1.
  public let seq: Int64
  /// Unix milliseconds, UTC.
  public let time: Int64
  /// What happened.
  public let name: Name
  /// The server's id.
  public let serverId: String
  /// The server's handle at that moment.
  public let handle: String
  /// Who acted, or in whose name an administrator acted.
  public let actor: String
  /// Whether an administrator acted, in the actor's name.
  public let isAdministrative: Bool
  /// Whom the event is about: who joined, left or has a new role, who was invited or answered; those removed.
  public let users: [String]
  /// The new role, of `onServerRoleAssigned`.
  public let role: CircleUserRole?
  /// Who invited, of `onReceiveServerInvitation`.
  public let inviter: String?
  /// The invitation's text, of `onReceiveServerInvitation`.
  public let welcome: String?
  /// After the change, of `onServerUpdated`; the server's name and icon, of `onReceiveServerInvitation`.
  public let attribute: CircleServerAttribute?
  /// The names of the attributes that changed, of `onServerUpdated`.
  public let changed: [String]

  package init?(_ event: LoggedEvent, _ names: UserNames) {
    guard let name = Name(event.name) else { return nil }
    self.name = name
    seq = event.seq
    time = event.time
    serverId = String(decoding: event.serverID, as: UTF8.self)
    handle = String(decoding: event.handle, as: UTF8.self)
    actor = String(decoding: event.actor, as: UTF8.self)
    isAdministrative = event.isAdministrative
    role = name == .onServerRoleAssigned ? event.kind == .addModerator ? .moderator : .user : nil
    var users: [String] = []
    var inviter: String?
    var welcome: String?
    var attribute: CircleServerAttribute?
    var changed: [String] = []
    switch event.detail {
    case .removed(let members)?:
      users = members.map { names[$0.member.user] }
    case .invitation(let invitation, _, let serverName, let icon, _)?:
      inviter = names[invitation.inviter]
      welcome = invitation.welcome?.string
      attribute = CircleServerAttribute(name: serverName?.string, icon: icon?.string)
    case .updated(let changes, _, let attributes)?:
      changed = changes.map(\.field.word)
      attribute = CircleServerAttribute(attributes)
    default: break
    }
    if users.isEmpty, event.kind.concernsUser { users = [String(decoding: event.user, as: UTF8.self)] }
    self.users = users
    self.inviter = inviter
    self.welcome = welcome
    self.attribute = attribute
    self.changed = changed
  }
}

extension CircleServerAttribute {
  /// All that are set.
  init(_ attributes: ServerAttributes) {
    self.init(
      name: attributes[.name]?.string, type: attributes[.type]?.string == "private" ? .private : .public,
      icon: attributes[.icon]?.string, background: attributes[.background]?.string, desc: attributes[.desc]?.string,
      ext: attributes[.ext]?.string)
  }
}

extension OperationKind {
  /// Whether the events of such an operation name a user beside the actor.
  fileprivate var concernsUser: Bool {
    switch self {
    case .createServer, .updateServer, .destroyServer, .removeUsers: false
    default: true
    }
  }
}
