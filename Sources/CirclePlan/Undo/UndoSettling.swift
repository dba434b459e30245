import CircleModel
import Diagnostics

/// Settings and marks at the end of an undo: what the last apply is taken to have left is what it was before the run, as
/// far as no later run has noted anything else.
extension UndoPlanner {
  mutating func settle(_ position: Int) {
    let undone = servers[position]
    guard undone.blockedCreate == nil, undone.server != .none else { return }
    if undone.settings != ServerSettings() || undone.clearsWelcome {
      let before = plan.result[undone.server].settings
      let verdict = plan.perform(
        .setServerSettings(undone.server, undone.settings, clearsWelcome: undone.clearsWelcome), .command,
        for: undone.handle, on: undone.server)
      if case .done = verdict { noteSettings(undone.server, before) }
    }
    guard plan.result[undone.server].stack != nil else { return }
    _ = plan.perform(.markServer(undone.server, marks(undone)), .command, for: undone.handle, on: undone.server)
  }

  private mutating func noteSettings(_ server: ServerIndex, _ before: ServerSettings) {
    let after = plan.result[server].settings
    for setting in ServerSetting.allCases where before[setting] != after[setting] {
      plan.notes.append(
        PlanNote(
          kind: .setting(setting, before: before[setting], after: after[setting]), server: server, user: .none,
          place: .none))
    }
  }

  private func marks(_ undone: UndoneServer) -> ServerMarks {
    let result = plan.result[undone.server]
    // A server that comes back has lost all; its marks are those that it had.
    let now = undone.fate == .comes ? undone.before : actual[undone.server]
    func back<Value: Equatable>(_ value: (Server) -> Value) -> Value {
      value(now) == value(undone.after) ? value(undone.before) : value(now)
    }
    let listed = Set(result.tags.map(\.name).filter { name in back { $0.lists(name) } })
    var marks = ServerMarks(managed: back(\.base.managed), listings: listings(undone, now, result), tags: nil)
    marks.tags = result.tags.map(\.name).filter { listed.contains($0) }
    for override in result.base.overrides {
      let field = override.field
      let isTakenBack = undone.attributes.contains { $0.field == field }
      // What had drifted from the very value that the run set is drift again.
      let wasDrift = undone.before.base.overrides.contains {
        $0.field == field && $0.value == undone.after.attributes[field]
      }
      if !isTakenBack || wasDrift { marks.kept.insert(FieldMask(field)) }
    }
    if !undone.before.base.lostTags.isEmpty || now.base.lostTags != undone.after.base.lostTags {
      marks.kept.insert(.tags)
    }
    return marks
  }

  /// What members and absentees are to be listed as, where they are not.
  private func listings(
    _ undone: UndoneServer, _ now: Server, _ result: Server
  ) -> [(user: UserIndex, listing: Listing)] {
    var users: Set<UserIndex> = []
    for server in [undone.before, undone.after] {
      for member in server.members.sorted() where !member.listing.isEmpty { users.insert(member.user) }
      users.formUnion(server.base.absentees.keys)
    }
    var listings: [(user: UserIndex, listing: Listing)] = []
    for user in users.sorted(by: { $0.raw < $1.raw }) where user != result.owner {
      let (old, new, current) = (undone.before.listing(user), undone.after.listing(user), now.listing(user))
      let wanted = current == new ? old : current
      if result.listing(user) != wanted { listings.append((user, wanted)) }
    }
    return listings
  }
}

extension Server {
  fileprivate func lists(_ tag: Text) -> Bool { tags.contains { $0.name == tag && $0.isListed } }

  fileprivate func listing(_ user: UserIndex) -> Listing {
    members[user]?.listing ?? base.absentees[user] ?? []
  }
}
