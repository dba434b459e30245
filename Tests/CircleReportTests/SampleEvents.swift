import CircleModel
import CircleReport
import Diagnostics

@testable import CircleState

/// Events as the log would lend them, from text that lives here.
struct SampleEvent {
  var name: EventName
  var kind: OperationKind
  var seq: Int64 = 1
  var time = Sample.time
  var serverID = "0000000000000000000001"
  var handle = "swift-fans"
  var actor = "alice"
  var isAdministrative = false
  var user = ""
  var audience = 2
  var detail: Detail?

  func lend<R>(_ body: (LoggedEvent) throws(StateError) -> R) throws(StateError) -> R {
    let bytes = [serverID, handle, actor, user].map { Array($0.utf8) }
    let pointers = bytes.map { bytes in
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      return copy
    }
    defer { for pointer in pointers { pointer.deallocate() } }
    return try body(
      LoggedEvent(
        seq: seq, time: time, run: 7, name: name, kind: kind, serverID: UnsafeBufferPointer(pointers[0]),
        handle: UnsafeBufferPointer(pointers[1]), actor: UnsafeBufferPointer(pointers[2]),
        isAdministrative: isAdministrative, user: UnsafeBufferPointer(pointers[3]), audience: audience,
        detail: detail))
  }

  static func section(
    _ purpose: EventsSection.Purpose, _ events: [SampleEvent], audience: ((LoggedEvent) -> [String])? = nil
  ) -> EventsSection {
    let names = Sample.snapshot().names
    return EventsSection(purpose) { (receiver) throws(StateError) in
      for event in events {
        let goesOn = try event.lend { (event) throws(StateError) in try receiver(event, names, audience?(event)) }
        if !goesOn { return }
      }
    }
  }

  /// One of each kind that looks different.
  static let all: [SampleEvent] = [
    SampleEvent(
      name: .onMemberJoinedServer, kind: .joinServer, seq: 7, actor: "bob", isAdministrative: true, user: "bob",
      audience: 12),
    SampleEvent(name: .deviceJoin, kind: .joinServer, seq: 8, actor: "bob", user: "bob", audience: 1),
    SampleEvent(
      name: .onServerUpdated, kind: .updateServer, seq: 9,
      detail: .updated(
        [FieldChange(.name, before: "a", after: "Swift 爱好者"), FieldChange(.desc, before: "x", after: nil)], places: [],
        attributes: attributes)),
    SampleEvent(name: .onServerDestroyed, kind: .destroyServer, seq: 10),
    SampleEvent(
      name: .onReceiveServerInvitation, kind: .inviteUser, seq: 11, user: "dave", audience: 1,
      detail: .invitation(
        Invitation(inviter: Sample.alice, invitee: Sample.dave, welcome: "hi \"you\"", createdAt: Sample.time),
        replaced: nil, serverName: "Swift 爱好者", icon: nil, refusalBefore: nil)),
    SampleEvent(
      name: .onServerInvitationBeDeclined, kind: .declineInvitation, seq: 12, actor: "dave", user: "dave", audience: 1),
    SampleEvent(name: .onServerRoleAssigned, kind: .addModerator, seq: 13, user: "bob"),
    SampleEvent(name: .onServerRoleAssigned, kind: .removeModerator, seq: 14, user: "bob"),
    SampleEvent(
      name: .onMemberRemovedFromServer, kind: .removeUsers, seq: 15, user: "", audience: 3,
      detail: .removed(
        [Sample.bob, Sample.carol].map {
          RemovedMember(Member($0, .user, joinedAt: 0), rule: .command, place: .none, listingAfter: [])
        })),
    SampleEvent(name: .deviceCreate, kind: .createServer, seq: 16, audience: 2),
  ]

  private static var attributes: ServerAttributes {
    var attributes = ServerAttributes()
    attributes[.name] = "Swift 爱好者"
    attributes[.type] = "public"
    return attributes
  }
}
