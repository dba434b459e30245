import CircleModel
import Diagnostics

extension ManifestDraft {
  /// Writes the groups out, checks what only the whole set shows, and makes the desired state.
  mutating func finish() -> DesiredState {
    writeGroupsOut()
    for index in servers.indices { checkLists(of: servers[index]) }
    checkServerIDs()
    checkRenames()
    checkNames()
    return DesiredState(
      names: names, users: users, servers: servers, mentions: mentions(),
      groupCount: groups.count { $0.place.isKnown })
  }

  private mutating func writeGroupsOut() {
    if groups.isEmpty { return }
    var resolution = GroupResolution(groups: groups)
    resolution.resolveAll(&self)
    for pending in pendingLists {
      let own = list(pending.list, of: pending.server)
      set(pending.list, of: pending.server, to: resolution.users(own, and: pending.groups, &self))
    }
  }

  private func list(_ list: ServerList, of server: Int) -> ContiguousArray<Listed> {
    switch list {
    case .moderators: servers[server].moderators?.value ?? []
    case .members: servers[server].members?.value ?? []
    case .absent: servers[server].absent
    }
  }

  private mutating func set(_ list: ServerList, of server: Int, to users: ContiguousArray<Listed>) {
    switch list {
    case .moderators: servers[server].moderators?.value = users
    case .members: servers[server].members?.value = users
    case .absent: servers[server].absent = users
    }
  }

  // MARK: One server

  private mutating func checkLists(of server: DesiredServer) {
    if let membership = server.membership, membership.value == .exact, server.members == nil {
      report(
        .exactWithoutMembers, "'membership: exact' of server '\(server.handle)' needs 'members'",
        at: membership.place, notes: [Diagnostic.Note("the server", at: server.place)])
    }
    if server.absent.isEmpty { return }
    if let owner = server.owner, let absent = server.absent.first(where: { $0.user == owner.value }) {
      reportAbsent(absent, server, "the owner", at: owner.place)
    }
    for (list, word) in [(server.moderators, "a moderator"), (server.members, "a member")] {
      guard let listed = list?.value else { continue }
      var position = 0
      for absent in server.absent {
        while position < listed.count, listed[position].user.raw < absent.user.raw { position += 1 }
        guard position < listed.count else { break }
        if listed[position].user == absent.user { reportAbsent(absent, server, word, at: listed[position].place) }
      }
    }
  }

  private mutating func reportAbsent(_ absent: Listed, _ server: DesiredServer, _ word: String, at place: Place) {
    report(
      .absentListed, "user '\(names[absent.user])' is in 'absent' of server '\(server.handle)' and also \(word)",
      at: absent.place, notes: [Diagnostic.Note("\(word) here", at: place)])
  }

  // MARK: Between servers

  private mutating func checkServerIDs() {
    var known: [Text: Place] = [:]
    for server in servers {
      guard let id = server.serverID else { continue }
      if let first = known[id.value] {
        report(
          .duplicateServerID, "the server id '\(id.value)' is given to two servers", at: id.place,
          notes: [Diagnostic.Note("first given here", at: first)])
      } else {
        known[id.value] = id.place
      }
    }
  }

  private mutating func checkRenames() {
    var claims: [Text: (server: Text, place: Place)] = [:]
    for server in servers {
      for earlier in server.renamedFrom {
        if let defined = handles[earlier.value] {
          report(
            .renameConflict, "'\(earlier.value)' is no earlier handle of '\(server.handle)': a manifest defines it",
            at: earlier.place, notes: [Diagnostic.Note("defined here", at: servers[defined].place)])
        } else if let claim = claims[earlier.value] {
          report(
            .renameConflict,
            "'\(server.handle)' and '\(claim.server)' both claim the earlier handle '\(earlier.value)'",
            at: earlier.place, notes: [Diagnostic.Note("also claimed here", at: claim.place)])
        } else {
          claims[earlier.value] = (server.handle, earlier.place)
        }
      }
    }
  }

  private mutating func checkNames() {
    var serverNames = TwinFinder()
    var groupNames = TwinFinder()
    var tags = TwinFinder()
    for server in servers {
      if let name = server.attribute(.name), let value = name.value, let twin = serverNames.add(value, at: name.place) {
        warnOfTwins(value, twin, at: name.place)
      }
      for tag in server.tags?.value ?? [] {
        // Those of one server were compared when they were read.
        if let twin = tags.add(tag.value, at: tag.place), twin.place < server.place || tag.place < server.place {
          warnOfTwins(tag.value, twin, at: tag.place)
        }
      }
    }
    for group in groups where group.place.isKnown {
      if let twin = groupNames.add(group.name, at: group.place) { warnOfTwins(group.name, twin, at: group.place) }
    }
  }

  // MARK: Who must be registered

  /// For each user where he stands first outside `absent`.
  private func mentions() -> ContiguousArray<Place> {
    var mentions = ContiguousArray(repeating: Place.none, count: names.count)
    func note(_ user: UserIndex, _ place: Place) {
      let known = mentions[user.position]
      if !known.isKnown || place < known { mentions[user.position] = place }
    }
    for user in users { note(user.user, user.place) }
    for server in servers {
      if let owner = server.owner { note(owner.value, owner.place) }
      for listed in server.moderators?.value ?? [] { note(listed.user, listed.place) }
      for listed in server.members?.value ?? [] { note(listed.user, listed.place) }
    }
    let onlyAbsent = groupsUsedOnlyByAbsent()
    for index in groups.indices where !onlyAbsent[index] {
      for listed in groups[index].list.users { note(listed.user, listed.place) }
    }
    return mentions
  }

  /// Which groups stand for users who must not be members and for nobody else.
  private func groupsUsedOnlyByAbsent() -> [Bool] {
    let byAbsent = groupsReached { $0 == .absent }
    let byOthers = groupsReached { $0 != .absent }
    return zip(byAbsent, byOthers).map { $0 && !$1 }
  }

  private func groupsReached(from isStart: (ServerList) -> Bool) -> [Bool] {
    var isReached = Array(repeating: false, count: groups.count)
    var open: [Int] = []
    for pending in pendingLists where isStart(pending.list) { open += pending.groups.map(\.group) }
    while let group = open.popLast() {
      if isReached[group] { continue }
      isReached[group] = true
      open += groups[group].list.groups.map(\.group)
    }
    return isReached
  }
}
