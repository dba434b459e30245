import CircleModel
import Diagnostics
import YAMLEvents

/// What `defaults.server` of one file gives.
struct FileDefaults {
  var server = DesiredServer(handle: "", at: .none)
  var lists = ServerLists()
  var keys = SeenKeys()
}

/// The groups in the lists of a server.
struct ServerLists {
  var moderators: [GroupUse] = []
  var members: [GroupUse] = []
  var absent: [GroupUse] = []
}

extension ManifestDecoder {
  mutating func decodeServers() throws(YAMLFault) {
    guard try isMapping("'servers'") else { return }
    let first = draft.servers.count
    try eachEntry { (decoder, isMerged) throws(YAMLFault) in
      decoder.draft.entries += 1
      let handle = decoder.source.withText { Text($0) }
      let (place, end) = (decoder.source.place, decoder.source.end)
      let known = decoder.draft.handles[handle]
      if isMerged, let known, known >= first { return try decoder.skipNext() }
      let violation = TextRule.handle.check(handle)
      if let violation {
        decoder.report(
          .invalidText, "'\(excerpt(handle.string))' is no handle: \(violation.reason)", at: place, end: end)
      } else if let known {
        decoder.report(
          .duplicateHandle, "the server '\(handle)' is given twice", at: place, end: end,
          notes: [Diagnostic.Note("first given here", at: decoder.draft.servers[known].place)])
      }
      try decoder.source.advance()
      decoder.owner = .server(handle)
      var server = DesiredServer(handle: handle, at: place)
      var lists = ServerLists()
      var seen = SeenKeys()
      try decoder.decodeServer(into: &server, &lists, &seen)
      decoder.owner = .file
      if violation == nil, known == nil { decoder.add(server, lists, seen) }
    }
  }

  private mutating func add(_ server: DesiredServer, _ lists: ServerLists, _ seen: SeenKeys) {
    let index = draft.servers.count
    draft.handles[server.handle] = index
    draft.servers.append(server)
    serverKeys.append(seen)
    draft.add(lists.moderators, to: .moderators, of: index)
    draft.add(lists.members, to: .members, of: index)
    draft.add(lists.absent, to: .absent, of: index)
  }

  private mutating func decodeServer(
    into server: inout DesiredServer, _ lists: inout ServerLists, _ seen: inout SeenKeys
  ) throws(YAMLFault) {
    guard try isMapping("the entry") else { return }
    try eachKey(ServerKey.self, &seen) { (decoder, key, keyPlace) throws(YAMLFault) in
      try decoder.decodeValue(of: key, at: keyPlace, into: &server, &lists)
    }
    server.attributes.sort { $0.field.rawValue < $1.field.rawValue }
  }

  mutating func decodeDefaults() throws(YAMLFault) {
    owner = .defaults
    defer { owner = .file }
    guard try isMapping("the value") else { return }
    var seen = SeenKeys()
    var given = defaults
    try eachKey(DefaultsKey.self, &seen) { (decoder, _, _) throws(YAMLFault) in
      guard try decoder.isMapping("'server'") else { return }
      try decoder.eachKey(ServerKey.self, &given.keys) { (decoder, key, keyPlace) throws(YAMLFault) in
        guard key.isDefault else {
          decoder.report(
            .unknownKey, "'\(key.word)' can't be given by defaults", at: keyPlace,
            help:
              "known here: \(ServerKey.allCases.filter(\.isDefault).map(\.word.description).joined(separator: ", "))")
          return try decoder.source.skip()
        }
        try decoder.decodeValue(of: key, at: keyPlace, into: &given.server, &given.lists)
      }
    }
    given.server.attributes.sort { $0.field.rawValue < $1.field.rawValue }
    defaults = given
  }

  private mutating func decodeValue(
    of key: ServerKey, at keyPlace: Place, into server: inout DesiredServer, _ lists: inout ServerLists
  ) throws(YAMLFault) {
    let place = source.place
    switch key {
    case .name, .type, .icon, .background, .desc, .ext:
      try decodeAttribute(key, into: &server)
    case .owner:
      if let user = try decodeOwner() { server.owner = Given(user, at: place) }
    case .tags:
      if let tags = try decodeTexts(key.word, .tag, maximum: Limits.tagsAServer) {
        server.tags = Given(tags, at: keyPlace)
      }
    case .moderators:
      if let list = try decodeUserList("'moderators'") {
        server.moderators = Given(list.users, at: keyPlace)
        lists.moderators = list.groups
      }
    case .members:
      if let list = try decodeUserList("'members'") {
        server.members = Given(list.users, at: keyPlace)
        lists.members = list.groups
      }
    case .absent:
      if let list = try decodeUserList("'absent'") {
        server.absent = list.users
        lists.absent = list.groups
      }
    case .membership, .join, .welcome, .protect:
      try decodeSetting(key, at: place, into: &server)
    case .renamedFrom:
      server.renamedFrom = try decodeEarlierHandles()
    case .serverID:
      if case .text(let id) = try decodeRequired(key, .serverID) { server.serverID = Given(id, at: place) }
    }
  }

  private mutating func decodeAttribute(_ key: ServerKey, into server: inout DesiredServer) throws(YAMLFault) {
    guard let field = ServerField(rawValue: key.rawValue) else { return }
    let place = source.place
    let text: DecodedText
    switch field {
    case .name: text = try decodeRequired(key, .of(field))
    case .type:
      if isNull {
        reportNull("'type'")
        return
      }
      let type = try decodeWord(key.word, among: ServerType.allCases.map(\.word)) { ServerType(word: $0) }
      text = type.map { .text(Text($0.word)) } ?? .invalid
    case .ext: text = try decodeExt(key.word, .of(field))
    case .icon, .background, .desc: text = try decodeText(key.word, .of(field))
    }
    switch text {
    case .text(let value): server.attributes.append(DesiredField(field, value, at: place))
    case .cleared: server.attributes.append(DesiredField(field, nil, at: place))
    case .invalid:
      // A name that is wrong is not one that is missing too.
      if field == .name { server.attributes.append(DesiredField(field, nil, at: place)) }
    }
  }

  /// Reads text that can't be cleared.
  private mutating func decodeRequired(_ key: ServerKey, _ rule: TextRule) throws(YAMLFault) -> DecodedText {
    if isNull {
      reportNull("'\(key.word)'")
      return .invalid
    }
    return try decodeText(key.word, rule)
  }

  private mutating func decodeOwner() throws(YAMLFault) -> UserIndex? {
    guard source.kind == .scalar else {
      reportWrongType("'owner'", "one user")
      try source.skip()
      return nil
    }
    if isNull {
      reportNull("'owner'")
      return nil
    }
    if let user = internUser() { return user }
    reportInvalidUser()
    return nil
  }

  private mutating func decodeSetting(
    _ key: ServerKey, at place: Place, into server: inout DesiredServer
  ) throws(YAMLFault) {
    switch key {
    case .membership:
      let mode = try decodeWord(key.word, among: MembershipMode.allCases.map(\.word)) { MembershipMode(word: $0) }
      server.membership = mode.map { Given($0, at: place) }
    case .join:
      let mode = try decodeWord(key.word, among: JoinMode.allCases.map(\.word)) { JoinMode(word: $0) }
      server.join = mode.map { Given($0, at: place) }
    case .welcome:
      switch try decodeText(key.word, .welcome) {
      case .text(let text): server.welcome = Given(text, at: place)
      case .cleared: server.welcome = Given(nil, at: place)
      case .invalid: break
      }
    default:
      server.protect = try decodeBoolean(key.word).map { Given($0, at: place) }
    }
  }

  private mutating func decodeEarlierHandles() throws(YAMLFault) -> [Given<Text>] {
    if source.kind == .sequenceStart { return try decodeTexts(ServerKey.renamedFrom.word, .handle) ?? [] }
    let place = source.place
    guard case .text(let handle) = try decodeRequired(.renamedFrom, .handle) else { return [] }
    return [Given(handle, at: place)]
  }

  // MARK: Defaults

  /// Gives this file's servers what they leave out and the file's defaults give.
  mutating func fillDefaults() {
    for index in firstServer..<draft.servers.count {
      let seen = serverKeys[index - firstServer]
      for attribute in defaults.server.attributes {
        guard let key = ServerKey(rawValue: attribute.field.rawValue), !seen.contains(key) else { continue }
        let attributes = draft.servers[index].attributes
        let position = attributes.firstIndex { $0.field.rawValue > attribute.field.rawValue } ?? attributes.count
        draft.servers[index].attributes.insert(attribute, at: position)
      }
      if !seen.contains(ServerKey.owner) { draft.servers[index].owner = defaults.server.owner }
      if !seen.contains(ServerKey.membership) { draft.servers[index].membership = defaults.server.membership }
      if !seen.contains(ServerKey.join) { draft.servers[index].join = defaults.server.join }
      if !seen.contains(ServerKey.welcome) { draft.servers[index].welcome = defaults.server.welcome }
      if !seen.contains(ServerKey.protect) { draft.servers[index].protect = defaults.server.protect }
      if !seen.contains(ServerKey.absent) {
        draft.servers[index].absent = defaults.server.absent
        draft.add(defaults.lists.absent, to: .absent, of: index)
      }
    }
  }
}

extension ManifestDraft {
  mutating func add(_ groups: [GroupUse], to list: ServerList, of server: Int) {
    if !groups.isEmpty { pendingLists.append(PendingList(server: server, list: list, groups: groups)) }
  }
}
