package import CircleModel

/// Who receives an event, as of its moment.
package struct Audience {
  let rule: AudienceRule
  let record: Record
  let detail: Detail?
  /// After the operation; before it for the destruction of a server.
  let snapshot: Snapshot
  /// The device on which the actor acted, which does not hear of it.
  let actingDevice: Text?

  package var names: UserNames { snapshot.names }

  /// The ids by lower-cased id, for device events as `USER/DEVICE`.
  package func users() -> [String] {
    if rule == .otherDevices {
      return devices().map { "\(snapshot.names[record.actor])/\($0)" }
    }
    return receivers().sorted { snapshot.names.precedes($0, $1) }.map { snapshot.names[$0] }
  }

  /// Whether the user receives it: one with a device hears the device events of that device too.
  package func includes(_ user: String, device: Text? = nil) -> Bool {
    guard let index = snapshot.names.find(user) else { return false }
    switch rule {
    case .otherDevices:
      guard index == record.actor else { return false }
      return device.map { devices().contains($0) } ?? !devices().isEmpty
    case .invitee, .inviter: return receivers().contains(index)
    case .membersExcept: return index != excepted && isMember(index)
    case .membersExceptOwner: return index != snapshot[record.server].owner && isMember(index)
    case .members: return isMember(index)
    case .removedAndModerators: return receivers().contains(index)
    }
  }

  private func isMember(_ user: UserIndex) -> Bool {
    snapshot[record.server].members[user] != nil
  }

  /// The one who is told nothing: who joined, else who acted.
  private var excepted: UserIndex {
    switch record.kind {
    case .joinServer, .acceptInvitation: record.user
    default: record.actor
    }
  }

  private func devices() -> [Text] {
    let all = snapshot.details[record.actor]?.devices ?? []
    let others = record.isAdministrative ? all : all.filter { $0 != actingDevice }
    return others.sorted()
  }

  private func receivers() -> [UserIndex] {
    switch rule {
    case .otherDevices: []
    case .invitee: [record.user]
    case .inviter: inviter.map { [$0] } ?? []
    case .membersExcept: members { $0.user != excepted }
    case .membersExceptOwner: members { $0.role != .owner }
    case .members: members { _ in true }
    case .removedAndModerators:
      removed.filter { $0 != record.actor } + members { $0.role != .user && $0.user != record.actor }
    }
  }

  private var inviter: UserIndex? {
    guard case .answered(let invitation)? = detail else { return nil }
    return invitation.inviter
  }

  private var removed: [UserIndex] {
    guard case .removed(let members)? = detail else { return [] }
    return members.map(\.member.user)
  }

  private func members(_ isReceiver: (Member) -> Bool) -> [UserIndex] {
    snapshot[record.server].members.sorted().filter(isReceiver).map(\.user)
  }
}
