import Diagnostics

/// What the SDK has no operation for: users, handles, stacks, settings, marks and limits. None emits an event.
extension Snapshot {
  func register(
    _ user: UserIndex, _ profile: UserProfile, _ devices: [Text], managed: FieldMask, isChecked: Bool,
    _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    let actor = try administrator(request)
    guard user.position < users.count else { throw refusal(.invalidParam, .none, actor, "no user is given") }
    if !isChecked, let violation = names.withSpelling(of: user, { TextRule.userID.check($0) }) {
      throw refusal(violation, .none, user)
    }
    if users[user.position].isRegistered {
      throw refusal(.repeatedOperation, .none, user, "\(spelling(user)) is registered already")
    }
    let profile = isChecked ? profile : try checked(profile, devices, of: user)
    outcome.append(
      record(.registerUser, .none, actor: actor, user: user, request),
      .registered(profile, devices: devices, managed: managed))
  }

  /// The profile as it is stored.
  private func checked(
    _ profile: UserProfile, _ devices: [Text], of user: UserIndex
  ) throws(CircleError) -> UserProfile {
    try check(devices, of: user)
    // A value is stored as it is, or not at all.
    var unset: FieldMask = []
    try profile.list.forEach { (key, text) throws(CircleError) in
      guard let field = UserField(rawValue: key) else { return }
      if let violation = TextRule.of(field).check(text) { throw refusal(violation, .none, user) }
      if TextRule.isUnset(text, as: field) { unset.insert(FieldMask(field)) }
    }
    return unset.isEmpty ? profile : UserProfile(profile.list.without(unset))
  }

  func updateUser(
    _ user: UserIndex, _ settings: [FieldSetting<UserField>], _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    let actor = try actor(concerning: user, .none, request)
    let before = details[user]?.profile ?? UserProfile()
    var after = before
    var places = [Place](repeating: .none, count: UserField.allCases.count)
    for setting in settings {
      if !request.isAdministrative, setting.field.updateTag == nil {
        throw refusal(.noPermission, .none, actor, "only an administrator may set \(setting.field.word)")
      }
      let value = try checked(setting.value, as: setting.field, of: user)
      if !after.holds(value, setting.field) { after[setting.field] = value }
      places[Int(setting.field.rawValue)] = setting.place
    }
    guard after != before else { return }
    let changes = FieldChange.between(before, after)
    let changedPlaces = changes.map { places[Int($0.field.rawValue)] }
    outcome.append(
      record(.updateUser, .none, actor: actor, user: user, request), .profile(changes, places: changedPlaces))
  }

  func setDevices(
    _ user: UserIndex, _ devices: [Text], _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    let actor = try administrator(request)
    try requireRegistered(user, .none, actor: user)
    try check(devices, of: user)
    let before = details[user]?.devices ?? []
    guard before != devices else { return }
    outcome.append(
      record(.setDevices, .none, actor: actor, user: user, request), .devices(before: before, after: devices))
  }

  private func check(_ devices: [Text], of user: UserIndex) throws(CircleError) {
    var seen = DistinctTexts()
    for device in devices {
      if let violation = TextRule.device.check(device) { throw refusal(violation, .none, user) }
      guard seen.insert(device) else {
        throw refusal(.invalidParam, .none, user, "the device '\(device)' is given twice")
      }
    }
  }

  private func checked(
    _ value: Text?, as field: UserField, of user: UserIndex
  ) throws(CircleError) -> Text? {
    guard let value else { return nil }
    if let violation = TextRule.check(value, as: field) { throw refusal(violation, .none, user) }
    return TextRule.stored(value, as: field)
  }

  func rename(
    _ server: ServerIndex, _ handle: Text, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try administrator(on: server, request)
    let before = self.handle(of: server)
    guard before != handle else { return }
    try requireFree(handle, server, actor)
    outcome.append(
      record(.renameHandle, server, actor: actor, request), .handle(before: before, after: handle))
  }

  func adopt(
    _ server: ServerIndex, _ stack: Text, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try administrator(on: server, request)
    let before = servers[server.position].stack
    guard before != stack else { return }
    if let before {
      throw refusal(.noPermission, server, actor, "the server belongs to the stack '\(before)'; release it first")
    }
    outcome.append(
      record(.adoptServer, server, actor: actor, request), .stack(before: nil, after: stack))
  }

  func release(_ server: ServerIndex, _ request: Request, _ outcome: inout Outcome) throws(CircleError) {
    try requireServer(server, request)
    let actor = try administrator(on: server, request)
    guard let before = servers[server.position].stack else { return }
    outcome.append(
      record(.releaseServer, server, actor: actor, request), .stack(before: before, after: nil))
  }

  func setSettings(
    _ server: ServerIndex, _ settings: ServerSettings, _ clearsWelcome: Bool, _ request: Request,
    _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try administrator(on: server, request)
    let before = servers[server.position].settings
    var after = before
    if let membership = settings.membership { after.membership = membership }
    if let join = settings.join { after.join = join }
    if let protect = settings.protect { after.protect = protect }
    if let welcome = settings.welcome {
      if let violation = TextRule.welcome.check(welcome) { throw refusal(violation, server, actor) }
      after.welcome = TextRule.unlessBlank(welcome)
    } else if clearsWelcome {
      after.welcome = nil
    }
    guard before != after else { return }
    outcome.append(
      record(.setServerSettings, server, actor: actor, request), .settings(before: before, after: after))
  }

  func markServer(
    _ server: ServerIndex, _ marks: ServerMarks, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try administrator(on: server, request)
    let base = servers[server.position].base
    var news = marks
    news.listings.removeAll { user, listing in
      user.position >= users.count || listing == self.listing(of: user, in: server)
    }
    let listed = Set(marks.tags ?? [])
    let tagsStay = servers[server.position].tags.allSatisfy { $0.isListed == listed.contains($0.name) }
    let overridesStay = base.overrides.allSatisfy { marks.kept.contains(FieldMask($0.field)) }
    let lostTagsStay = base.lostTags.isEmpty || marks.kept.contains(.tags)
    if base.managed == marks.managed, overridesStay, lostTagsStay, news.listings.isEmpty, tagsStay { return }
    outcome.append(
      record(.markServer, server, actor: actor, request), .serverMarks(before: base.managed, after: news))
  }

  /// What the base has the user listed as, member or not.
  package func listing(of user: UserIndex, in server: ServerIndex) -> Listing {
    servers[server.position].members[user]?.listing ?? servers[server.position].base.absentees[user] ?? []
  }

  func markUser(
    _ user: UserIndex, _ named: FieldMask, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    let actor = try administrator(request)
    try requireRegistered(user, .none, actor: user)
    let managed = users[user.position].managed
    let detail = details[user]
    let isOverridden =
      detail?.overrides.contains { named.contains(FieldMask($0.field)) } == true
      || (named.contains(.devices) && detail?.devicesOverride != nil)
    if managed.isSuperset(of: named), !isOverridden { return }
    outcome.append(
      record(.markUser, .none, actor: actor, user: user, request), .userMarks(before: managed, after: named))
  }

  func setLimit(
    _ kind: LimitKind, _ value: Int, _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    let actor = try administrator(request)
    guard (0...Int(Int32.max)).contains(value) else {
      throw refusal(.invalidParam, .none, actor, "a limit is a number from 0 to \(Int32.max)")
    }
    let before = kind == .created ? limits.created : limits.joined
    guard before != value else { return }
    outcome.append(
      record(.setLimit, .none, actor: actor, request), .limit(kind, before: before, after: value))
  }
}
