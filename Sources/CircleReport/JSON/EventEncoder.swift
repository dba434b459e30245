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
/// expanded, `welcome`, `icon` and attributes only where they are set; of these `type` also where it changed.
///
/// Thousands of events in a row are alike but for number, actor, member and the size of the audience, so what stands
/// around those is kept as bytes.
struct EventEncoder: ~Copyable {
  /// What the parts say, with the server's id and handle beside it.
  private var key = Key()
  private var serverID = ByteBuffer(capacity: 64)
  private var handle = ByteBuffer(capacity: 64)
  /// To the number.
  private var lead = ByteBuffer(capacity: 64)
  /// From the number to the actor.
  private var middle = ByteBuffer(capacity: 256)
  /// From the actor to the member, of an event that names one.
  private var link = ByteBuffer(capacity: 64)
  /// From the member to the size of the audience.
  private var tail = ByteBuffer(capacity: 128)

  private struct Key: Equatable {
    var type = false
    var time: Int64 = 0
    var name = EventName.onServerUpdated
    var kind = OperationKind.updateServer
    var isAdministrative = false
  }

  /// - Parameters:
  ///   - type: whether `"type":"event"` comes first, to tell events from the other lines of a report.
  ///   - users: the audience, where it is expanded.
  mutating func append(
    _ event: LoggedEvent, _ names: UserNames, users: [String]? = nil, type: Bool = false, to buffer: inout ByteBuffer
  ) {
    keepParts(of: event, type)
    if users == nil, event.namesMember, appendLine(event, to: &buffer) { return }
    buffer.append(bytes: lead)
    buffer.append(decimal: UInt64(max(event.seq, 0)))
    buffer.append(bytes: middle)
    buffer.append(jsonIdentifier: event.actor)
    if event.namesMember {
      buffer.append(bytes: link)
      buffer.append(jsonIdentifier: event.user)
    } else {
      if event.isAdministrative { buffer.append(Self.via) }
      appendFields(of: event, names, to: &buffer)
    }
    buffer.append(bytes: tail)
    buffer.append(decimal: UInt64(max(event.audience, 0)))
    if let users {
      buffer.append(",\"users\":")
      buffer.appendJSONList(users) { $1.append(jsonString: $0) }
    }
    buffer.append("}}")
  }

  /// All of an event that tells a member and no more.
  ///
  /// - Returns: false, and nothing is appended, where an id needs an escape.
  @inline(__always)
  private func appendLine(_ event: LoggedEvent, to buffer: inout ByteBuffer) -> Bool {
    var isPlain = true
    let parts = lead.count + middle.count + link.count + tail.count
    let room = parts + event.actor.count + event.user.count + 2 * LineCursor.digits + 16
    buffer.append(atMost: room) { target in
      var cursor = LineCursor(target)
      cursor.put(lead)
      cursor.put(decimal: UInt64(max(event.seq, 0)))
      cursor.put(middle)
      isPlain = cursor.put(plain: event.actor)
      cursor.put(link)
      isPlain = cursor.put(plain: event.user) && isPlain
      guard isPlain else { return 0 }
      cursor.put(tail)
      cursor.put(decimal: UInt64(max(event.audience, 0)))
      cursor.put("}}")
      return cursor.distance(from: target)
    }
    return isPlain
  }

  private static let via: StaticString = ",\"via\":\"admin\""

  private mutating func keepParts(of event: LoggedEvent, _ type: Bool) {
    let news = Key(
      type: type, time: event.time, name: event.name, kind: event.kind, isAdministrative: event.isAdministrative)
    // By bytes: the memory of one block of the log may be that of the next.
    if !lead.isEmpty, news == key, serverID.holds(event.serverID), handle.holds(event.handle) { return }
    key = news
    serverID.removeAll()
    serverID.append(bytes: UnsafeRawBufferPointer(event.serverID))
    handle.removeAll()
    handle.append(bytes: UnsafeRawBufferPointer(event.handle))
    lead.removeAll()
    lead.append(type ? "{\"type\":\"event\",\"seq\":" : "{\"seq\":")
    middle.removeAll()
    middle.append(",\"time\":")
    middle.append(jsonTime: event.time)
    middle.append(",\"name\":\"")
    middle.append(event.name.word)
    middle.append("\",\"serverId\":")
    middle.append(jsonIdentifier: event.serverID)
    middle.append(",\"handle\":")
    middle.append(jsonIdentifier: event.handle)
    middle.append(",\"actor\":")
    link.removeAll()
    if event.isAdministrative { link.append(Self.via) }
    link.append(",\"member\":")
    tail.removeAll()
    if event.name == .onServerRoleAssigned {
      tail.append(event.kind == .addModerator ? ",\"role\":\"moderator\"" : ",\"role\":\"user\"")
    }
    tail.append(",\"audience\":{\"rule\":\"")
    tail.append(event.name.audience.word)
    tail.append("\",\"count\":")
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
    case .onMemberRemovedFromServer, .deviceRemoveUser:
      buffer.append(",\"members\":")
      buffer.appendJSONList(event.removedMembers) { removed, buffer in
        names.withSpelling(of: removed.member.user) { buffer.append(jsonIdentifier: $0) }
      }
    case .deviceCreate, .deviceDestroy, .deviceUpdate, .onServerRoleAssigned, .deviceSetRole, .onMemberJoinedServer,
      .onMemberLeftServer, .deviceJoin, .deviceExit:
      break
    }
  }

  private func appendUpdate(_ detail: Detail?, to buffer: inout ByteBuffer) {
    guard case .updated(let changes, _, let attributes) = detail else { return }
    buffer.append(",\"attributes\":{")
    var follows = false
    for field in ServerField.allCases {
      // A type that is not kept is the default, and one that has just become that is news.
      let isNewType = field == .type && changes.contains { $0.field == .type }
      guard let value = attributes[field] ?? (isNewType ? Text(ServerType.public.word) : nil) else { continue }
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
  /// Whether it tells of one member, in the key `member`.
  fileprivate var namesMember: Bool {
    switch name {
    case .onMemberJoinedServer, .onMemberLeftServer, .deviceJoin, .deviceExit, .onServerRoleAssigned, .deviceSetRole:
      true
    default: false
    }
  }

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
