import CircleModel
import Diagnostics

/// Reads one operation of a plan file: its record as `decide` left it, as far as a plan needs it.
struct PlanFileOperation {
  let kind: OperationKind
  let server: ServerIndex
  /// How many files the plan names.
  let files: Int

  /// - Returns: also for each change that it stands for whether it was drift.
  func read(
    _ members: inout PlanFileMembers, _ result: inout Snapshot
  ) throws(PlanFileError) -> (Record, Detail?, drift: [Bool]) {
    var record = Record(kind, server: server, actor: .none)
    record.isAdministrative = true
    record.rule = try members.word("rule") { PlanFileWord.rule($0) }
    record.place = try members.at(files: files)
    if kind.concernsUser { record.user = try result.user(try members.text("user"), members) }
    var drift = record.hasOneChange ? [try members.flag("drift")] : []
    let detail = try detail(&record, &members, &result, &drift)
    return (record, detail, drift)
  }

  private func detail(
    _ record: inout Record, _ members: inout PlanFileMembers, _ result: inout Snapshot, _ drift: inout [Bool]
  ) throws(PlanFileError) -> Detail? {
    switch kind {
    case .createServer: return try created(&record, &members, &result)
    case .updateServer:
      let (changes, places) = try fields(&members, &drift) { ServerField(word: $0) }
      return .updated(changes, places: places, attributes: ServerAttributes())
    case .updateUser:
      let (changes, places) = try fields(&members, &drift) { UserField(word: $0) }
      return .profile(changes, places: places)
    case .addTags, .removeTags: return try tags(&members, &drift)
    case .removeUsers: return try removed(&members, &result, &drift)
    case .joinServer, .addModerator, .removeModerator:
      record.listingAfter = try members.words("listed") { PlanFileWord.listing($0) }
      record.listingBefore = try members.words("wasListed") { PlanFileWord.listing($0) }
      if kind != .joinServer { record.roleBefore = kind == .addModerator ? .user : .moderator }
      return nil
    case .inviteUser: return try invited(record.user, &members)
    case .withdrawInvitation: return try withdrawn(record.user, &members, &result)
    case .registerUser:
      let profile = try profile(&members)
      return .registered(
        profile, devices: try members.texts("devices"),
        managed: try members.words("managed") { PlanFileWord.mask($0, ofUser: true) })
    case .setDevices: return .devices(before: try members.texts("before"), after: try members.texts("after"))
    case .renameHandle: return .handle(before: try members.handle("before"), after: try members.handle("after"))
    case .adoptServer: return .stack(before: nil, after: try members.text("stack"))
    case .setServerSettings:
      return .settings(before: try settings("before", &members), after: try settings("after", &members))
    case .markServer: return try marks(&members, &result)
    case .markUser:
      return .userMarks(before: [], after: try members.words("managed") { PlanFileWord.mask($0, ofUser: true) })
    default: return nil
    }
  }

  private func created(
    _ record: inout Record, _ members: inout PlanFileMembers, _ result: inout Snapshot
  ) throws(PlanFileError) -> Detail {
    let owner = try result.user(try members.text("owner"), members)
    record.user = owner
    let stack = try members.textIfAny("stack")
    let attributes = try members.object("attributes", "'attributes'") { (members) throws(PlanFileError) in
      var attributes = ServerAttributes()
      for field in ServerField.allCases { attributes[field] = try members.textIfAny(field.word) }
      return attributes
    }
    var new = Server(id: "", handle: result.handle(of: server), attributes: attributes, owner: owner, created: 0)
    new.stack = stack
    return .created(new)
  }

  private func profile(_ members: inout PlanFileMembers) throws(PlanFileError) -> UserProfile {
    try members.object("profile", "'profile'") { (members) throws(PlanFileError) in
      var profile = UserProfile()
      for field in UserField.allCases { profile[field] = try members.textIfAny(field.word) }
      return profile
    }
  }

  private func fields<Field>(
    _ members: inout PlanFileMembers, _ drift: inout [Bool], _ field: (String) -> Field?
  ) throws(PlanFileError) -> ([FieldChange<Field>], [Place]) {
    var changes: [FieldChange<Field>] = []
    var places: [Place] = []
    var drifts: [Bool] = []
    let files = files
    try members.objects("changes", "a change") { (members) throws(PlanFileError) in
      let field = try members.word("field", field)
      let before = try members.textIfAny("before")
      changes.append(FieldChange(field, before: before, after: try members.textIfAny("after")))
      places.append(try members.at(files: files))
      drifts.append(try members.flag("drift"))
    }
    drift = drifts
    return (changes, places)
  }

  private func tags(_ members: inout PlanFileMembers, _ drift: inout [Bool]) throws(PlanFileError) -> Detail {
    var tags: [Tag] = []
    var places: [Place] = []
    var drifts: [Bool] = []
    let (files, hasIDs) = (files, kind == .removeTags)
    try members.objects("tags", "a tag") { (members) throws(PlanFileError) in
      let id = hasIDs ? try members.text("id") : ""
      tags.append(Tag(id: id, name: try members.text("name")))
      places.append(try members.at(files: files))
      drifts.append(try members.flag("drift"))
    }
    drift = drifts
    return .tags(tags, places: places)
  }

  private func removed(
    _ members: inout PlanFileMembers, _ result: inout Snapshot, _ drift: inout [Bool]
  ) throws(PlanFileError) -> Detail {
    var removed: [RemovedMember] = []
    var drifts: [Bool] = []
    var snapshot = Snapshot()
    swap(&snapshot, &result)
    defer { swap(&snapshot, &result) }
    let files = files
    try members.objects("users", "a user to remove") { (members) throws(PlanFileError) in
      let user = try snapshot.user(try members.text("user"), members)
      let role = try members.word("role") { word in Role.allCases.first { $0.word == word } }
      let listing: Listing = try members.words("wasListed") { PlanFileWord.listing($0) }
      let rule = try members.word("rule") { PlanFileWord.rule($0) }
      removed.append(
        RemovedMember(
          Member(user, role, listing: listing, joinedAt: 0), rule: rule, place: try members.at(files: files),
          listingAfter: []))
      drifts.append(try members.flag("drift"))
    }
    drift = drifts
    return .removed(removed)
  }

  private func invited(_ user: UserIndex, _ members: inout PlanFileMembers) throws(PlanFileError) -> Detail {
    let invitation = Invitation(
      inviter: .none, invitee: user, welcome: try members.textIfAny("welcome"), createdAt: 0)
    let refused: Refusal? = try members.wordIfAny("refused") { word in
      switch word {
      case "declined": .declined
      case "left-after-accepting": .leftAfterAccepting
      default: nil
      }
    }
    return .invitation(invitation, replaced: nil, serverName: nil, icon: nil, refusalBefore: refused)
  }

  private func withdrawn(
    _ user: UserIndex, _ members: inout PlanFileMembers, _ result: inout Snapshot
  ) throws(PlanFileError) -> Detail {
    var invitations: [Invitation] = []
    for id in try members.texts("inviters") {
      let inviter = try result.user(id, members)
      invitations.append(Invitation(inviter: inviter, invitee: user, welcome: nil, createdAt: 0))
    }
    return .withdrawn(invitations)
  }

  private func settings(_ key: String, _ members: inout PlanFileMembers) throws(PlanFileError) -> ServerSettings {
    try members.object(key, "'\(key)'") { (members) throws(PlanFileError) in
      ServerSettings(
        membership: try members.wordIfAny("membership") { MembershipMode(word: $0) },
        join: try members.wordIfAny("join") { JoinMode(word: $0) }, welcome: try members.textIfAny("welcome"),
        protect: try members.flagIfAny("protect"))
    }
  }

  private func marks(_ members: inout PlanFileMembers, _ result: inout Snapshot) throws(PlanFileError) -> Detail {
    let managed: FieldMask = try members.words("managed") { PlanFileWord.mask($0, ofUser: false) }
    var listings: [(user: UserIndex, listing: Listing)] = []
    var snapshot = Snapshot()
    swap(&snapshot, &result)
    defer { swap(&snapshot, &result) }
    if members.has("listings") {
      try members.objects("listings", "a listing") { (members) throws(PlanFileError) in
        let user = try snapshot.user(try members.text("user"), members)
        listings.append((user, try members.words("listed") { PlanFileWord.listing($0) }))
      }
    }
    let tags = members.has("tags") ? try members.texts("tags") : nil
    return .serverMarks(before: [], after: ServerMarks(managed: managed, listings: listings, tags: tags))
  }
}

extension OperationKind {
  /// Whether an operation of a plan names one user of its own; of a created server the owner is told.
  fileprivate var concernsUser: Bool {
    switch self {
    case .inviteUser, .joinServer, .addModerator, .removeModerator, .registerUser, .updateUser, .setDevices, .markUser,
      .withdrawInvitation:
      true
    default: false
    }
  }
}
