import CircleModel
import CircleState
import Glibc
import JSONText

/// Writes events as JSON objects:
///
///     {"seq":7,"time":"2025-01-02T03:04:05.678Z","name":"onMemberJoinedServer","serverId":"…","handle":"swift-fans",
///      "actor":"bob","via":"admin","member":"bob","audience":{"rule":"membersExcept","count":12}}
///
/// `via` stands only where an administrator acted in the actor's name, `audience.users` only where audiences are
/// expanded, `welcome`, `icon` and attributes only where they are set.
///
/// Thousands of events in a row share their time and their server, so what those give is kept as bytes.
struct EventEncoder: ~Copyable {
  private var time: Int64?
  /// From the number to the name.
  private var timePart = ByteBuffer(capacity: 64)
  private var serverID = ByteBuffer(capacity: 64)
  private var handle = ByteBuffer(capacity: 64)
  /// From the name to the actor.
  private var serverPart = ByteBuffer(capacity: 128)

  /// - Parameters:
  ///   - type: whether `"type":"event"` comes first, to tell events from the other lines of a report.
  ///   - users: the audience, where it is expanded.
  mutating func append(
    _ event: LoggedEvent, _ names: UserNames, users: [String]? = nil, type: Bool = false, to buffer: inout ByteBuffer
  ) {
    keepParts(of: event)
    buffer.append(type ? "{\"type\":\"event\",\"seq\":" : "{\"seq\":")
    buffer.append(decimal: UInt64(max(event.seq, 0)))
    buffer.append(bytes: timePart)
    buffer.append(event.name.word)
    buffer.append(bytes: serverPart)
    buffer.append(jsonIdentifier: event.actor)
    if event.isAdministrative { buffer.append(",\"via\":\"admin\"") }
    switch event.name {
    case .onMemberJoinedServer, .onMemberLeftServer, .deviceJoin, .deviceExit:
      buffer.append(",\"member\":")
      buffer.append(jsonIdentifier: event.user)
    default:
      appendFields(of: event, names, to: &buffer)
    }
    buffer.append(",\"audience\":{\"rule\":\"")
    buffer.append(event.name.audience.word)
    buffer.append("\",\"count\":")
    buffer.append(decimal: UInt64(max(event.audience, 0)))
    if let users {
      buffer.append(",\"users\":")
      buffer.appendJSONList(users) { $1.append(jsonString: $0) }
    }
    buffer.append("}}")
  }

  private mutating func keepParts(of event: LoggedEvent) {
    if time != event.time {
      time = event.time
      timePart.removeAll()
      timePart.append(",\"time\":")
      timePart.append(jsonTime: event.time)
      timePart.append(",\"name\":\"")
    }
    // By bytes: the memory of one block of the log may be that of the next.
    if serverPart.isEmpty || !serverID.holds(event.serverID) || !handle.holds(event.handle) {
      serverID.removeAll()
      serverID.append(bytes: UnsafeRawBufferPointer(event.serverID))
      handle.removeAll()
      handle.append(bytes: UnsafeRawBufferPointer(event.handle))
      serverPart.removeAll()
      serverPart.append("\",\"serverId\":")
      serverPart.append(jsonIdentifier: event.serverID)
      serverPart.append(",\"handle\":")
      serverPart.append(jsonIdentifier: event.handle)
      serverPart.append(",\"actor\":")
    }
  }

  private func appendFields(of event: LoggedEvent, _ names: UserNames, to buffer: inout ByteBuffer) {
    switch event.name {
    case .onServerUpdated:
      appendUpdate(event.detail, to: &buffer)
    case .onServerDestroyed:
      buffer.append(",\"initiator\":")
      buffer.append(jsonIdentifier: event.actor)
    case .onReceiveServerInvitation:
      appendInvitation(event.detail, names, to: &buffer)
    case .onServerInvitationBeAccepted, .onServerInvitationBeDeclined, .deviceInviteBeAccepted,
      .deviceInviteBeDeclined, .deviceInviteUser:
      buffer.append(",\"invitee\":")
      buffer.append(jsonIdentifier: event.user)
    case .onServerRoleAssigned:
      buffer.append(",\"member\":")
      buffer.append(jsonIdentifier: event.user)
      buffer.append(event.kind == .addModerator ? ",\"role\":\"moderator\"" : ",\"role\":\"user\"")
    case .deviceSetRole, .onMemberJoinedServer, .onMemberLeftServer, .deviceJoin, .deviceExit:
      buffer.append(",\"member\":")
      buffer.append(jsonIdentifier: event.user)
    case .onMemberRemovedFromServer, .deviceRemoveUser:
      buffer.append(",\"members\":")
      buffer.appendJSONList(event.removedMembers) { removed, buffer in
        names.withSpelling(of: removed.member.user) { buffer.append(jsonIdentifier: $0) }
      }
    case .deviceCreate, .deviceDestroy, .deviceUpdate:
      break
    }
  }

  private func appendUpdate(_ detail: Detail?, to buffer: inout ByteBuffer) {
    guard case .updated(let changes, _, let attributes) = detail else { return }
    buffer.append(",\"attributes\":{")
    var follows = false
    for field in ServerField.allCases {
      guard let value = attributes[field] else { continue }
      buffer.append(follows ? ",\"" : "\"")
      follows = true
      buffer.append(utf8: field.word)
      buffer.append("\":")
      buffer.append(jsonString: value.string)
    }
    buffer.append("},\"changed\":")
    buffer.appendJSONList(changes) { $1.append(jsonString: $0.field.word) }
  }

  private func appendInvitation(_ detail: Detail?, _ names: UserNames, to buffer: inout ByteBuffer) {
    guard case .invitation(let invitation, _, let serverName, let icon, _) = detail else { return }
    buffer.append(",\"inviter\":")
    names.withSpelling(of: invitation.inviter) { buffer.append(jsonIdentifier: $0) }
    buffer.append(",\"invitee\":")
    names.withSpelling(of: invitation.invitee) { buffer.append(jsonIdentifier: $0) }
    if let welcome = invitation.welcome {
      buffer.append(",\"welcome\":")
      buffer.append(jsonString: welcome.string)
    }
    if let serverName {
      buffer.append(",\"serverName\":")
      buffer.append(jsonString: serverName.string)
    }
    if let icon {
      buffer.append(",\"icon\":")
      buffer.append(jsonString: icon.string)
    }
  }
}

extension LoggedEvent {
  /// Of a removal: those removed.
  var removedMembers: [RemovedMember] {
    if case .removed(let members) = detail { return members }
    return []
  }
}

extension ByteBuffer {
  /// Whether the bytes are these.
  fileprivate func holds(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let start = other.baseAddress, count > 0 else { return true }
    return withBytes { $0.baseAddress.map { memcmp($0, start, other.count) == 0 } ?? false }
  }

  /// Appends a JSON array of what `element` writes.
  mutating func appendJSONList<Elements: Sequence>(
    _ elements: Elements, _ element: (Elements.Element, inout ByteBuffer) -> Void
  ) {
    append(UInt8(ascii: "["))
    var follows = false
    for value in elements {
      if follows { append(UInt8(ascii: ",")) }
      follows = true
      element(value, &self)
    }
    append(UInt8(ascii: "]"))
  }
}
