import CircleModel
import CircleState

/// One event in words for people, with what anyone gave as it is.
struct EventWords {
  let name: String
  let handle: String
  let actor: String
  let isAdministrative: Bool
  /// Whom or what it is about beside its server; empty where the name says all.
  var subjects: [String]
  /// How many further subjects are not named.
  var more = 0
  /// What becomes of them.
  var outcome: String?

  /// So many users of a list are named.
  private static let longestList = 5

  init(_ event: LoggedEvent, _ names: UserNames) {
    name = event.name.word.description
    handle = String(decoding: event.handle, as: UTF8.self)
    actor = String(decoding: event.actor, as: UTF8.self)
    isAdministrative = event.isAdministrative
    subjects = []
    switch event.name {
    case .onServerDestroyed, .deviceCreate, .deviceDestroy, .deviceUpdate: break
    case .onServerUpdated:
      if case .updated(let changes, _, _) = event.detail { subjects = changes.map { $0.field.word } }
    case .onMemberRemovedFromServer, .deviceRemoveUser:
      let removed = event.removedMembers
      subjects = removed.prefix(Self.longestList).map { names[$0.member.user] }
      more = removed.count - subjects.count
    default:
      let user = String(decoding: event.user, as: UTF8.self)
      if !user.isEmpty { subjects = [user] }
      if event.name == .onServerRoleAssigned { outcome = event.kind == .addModerator ? "moderator" : "user" }
    }
  }
}
