extension Snapshot {
  /// Carries a record out: the one place where a record changes a snapshot, whether it was just decided or comes from
  /// the log.
  ///
  /// A function of the record, its detail, the run's kind and time, and the snapshot; a record whose detail is missing
  /// or of another kind changes nothing.
  package mutating func apply(_ record: Record, of outcome: Outcome, in context: RunContext) {
    let server = record.server
    switch record.kind {
    case .joinServer, .acceptInvitation:
      guard isLoaded(server) else { return }
      add(record, at: context.time)
    case .leaveServer:
      guard isLoaded(server) else { return }
      drop(record.user, from: server, listing: record.listingAfter)
      if record.accepted { servers[server.position].refusals[record.user] = .leftAfterAccepting }
    case .addModerator, .removeModerator:
      guard isLoaded(server) else { return }
      assign(record)
    case .destroyServer:
      guard isLoaded(server) else { return }
      destroy(server)
    default:
      guard record.detail >= 0, Int(record.detail) < outcome.details.count else { return }
      apply(outcome.details[Int(record.detail)], of: record, in: context)
    }
  }

  private mutating func apply(_ detail: Detail, of record: Record, in context: RunContext) {
    switch detail {
    case .created(let new): create(new)
    case .registered(let profile, let devices, let managed): register(record.user, profile, devices, managed)
    case .profile(let changes, _): change(changes, of: record.user, context.kind)
    case .devices(let before, let after): setDevices(record.user, from: before, to: after, context.kind)
    case .userMarks(_, let named): mark(record.user, named)
    case .limit(.created, _, let after): limits.created = after
    case .limit(.joined, _, let after): limits.joined = after
    default:
      guard isLoaded(record.server) else { return }
      apply(detail, to: record.server, of: record, in: context)
    }
  }

  private mutating func apply(
    _ detail: Detail, to server: ServerIndex, of record: Record, in context: RunContext
  ) {
    let position = server.position
    switch detail {
    case .updated(let changes, _, _):
      for change in changes { servers[position].set(change, context.kind) }
    case .tags(let tags, _):
      if record.kind == .addTags {
        servers[position].add(tags)
      } else {
        servers[position].remove(tags, context.kind)
      }
    case .removed(let removed):
      for gone in removed { drop(gone.member.user, from: server, listing: gone.listingAfter) }
    case .invitation(let invitation, _, _, _, _):
      servers[position].invitations[InvitationKey(invitation)] = invitation
      servers[position].refusals[invitation.invitee] = nil
    case .answered(let invitation):
      servers[position].invitations[InvitationKey(invitation)] = nil
      servers[position].refusals[invitation.invitee] = .declined
    case .withdrawn(let invitations):
      for invitation in invitations { servers[position].invitations[InvitationKey(invitation)] = nil }
    case .handle(let before, let after):
      handles[before] = nil
      handles[after] = server
      servers[position].handle = after
    case .stack(_, let after?): servers[position].stack = after
    case .stack(_, nil): release(server)
    case .settings(_, let after): servers[position].settings = after
    case .serverMarks(_, let marks): servers[position].mark(marks)
    default: break
    }
  }

  // MARK: - Memberships

  private mutating func add(_ record: Record, at time: Int64) {
    let position = record.server.position
    let user = record.user
    guard isKnown(user) else { return }
    servers[position].members.set(
      Member(
        user, .user, listing: record.listingAfter, accepted: record.kind == .acceptInvitation, joinedAt: time))
    servers[position].memberCount += 1
    if !servers[position].base.absentees.isEmpty { servers[position].base.absentees[user] = nil }
    if !servers[position].invitations.isEmpty { servers[position].invitations.removeAll(of: user) }
    if !servers[position].refusals.isEmpty { servers[position].refusals[user] = nil }
    users[user.position].joined += 1
    totals.memberships += 1
  }

  /// Takes a member out; the base remembers him as `listing` has it, and the invitations he sent are withdrawn.
  private mutating func drop(_ user: UserIndex, from server: ServerIndex, listing: Listing) {
    let position = server.position
    guard let member = servers[position].members.remove(user) else { return }
    servers[position].memberCount -= 1
    if member.role == .moderator { servers[position].moderatorCount -= 1 }
    if !listing.isEmpty { servers[position].base.absentees[user] = listing }
    if !servers[position].invitations.isEmpty { servers[position].invitations.removeAll(by: user) }
    uncountJoined(user)
    totals.memberships -= 1
  }

  private mutating func assign(_ record: Record) {
    let position = record.server.position
    guard let role = record.roleAfter, var member = servers[position].members[record.user] else { return }
    servers[position].moderatorCount += (role == .moderator ? 1 : 0) - (member.role == .moderator ? 1 : 0)
    member.role = role
    member.listing = record.listingAfter
    servers[position].members.set(member)
  }

  /// One server less; what a damaged log lets go twice is found by the count, not by a trap.
  private mutating func uncountJoined(_ user: UserIndex) {
    guard isKnown(user), users[user.position].joined > 0 else { return }
    users[user.position].joined -= 1
  }

  private func isKnown(_ user: UserIndex) -> Bool { user.position < users.count }

  // MARK: - Servers

  private mutating func create(_ new: Server) {
    guard isKnown(new.owner) else { return }
    let server = ServerIndex(servers.count)
    var row = new
    row.members.set(Member(new.owner, .owner, joinedAt: new.created))
    row.memberCount = 1
    handles[new.handle] = server
    serverIDs[new.id] = server
    servers.append(row)
    users[new.owner.position].owned += 1
    totals.servers += 1
    totals.memberships += 1
  }

  /// The row stays as it was, marked; all its members, whom the run has loaded, have a server less.
  private mutating func destroy(_ server: ServerIndex) {
    let position = server.position
    let row = servers[position]
    guard !row.isDestroyed else { return }
    for member in row.members.sorted() where member.user != row.owner {
      uncountJoined(member.user)
    }
    if isKnown(row.owner), users[row.owner.position].owned > 0 { users[row.owner.position].owned -= 1 }
    handles[row.handle] = nil
    serverIDs[row.id] = nil
    servers[position].isDestroyed = true
    totals.servers -= 1
    totals.memberships -= row.memberCount
  }

  /// Out of its stack: the settings stay, base and listings are forgotten.
  private mutating func release(_ server: ServerIndex) {
    let position = server.position
    servers[position].stack = nil
    servers[position].base = ServerBase()
    for tag in servers[position].tags.indices { servers[position].tags[tag].isListed = false }
    servers[position].members.forgetListings()
  }

  // MARK: - Users

  private mutating func register(
    _ user: UserIndex, _ profile: UserProfile, _ devices: [Text], _ managed: FieldMask
  ) {
    guard isKnown(user), !users[user.position].isRegistered else { return }
    users[user.position].isRegistered = true
    users[user.position].managed = managed
    totals.users += 1
    guard !profile.isEmpty || !devices.isEmpty else { return }
    var detail = details[user] ?? UserDetail()
    detail.profile = profile
    detail.devices = devices
    details[user] = detail
  }

  private mutating func change(_ changes: [FieldChange<UserField>], of user: UserIndex, _ kind: RunKind) {
    guard isKnown(user) else { return }
    let managed = users[user.position].managed
    changeDetail(of: user) { detail in
      for change in changes {
        detail.profile[change.field] = change.after
        detail.overrides.note(change, kind, isManaged: managed.contains(FieldMask(change.field)))
      }
    }
  }

  private mutating func setDevices(_ user: UserIndex, from before: [Text], to after: [Text], _ kind: RunKind) {
    guard isKnown(user) else { return }
    let isManaged = users[user.position].managed.contains(.devices)
    changeDetail(of: user) { detail in
      detail.devices = after
      let base = detail.devicesOverride ?? before
      detail.devicesOverride = kind == .apply || !isManaged || base == after ? nil : base
    }
  }

  /// The fields named are from now on managed, and their base is what they are.
  private mutating func mark(_ user: UserIndex, _ named: FieldMask) {
    guard isKnown(user) else { return }
    users[user.position].managed.formUnion(named)
    guard details[user] != nil else { return }
    changeDetail(of: user) { detail in
      detail.overrides.removeAll { named.contains(FieldMask($0.field)) }
      if named.contains(.devices) { detail.devicesOverride = nil }
    }
  }

  /// Changes the user's detail in place; one that is left empty goes.
  private mutating func changeDetail(of user: UserIndex, _ body: (inout UserDetail) -> Void) {
    body(&details[user, default: UserDetail()])
    if details[user]?.isEmpty == true { details[user] = nil }
  }
}
