import Diagnostics

/// Creating, changing and destroying servers, and their tags.
extension Snapshot {
  func create(
    _ new: NewServer, _ request: Request, _ context: inout RunContext, _ outcome: inout Outcome
  ) throws(CircleError) {
    do {
      let server = try newServer(new, request, &context)
      var record = record(
        .createServer, ServerIndex(servers.count), actor: new.owner, user: new.owner, request)
      record.roleAfter = .owner
      outcome.append(record, .created(server))
    } catch {
      var refusal = error
      refusal.server = new.handle
      throw refusal
    }
  }

  private func newServer(
    _ new: NewServer, _ request: Request, _ context: inout RunContext
  ) throws(CircleError) -> Server {
    let owner = try actor(concerning: new.owner, .none, request)
    if new.stack != nil, !request.isAdministrative {
      throw refusal(.noPermission, .none, owner, "only an administrator may put a server into a stack")
    }
    var attributes = ServerAttributes()
    for field in ServerField.allCases {
      attributes[field] = try checked(new.attributes[field], as: field, .none, owner)
    }
    guard let name = attributes[.name] else {
      throw refusal(.invalidParam, .none, owner, "a server needs a name")
    }
    if users[owner.position].owned >= limits.created {
      let servers = limits.created == 1 ? "server" : "servers"
      throw refusal(
        .reachLimit, .none, owner, "\(spelling(owner)) owns \(limits.created) \(servers), the limit, already")
    }
    let handle = try freeHandle(new.handle, for: name, owner, &context.freeHandles)
    var id = context.ids.next()
    while serverIDs[id] != nil { id = context.ids.next() }
    var server = Server(id: id, handle: handle, attributes: attributes, owner: owner, created: request.time)
    server.stack = new.stack
    return server
  }

  private func freeHandle(
    _ given: Text?, for name: Text, _ owner: UserIndex, _ free: inout FreeHandles
  ) throws(CircleError) -> Text {
    guard let given else { return free.handle(for: name) { handles[$0] != nil } }
    try requireFree(given, .none, owner)
    return given
  }

  func requireFree(_ handle: Text, _ server: ServerIndex, _ actor: UserIndex) throws(CircleError) {
    if let violation = TextRule.handle.check(handle) { throw refusal(violation, server, actor) }
    guard handles[handle] == nil else {
      throw refusal(.handleTaken, server, actor, "the handle '\(handle)' is taken")
    }
  }

  /// The value as it is stored, if it keeps its rule.
  private func checked(
    _ value: Text?, as field: ServerField, _ server: ServerIndex, _ actor: UserIndex
  ) throws(CircleError) -> Text? {
    guard let value else { return nil }
    if let violation = TextRule.check(value, as: field) { throw refusal(violation, server, actor) }
    return TextRule.stored(value, as: field)
  }

  func update(
    _ server: ServerIndex, _ settings: [FieldSetting<ServerField>], _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    try requireRole(actor, in: server, moderatorsToo: true)
    let before = servers[server.position].attributes
    var after = before
    var places = [Place](repeating: .none, count: ServerField.allCases.count)
    for setting in settings {
      let value = try checked(setting.value, as: setting.field, server, actor)
      if setting.field == .name, value == nil {
        throw refusal(.invalidParam, server, actor, "the name can't be cleared")
      }
      after[setting.field] = value
      places[Int(setting.field.rawValue)] = setting.place
    }
    let changes = FieldChange.between(before, after)
    guard !changes.isEmpty else { return }
    var record = record(.updateServer, server, actor: actor, request)
    record.audience = othersCount(in: server)
    let changedPlaces = changes.map { places[Int($0.field.rawValue)] }
    outcome.append(record, .updated(changes, places: changedPlaces, attributes: after))
  }

  func destroy(_ server: ServerIndex, _ request: Request, _ outcome: inout Outcome) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    try requireRole(actor, in: server, moderatorsToo: false)
    if servers[server.position].settings.protect == true {
      throw refusal(.protected, server, actor, "the server is protected; set protect to false first")
    }
    var record = record(.destroyServer, server, actor: actor, request)
    record.audience = othersCount(in: server)
    outcome.append(record)
  }

  func addTags(
    _ server: ServerIndex, _ names: [Given<Text>], _ request: Request, _ ids: inout IDSource,
    _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    try requireRole(actor, in: server, moderatorsToo: true)
    guard !names.isEmpty else { throw refusal(.invalidParam, server, actor, "no tag is given") }
    let present = servers[server.position].tags
    var known = DistinctTexts(present.lazy.map(\.name), more: names.count)
    var added: [Given<Text>] = []
    added.reserveCapacity(names.count)
    for name in names {
      if let violation = TextRule.tag.check(name.value) { throw refusal(violation, server, actor) }
      if known.insert(name.value) { added.append(name) }
    }
    guard !added.isEmpty else { return }
    guard known.count <= Limits.tagsAServer else {
      throw refusal(
        .reachLimit, server, actor, "the server would have \(known.count) tags, more than \(Limits.tagsAServer)")
    }
    let lost = servers[server.position].base.lostTags
    var tags: [Tag] = []
    tags.reserveCapacity(added.count)
    for name in added {
      var id = ids.next()
      while present.contains(where: { $0.id == id }) || tags.contains(where: { $0.id == id }) { id = ids.next() }
      tags.append(Tag(id: id, name: name.value, isListed: lost.contains(name.value)))
    }
    outcome.append(
      record(.addTags, server, actor: actor, request), .tags(tags, places: added.map(\.place)))
  }

  func removeTags(
    _ server: ServerIndex, _ tagIDs: [Text], _ request: Request, _ outcome: inout Outcome
  ) throws(CircleError) {
    try requireServer(server, request)
    let actor = try actor(on: server, request)
    try requireRole(actor, in: server, moderatorsToo: true)
    guard !tagIDs.isEmpty else { throw refusal(.invalidParam, server, actor, "no tag is given") }
    guard tagIDs.count <= Limits.tagsARemoveCall else {
      throw refusal(
        .queryParamReachesLimit, server, actor,
        "\(tagIDs.count) tags in one call are more than \(Limits.tagsARemoveCall)")
    }
    let present = servers[server.position].tags
    var removed: [Tag] = []
    for id in tagIDs {
      guard let tag = present.first(where: { $0.id == id }) else {
        throw refusal(.notFound, server, actor, "the server has no tag '\(id)'")
      }
      if !removed.contains(tag) { removed.append(tag) }
    }
    let places = [Place](repeating: request.origin.place, count: removed.count)
    outcome.append(record(.removeTags, server, actor: actor, request), .tags(removed, places: places))
  }
}

extension FieldChange where Field: RawRepresentable & CaseIterable, Field.RawValue == UInt8 {
  /// What differs, in the order of the fields' raw values.
  static func between(_ before: FieldValues<Field>, _ after: FieldValues<Field>) -> [FieldChange] {
    Field.allCases.compactMap { field in
      before[field] == after[field] ? nil : FieldChange(field, before: before[field], after: after[field])
    }
  }
}
