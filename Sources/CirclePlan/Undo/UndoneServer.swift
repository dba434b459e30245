import CircleModel

/// One server that a run touched, and the steps that take it back.
struct UndoneServer {
  /// What becomes of the server itself.
  enum Fate {
    case stays
    /// The run created it.
    case goes
    /// The run destroyed it.
    case comes
  }

  var fate = Fate.stays
  /// As before the run, and as after it.
  let before: Server
  let after: Server
  /// In the plan's result; `.none` until one that comes is created.
  var server: ServerIndex
  /// As it is now; of one that comes, as it was.
  var handleNow: Text
  /// As it will be.
  var handle: Text
  var withdrawals: [Invitation] = []
  var removals: [(user: UserIndex, role: Role)] = []
  var demotions: [UserIndex] = []
  var removedTags: [Tag] = []
  /// The stack that it belonged to; nil where that does not change.
  var adoption: Text?
  var isReleased = false
  var attributes: [FieldChange<ServerField>] = []
  var settings = ServerSettings()
  var clearsWelcome = false
  var addedTags: [Text] = []
  var joins: [UserIndex] = []
  var invitations: [Invitation] = []
  var promotions: [UserIndex] = []
  /// Why nothing can be in it: the refusal of its creation.
  var blockedCreate: Int32?
  var blockedJoins: [UserIndex: Int32] = [:]

  private init(_ fate: Fate, before: Server, after: Server, server: ServerIndex, handleNow: Text) {
    self.fate = fate
    self.before = before
    self.after = after
    self.server = server
    self.handleNow = handleNow
    handle = handleNow
  }
}

extension UndoneServer {
  /// One that is to be destroyed.
  static func going(_ server: ServerIndex, after: Server, handle: Text) -> UndoneServer {
    UndoneServer(.goes, before: after, after: after, server: server, handleNow: handle)
  }

  /// One that is to be created again, with all that was in it.
  static func coming(_ before: Server, by names: UserNames) -> UndoneServer {
    var undone = UndoneServer(.comes, before: before, after: before, server: .none, handleNow: before.handle)
    undone.settings = before.settings
    undone.addedTags = before.tags.map(\.name)
    for member in before.members.sorted() where member.role != .owner {
      undone.joins.append(member.user)
      if member.role == .moderator { undone.promotions.append(member.user) }
    }
    undone.invitations = before.invitations.map(\.value)
    undone.sort(by: names)
    return undone
  }

  /// One that stays.
  ///
  /// - Parameters:
  ///   - now: at `server` of the state.
  ///   - note: takes what is stale.
  static func staying(
    _ before: Server, _ after: Server, _ now: Server, at server: ServerIndex, by names: UserNames,
    note: (String) -> Void
  ) -> UndoneServer {
    var undone = UndoneServer(.stays, before: before, after: after, server: server, handleNow: now.handle)
    undone.compareHandle(now, note)
    undone.compareAttributes(now, note)
    undone.compareSettings(now, note)
    undone.compareTags(now, note)
    undone.compareMembers(now, names, note)
    undone.compareInvitations(now, names, note)
    undone.sort(by: names)
    return undone
  }

  private mutating func sort(by names: UserNames) {
    withdrawals.sort { names.precedes($0, $1) }
    removals.sort { names.precedes($0.user, $1.user) }
    demotions.sort { names.precedes($0, $1) }
    joins.sort { names.precedes($0, $1) }
    promotions.sort { names.precedes($0, $1) }
    invitations.sort { names.precedes($0, $1) }
  }

  // MARK: The server itself

  private mutating func compareHandle(_ now: Server, _ note: (String) -> Void) {
    switch UndoneValue(before: before.handle, after: after.handle, now: now.handle) {
    case .nothing: break
    case .back: handle = before.handle
    case .stale: note("the server '\(after.handle)' is called '\(now.handle)' now")
    }
    switch UndoneValue(before: before.stack, after: after.stack, now: now.stack) {
    case .nothing: break
    case .back:
      adoption = before.stack
      isReleased = after.stack != nil
    case .stale:
      note("'\(now.handle)' belongs to \(now.stack.map { "the stack '\($0)'" } ?? "no stack") now")
    }
  }

  private mutating func compareAttributes(_ now: Server, _ note: (String) -> Void) {
    for field in ServerField.allCases {
      let current = now.attributes[field]
      switch UndoneValue(before: before.attributes[field], after: after.attributes[field], now: current) {
      case .nothing: break
      case .back: attributes.append(FieldChange(field, before: current, after: before.attributes[field]))
      case .stale: note("'\(field.word)' of '\(now.handle)' has changed")
      }
    }
  }

  /// A setting that no apply had given before can't be unset again; it becomes its default.
  private mutating func compareSettings(_ now: Server, _ note: (String) -> Void) {
    func back<Value: Equatable>(
      _ setting: ServerSetting, _ value: KeyPath<ServerSettings, Value?>, _ standard: Value?
    ) -> Value? {
      let (old, new) = (before.settings[keyPath: value], after.settings[keyPath: value])
      guard old != new else { return nil }
      let wanted = old ?? standard
      switch UndoneValue(before: wanted, after: new, now: now.settings[keyPath: value]) {
      case .nothing: return nil
      case .back: return wanted
      case .stale:
        note("the setting '\(setting.word)' of '\(now.handle)' has changed")
        return nil
      }
    }
    settings.membership = back(.membership, \.membership, .managed)
    settings.join = back(.join, \.join, before.type == .private ? .invite : .direct)
    settings.protect = back(.protect, \.protect, false)
    switch UndoneValue(before: before.settings.welcome, after: after.settings.welcome, now: now.settings.welcome) {
    case .nothing: break
    case .back:
      settings.welcome = before.settings.welcome
      clearsWelcome = before.settings.welcome == nil
    case .stale: note("the setting 'welcome' of '\(now.handle)' has changed")
    }
  }

  private mutating func compareTags(_ now: Server, _ note: (String) -> Void) {
    func tag(_ name: Text, _ server: Server) -> Tag? { server.tags.first { $0.name == name } }
    for old in before.tags where tag(old.name, after) == nil && tag(old.name, now) == nil {
      addedTags.append(old.name)
    }
    for new in after.tags where tag(new.name, before) == nil {
      guard let current = tag(new.name, now) else { continue }
      if current.id == new.id {
        removedTags.append(current)
      } else {
        note("the tag '\(new.name)' of '\(now.handle)' was removed and added again")
      }
    }
  }

  // MARK: Who is in it

  private mutating func compareMembers(_ now: Server, _ names: UserNames, _ note: (String) -> Void) {
    var users: [UserIndex] = []
    for member in before.members.sorted() where after.members[member.user]?.role != member.role {
      users.append(member.user)
    }
    for member in after.members.sorted() where before.members[member.user] == nil { users.append(member.user) }
    for user in users {
      let (old, new, current) = (before.members[user], after.members[user], now.members[user])
      if old?.role == current?.role { continue }
      // One who left and came back is there by a later decision.
      guard new?.role == current?.role, new?.joinedAt == current?.joinedAt else {
        note("'\(names[user])' is \(Self.word(current?.role)) of '\(now.handle)' since another run")
        continue
      }
      takeBack(user, from: current?.role, to: old?.role)
    }
  }

  private static func word(_ role: Role?) -> String {
    switch role {
    case .owner: "the owner"
    case .moderator: "a moderator"
    case .user: "a member"
    case nil: "no member"
    }
  }

  private mutating func takeBack(_ user: UserIndex, from now: Role?, to old: Role?) {
    switch (now, old) {
    case (let role?, nil): removals.append((user, role))
    case (.moderator?, .user?): demotions.append(user)
    case (.user?, .moderator?): promotions.append(user)
    case (nil, let role?):
      joins.append(user)
      if role == .moderator { promotions.append(user) }
    default: break
    }
  }

  private mutating func compareInvitations(_ now: Server, _ names: UserNames, _ note: (String) -> Void) {
    let leaving = Set(removals.map(\.user))
    for old in before.invitations.sorted(by: names) where after.invitations[InvitationKey(old)] != old {
      let key = InvitationKey(old)
      let current = now.invitations[key]
      // Who has become a member since needs no invitation.
      let isMember = now.members[key.invitee] != nil && !leaving.contains(key.invitee)
      if current == old || isMember { continue }
      if current == after.invitations[key] {
        invitations.append(old)
      } else {
        note("'\(names[key.invitee])' has been invited to '\(now.handle)' again")
      }
    }
    for new in after.invitations.sorted(by: names) where before.invitations[InvitationKey(new)] == nil {
      let key = InvitationKey(new)
      guard let current = now.invitations[key] else { continue }
      if current == new {
        withdrawals.append(new)
      } else {
        note("'\(names[key.invitee])' has been invited to '\(now.handle)' again")
      }
    }
  }
}

extension UserNames {
  /// By invitee, then by inviter.
  fileprivate func precedes(_ left: Invitation, _ right: Invitation) -> Bool {
    left.invitee == right.invitee
      ? precedes(left.inviter, right.inviter) : precedes(left.invitee, right.invitee)
  }
}

extension Invitations {
  fileprivate func sorted(by names: UserNames) -> [Invitation] {
    map(\.value).sorted { names.precedes($0, $1) }
  }
}
