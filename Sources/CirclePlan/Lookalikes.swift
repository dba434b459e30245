import CircleModel

/// A server that is created and looks like one that is destroyed: most likely it was given another handle.
extension Planner {
  /// Notes those that have the same owner and most of their members in common. Linear in the members of servers whose
  /// owners own both kinds.
  mutating func noteLookalikes() {
    var destroyed: [UserIndex: [ServerIndex]] = [:]
    for change in plan.changes where change.object == .server && change.action == .delete {
      destroyed[actual[change.server].owner, default: []].append(change.server)
    }
    guard !destroyed.isEmpty else { return }
    for position in diffs.indices where diffs[position].isNew {
      guard let server = diffs[position].server, let old = destroyed[plan.result[server].owner],
        let found = lookalike(of: server, among: old)
      else { continue }
      plan.notes.append(
        PlanNote(
          kind: .looksRenamed(from: found.server, shared: found.shared, of: found.all), server: server, user: .none,
          place: diffs[position].entry.place))
    }
  }

  /// The one with most members in common, of those that have more than half of them in common.
  private func lookalike(
    of server: ServerIndex, among destroyed: [ServerIndex]
  ) -> (server: ServerIndex, shared: Int, all: Int)? {
    let row = plan.result[server]
    let isIn = { (user: UserIndex) in row.members[user] != nil || row.invitations.isInvited(user) }
    let members = row.memberCount - 1 + Set(row.invitations.map(\.key.invitee)).count
    var best: (server: ServerIndex, shared: Int, all: Int)?
    for old in destroyed {
      let before = actual[old]
      let all = max(members, before.memberCount - 1)
      // Too different in size to have most in common.
      guard min(members, before.memberCount - 1) * 2 > all || all == 0 else { continue }
      guard all > 0 || before.attributes[.name] == row.attributes[.name] else { continue }
      let shared = before.members.sorted().count { $0.user != before.owner && isIn($0.user) }
      guard shared * 2 > all || all == 0, shared > best?.shared ?? -1 else { continue }
      best = (old, shared, all)
    }
    return best
  }
}
