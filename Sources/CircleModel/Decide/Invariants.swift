/// What does not hold in a fully loaded snapshot, one sentence a fault, in the order of servers and users; empty for
/// any state that operations made.
///
/// The limits of servers created and joined are not checked: lowering one removes nobody.
package func invariantViolations(of snapshot: Snapshot) -> [String] {
  var check = InvariantCheck(users: snapshot.users.count)
  for position in snapshot.servers.indices where !snapshot.servers[position].isDestroyed {
    check.check(ServerIndex(position), in: snapshot)
  }
  check.checkUsers(of: snapshot)
  check.checkTotals(of: snapshot)
  return check.violations
}

private struct InvariantCheck {
  var violations: [String] = []
  private var owned: ContiguousArray<UInt32>
  private var joined: ContiguousArray<UInt32>
  private var servers = 0
  private var memberships = 0

  init(users: Int) {
    owned = ContiguousArray(repeating: 0, count: users)
    joined = owned
  }

  private mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { violations.append(sentence()) }
  }

  // MARK: - A server

  mutating func check(_ index: ServerIndex, in snapshot: Snapshot) {
    let server = snapshot[index]
    let title = "server '\(server.handle)'"
    servers += 1
    require(TextRule.handle.check(server.handle) == nil, "\(title): the handle is not valid")
    require(TextRule.serverID.check(server.id) == nil, "\(title): the id '\(server.id)' is not valid")
    require(snapshot.handles[server.handle] == index, "\(title): the handle does not lead to it")
    require(snapshot.serverIDs[server.id] == index, "\(title): the id does not lead to it")
    require(server.attributes[.name] != nil, "\(title): it has no name")
    for field in ServerField.allCases {
      guard let value = server.attributes[field] else { continue }
      if let violation = TextRule.check(value, as: field) { violations.append("\(title): \(violation.reason)") }
      require(TextRule.stored(value, as: field) != nil, "\(title): \(field.word) is kept although it is unset")
    }
    checkMembers(of: server, title, snapshot)
    checkTags(of: server, title)
    checkInvitations(of: server, title, snapshot)
    checkBase(of: server, title, snapshot)
  }

  private mutating func checkMembers(of server: Server, _ title: String, _ snapshot: Snapshot) {
    let members = server.members.sorted()
    var moderators = 0
    var owners = 0
    for member in members {
      guard snapshot.isRegistered(member.user) else {
        violations.append("\(title): the member \(snapshot.spelling(member.user)) is not registered")
        continue
      }
      switch member.role {
      case .owner:
        owners += 1
        owned[member.user.position] += 1
        require(member.user == server.owner, "\(title): \(snapshot.spelling(member.user)) is a second owner")
      case .moderator:
        moderators += 1
        joined[member.user.position] += 1
      case .user: joined[member.user.position] += 1
      }
      require(
        member.joinedAt >= server.created, "\(title): \(snapshot.spelling(member.user)) joined before it was created")
    }
    memberships += members.count
    require(owners == 1, "\(title): it has \(owners) owners")
    require(
      server.memberCount == members.count && server.members.count == members.count,
      "\(title): \(server.memberCount) members are counted, \(members.count) are there")
    require(
      server.moderatorCount == moderators,
      "\(title): \(server.moderatorCount) moderators are counted, \(moderators) are there")
  }

  private mutating func checkTags(of server: Server, _ title: String) {
    let tags = server.tags
    require(tags.count <= Limits.tagsAServer, "\(title): it has \(tags.count) tags")
    require(Set(tags.map(\.name)).count == tags.count, "\(title): two tags have one name")
    require(Set(tags.map(\.id)).count == tags.count, "\(title): two tags have one id")
    for tag in tags {
      if let violation = TextRule.tag.check(tag.name) { violations.append("\(title): \(violation.reason)") }
    }
  }

  private mutating func checkInvitations(of server: Server, _ title: String, _ snapshot: Snapshot) {
    for (key, invitation) in sorted(server.invitations, snapshot) {
      let pair = "the invitation of \(snapshot.spelling(key.invitee)) by \(snapshot.spelling(key.inviter))"
      require(key == InvitationKey(invitation), "\(title): \(pair) is filed under another pair")
      require(snapshot.isRegistered(key.invitee), "\(title): \(pair) is for one who is not registered")
      require(server.members[key.invitee] == nil, "\(title): \(pair) is for a member")
      require(server.members[key.inviter] != nil, "\(title): \(pair) is by one who is not a member")
      if let welcome = invitation.welcome, let violation = TextRule.welcome.check(welcome) {
        violations.append("\(title): \(pair): \(violation.reason)")
      }
    }
    for user in sorted(server.refusals.keys, snapshot) {
      require(server.members[user] == nil, "\(title): the member \(snapshot.spelling(user)) is kept as refusing")
    }
  }

  private mutating func checkBase(of server: Server, _ title: String, _ snapshot: Snapshot) {
    for note in server.base.overrides {
      require(
        server.base.managed.contains(FieldMask(note.field)),
        "\(title): \(note.field.word) has a base although it is not managed")
      require(
        note.value != server.attributes[note.field],
        "\(title): the base of \(note.field.word) is noted although it is the value")
    }
    for name in server.base.lostTags {
      require(!server.tags.contains { $0.name == name }, "\(title): the tag '\(name)' is there and lost")
    }
    for user in sorted(server.base.absentees.keys, snapshot) {
      require(server.members[user] == nil, "\(title): the member \(snapshot.spelling(user)) is kept as an absentee")
      require(
        server.base.absentees[user]?.isEmpty == false,
        "\(title): the absentee \(snapshot.spelling(user)) is kept although he was not listed")
    }
  }

  private func sorted(_ users: some Sequence<UserIndex>, _ snapshot: Snapshot) -> [UserIndex] {
    users.sorted { snapshot.names.precedes($0, $1) }
  }

  private func sorted(_ invitations: Invitations, _ snapshot: Snapshot) -> [(key: InvitationKey, value: Invitation)] {
    invitations.sorted { left, right in
      if left.key.invitee != right.key.invitee {
        return snapshot.names.precedes(left.key.invitee, right.key.invitee)
      }
      return snapshot.names.precedes(left.key.inviter, right.key.inviter)
    }
  }

  // MARK: - Users and totals

  mutating func checkUsers(of snapshot: Snapshot) {
    for position in snapshot.users.indices {
      let user = UserIndex(position)
      let row = snapshot.users[position]
      var title: String { "user '\(snapshot.spelling(user))'" }
      let (owns, isIn) = (owned[position], joined[position])
      require(row.owned == owns, "\(title): owns \(owns) servers, \(row.owned) are counted")
      require(row.joined == isIn, "\(title): is in \(isIn) servers, \(row.joined) are counted")
      if row.isRegistered {
        let violation = snapshot.names.withSpelling(of: user) { TextRule.userID.check($0) }
        if let violation { violations.append("\(title): \(violation.reason)") }
      }
    }
    for user in sorted(snapshot.details.map(\.key), snapshot) {
      if let detail = snapshot.details[user] { check(detail, of: user, snapshot) }
    }
  }

  private mutating func check(_ detail: UserDetail, of user: UserIndex, _ snapshot: Snapshot) {
    let title = "user '\(snapshot.spelling(user))'"
    let managed = user.position < snapshot.users.count ? snapshot[user].managed : []
    require(snapshot.isRegistered(user), "\(title): has a profile or devices, but is not registered")
    for field in UserField.allCases {
      guard let value = detail.profile[field] else { continue }
      if let violation = TextRule.check(value, as: field) { violations.append("\(title): \(violation.reason)") }
      require(TextRule.stored(value, as: field) != nil, "\(title): \(field.word) is kept although it is unset")
    }
    for device in detail.devices {
      if let violation = TextRule.device.check(device) { violations.append("\(title): \(violation.reason)") }
    }
    require(Set(detail.devices).count == detail.devices.count, "\(title): two devices have one name")
    for note in detail.overrides {
      require(
        managed.contains(FieldMask(note.field)) && note.value != detail.profile[note.field],
        "\(title): the base of \(note.field.word) is noted without need")
    }
    require(
      detail.devicesOverride == nil || (managed.contains(.devices) && detail.devicesOverride != detail.devices),
      "\(title): the base of the devices is noted without need")
  }

  mutating func checkTotals(of snapshot: Snapshot) {
    let totals = snapshot.totals
    let users = snapshot.users.count { $0.isRegistered }
    let (servers, memberships) = (servers, memberships)
    require(totals.servers == servers, "\(totals.servers) servers are counted, \(servers) are there")
    require(totals.users == users, "\(totals.users) users are counted, \(users) are there")
    require(
      totals.memberships == memberships, "\(totals.memberships) memberships are counted, \(memberships) are there")
    let leading = snapshot.handles.values.count { $0 != .none }
    require(leading == servers, "\(leading) handles lead to \(servers) servers")
    let known = snapshot.serverIDs.values.count { $0 != .none }
    require(known == servers, "\(known) ids lead to \(servers) servers")
  }
}
