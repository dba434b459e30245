import CircleModel

/// Compares what an operation of a saved plan was decided on with what it finds now.
struct PlanBasis {
  let names: UserNames
  /// The server's handle now.
  let handle: Text

  /// What has changed of the values that the record changes, in one sentence; nil when all is as it was.
  func difference(_ old: Record, _ oldDetail: Detail?, _ new: Record, _ newDetail: Detail?) -> String? {
    switch (old.kind, oldDetail, newDetail) {
    case (.joinServer, _, _), (.addModerator, _, _), (.removeModerator, _, _):
      return old.listingBefore == new.listingBefore
        ? nil : "what the last apply listed \(user(old)) of '\(handle)' as has changed"
    case (.updateServer, .updated(let before, _, _)?, .updated(let after, _, _)?):
      return fields(before, after) { $0.word }.map { "\($0) of '\(handle)' has changed" }
    case (.updateUser, .profile(let before, _)?, .profile(let after, _)?):
      return fields(before, after) { $0.word }.map { "\($0) of user \(user(old)) has changed" }
    case (.inviteUser, .invitation(_, _, _, _, let before)?, .invitation(_, let replaced, _, _, let after)?):
      if replaced != nil { return "\(user(old)) has been invited to '\(handle)'" }
      return before == after ? nil : "\(user(old)) has answered an invitation to '\(handle)'"
    case (.withdrawInvitation, .withdrawn(let before)?, .withdrawn(let after)?):
      return before.map(\.inviter) == after.map(\.inviter)
        ? nil : "the pending invitations of \(user(old)) to '\(handle)' have changed"
    case (.removeUsers, .removed(let before)?, .removed(let after)?): return removed(before, after)
    case (.setDevices, .devices(let before, _)?, .devices(let after, _)?):
      return before == after ? nil : "the devices of user \(user(old)) have changed"
    case (.renameHandle, .handle(let before, _)?, .handle(let after, _)?):
      return before == after ? nil : "the server '\(before)' is called '\(after)' now"
    case (.setServerSettings, .settings(let before, let wanted)?, .settings(let after, _)?):
      return settings(before, wanted, after) ? nil : "the settings of '\(handle)' have changed"
    default: return nil
    }
  }

  private func user(_ record: Record) -> String {
    record.user.position < names.count ? "'\(names[record.user])'" : "somebody"
  }

  /// The first field that is not as it was.
  private func fields<Field>(
    _ before: [FieldChange<Field>], _ after: [FieldChange<Field>], _ word: (Field) -> String
  ) -> String? {
    for change in before {
      guard let now = after.first(where: { $0.field == change.field }), now.before == change.before else {
        return "'\(word(change.field))'"
      }
    }
    return nil
  }

  private func removed(_ before: [RemovedMember], _ after: [RemovedMember]) -> String? {
    guard before.count == after.count else { return "the members of '\(handle)' have changed" }
    for (old, new) in zip(before, after)
    where old.member.role != new.member.role || old.member.listing != new.member.listing {
      let name = new.member.user.position < names.count ? names[new.member.user] : "somebody"
      return old.member.role == new.member.role
        ? "what the last apply listed '\(name)' of '\(handle)' as has changed"
        : "'\(name)' is \(new.member.role == .moderator ? "a moderator" : "no moderator") of '\(handle)' now"
    }
    return nil
  }

  /// Whether the settings that are to change are still as they were.
  private func settings(_ before: ServerSettings, _ wanted: ServerSettings, _ now: ServerSettings) -> Bool {
    (before.membership == wanted.membership || before.membership == now.membership)
      && (before.join == wanted.join || before.join == now.join)
      && (before.welcome == wanted.welcome || before.welcome == now.welcome)
      && (before.protect == wanted.protect || before.protect == now.protect)
  }
}
