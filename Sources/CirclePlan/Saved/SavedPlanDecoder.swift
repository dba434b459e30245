import CircleModel
package import Diagnostics
import Digest
import JSONText

extension SavedPlan {
  /// Whether a file is a plan and no manifest: an object whose first key is `circlectlPlan`.
  ///
  /// - Parameter start: the first bytes of the file, 256 of them are plenty.
  package static func isPlan(_ start: some Collection<UInt8>) -> Bool {
    var rest = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
    func skipBlanks() { while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { rest.removeFirst() } }
    skipBlanks()
    guard rest.first == UInt8(ascii: "{") else { return false }
    rest.removeFirst()
    skipBlanks()
    return rest.starts(with: Array("\"circlectlPlan\"".utf8))
  }

  /// Reads a plan file; nothing in it is trusted.
  ///
  /// - Parameters:
  ///   - file: by which faults name it.
  ///   - path: its path for sentences.
  package init(reading bytes: [UInt8], file: FileIndex, path: String) throws(PlanFileError) {
    var decoder = SavedPlanDecoder(file: file)
    try decoder.read(bytes)
    self = decoder.saved
    guard digest == decoder.digest else {
      throw PlanFileFault.digest.error(
        "the plan '\(path)' was changed after it was saved: its digest does not fit",
        at: Place(file: file, line: 1, column: 1),
        help: "'circlectl diff --save' makes a new one")
    }
    knownDigest = decoder.digest
  }
}

/// Makes a plan of the members of a plan file.
struct SavedPlanDecoder {
  private let file: FileIndex
  private(set) var saved: SavedPlan
  private(set) var digest: SHA256.Digest?
  /// By id, and by handle for those that the plan creates.
  private var servers: [Text: ServerIndex] = [:]
  private var newServers: [Text: ServerIndex] = [:]
  /// The unmanaged changes come after all others.
  private var unmanaged: [ServerIndex] = []
  private var position = 0

  /// In their order.
  private static let keys = [
    "circlectlPlan", "stack", "options", "files", "servers", "operations", "notes", "unmanaged", "leftOut", "digest",
  ]

  init(file: FileIndex) {
    self.file = file
    let context = RunContext(kind: .apply, time: 0, ids: IDSource(seed: [], nextSeq: 0))
    saved = SavedPlan(plan: Plan(stack: "default", context: context, result: Snapshot()), options: PlanOptions())
  }

  mutating func read(_ bytes: [UInt8]) throws(PlanFileError) {
    var reader = JSONMemberReader(bytes, lists: ["servers", "operations", "notes"])
    while let step = try Self.next(&reader, file) {
      let place = Place(file: file, line: reader.line, column: reader.column)
      switch step {
      case .member: try member(reader.key, reader.value, at: place)
      case .element:
        guard let value = reader.value else { continue }
        try element(reader.key, value, at: place)
      }
    }
    guard position == Self.keys.count else {
      throw PlanFileFault.content.error(
        "the plan has no '\(Self.keys[position])'", at: Place(file: file, line: reader.line, column: reader.column))
    }
    for server in unmanaged { addUnmanaged(server) }
  }

  private static func next(
    _ reader: inout JSONMemberReader, _ file: FileIndex
  ) throws(PlanFileError) -> JSONMemberReader.Step? {
    do throws(JSONFault) {
      return try reader.next()
    } catch {
      throw PlanFileFault.syntax.error(error.sentence, at: Place(file: file, line: error.line, column: error.column))
    }
  }

  // MARK: Members

  private mutating func member(_ key: String, _ node: JSONNode?, at place: Place) throws(PlanFileError) {
    guard position < Self.keys.count, Self.keys[position].utf8.elementsEqual(key.utf8) else {
      let wanted = position < Self.keys.count ? "'\(Self.keys[position])' has to stand" : "the plan has to end"
      throw PlanFileFault.content.error("\(wanted) here, not '\(key)'", at: place)
    }
    position += 1
    guard let node else { return }
    func wrong(_ wanted: String) -> PlanFileError {
      PlanFileFault.content.error("'\(key)' of the plan is no \(wanted)", at: place)
    }
    switch key {
    case "circlectlPlan": try version(node, at: place)
    case "stack":
      guard let stack = node.string, 1...64 ~= stack.utf8.count else { throw wrong("name of a stack") }
      saved.plan.stack = Text(stack)
      saved.options.stack = saved.plan.stack
    case "options": try options(node, at: place)
    case "files":
      guard let paths = PlanFileMembers.texts(node), paths.count < 0xF_FFFE else { throw wrong("list of paths") }
      saved.paths = paths.map(\.string)
    case "unmanaged": try unmanaged(node, at: place)
    case "leftOut":
      var members = try PlanFileMembers(node, at: place, "'leftOut'")
      saved.plan.counts.leftOut = try members.number("changes")
      saved.plan.counts.dependent = try members.number("dependent")
      try members.finish()
    case "digest":
      guard let found = node.string.flatMap({ SHA256.Digest(hex: $0) }) else { throw wrong("digest") }
      digest = found
    default: throw wrong("list")
    }
  }

  private func version(_ node: JSONNode, at place: Place) throws(PlanFileError) {
    guard let version = node.integer, version >= 1 else {
      throw PlanFileFault.version.error("the version of the plan is no number from 1", at: place)
    }
    guard version <= SavedPlan.version else {
      throw PlanFileFault.version.error(
        "the plan has version \(version), and this version of circlectl knows none after \(SavedPlan.version)",
        at: place, help: "a later version of circlectl reads it")
    }
  }

  private mutating func options(_ node: JSONNode, at place: Place) throws(PlanFileError) {
    var members = try PlanFileMembers(node, at: place, "'options'")
    saved.options.maxRemovals = try members.word("maxRemovals") { MaxRemovals($0) }
    for text in try members.textsIfAny("allow") {
      do throws(GuardAllowance.Malformed) {
        saved.options.allow.append(try GuardAllowance(parsing: text.string))
      } catch {
        throw members.fault("'allow' of 'options': \(error.message)")
      }
    }
    saved.options.reason = try members.textIfAny("reason")
    saved.options.prune = try members.flag("prune")
    saved.options.register = try members.flag("register")
    saved.options.selection.only = try selectors("only", &members)
    saved.options.selection.exclude = try selectors("exclude", &members)
    try members.finish()
  }

  private func selectors(_ key: String, _ members: inout PlanFileMembers) throws(PlanFileError) -> [Selector] {
    var selectors: [Selector] = []
    for text in try members.textsIfAny(key) {
      do throws(Selector.Malformed) {
        selectors.append(try Selector(parsing: text.string))
      } catch {
        throw members.fault("'\(key)' of 'options': \(error.message)")
      }
    }
    return selectors
  }

  private mutating func unmanaged(_ node: JSONNode, at place: Place) throws(PlanFileError) {
    var members = try PlanFileMembers(node, at: place, "'unmanaged'")
    for id in try members.texts("servers") {
      guard let server = servers[id] else { throw members.fault("'unmanaged' names a server that 'servers' does not") }
      unmanaged.append(server)
    }
    saved.plan.counts.unmanagedUsers = try members.number("users")
    saved.plan.counts.unmanagedMembers = try members.number("members")
    try members.finish()
  }

  private mutating func addUnmanaged(_ server: ServerIndex) {
    var change = Change(.update, .server, .unmanaged, server: server, at: .none)
    let handle = saved.plan.result.handle(of: server)
    change.text = Int32(truncatingIfNeeded: saved.plan.texts.count)
    saved.plan.texts.append(ChangeText(before: handle, after: handle))
    saved.plan.counts.unmanaged += 1
    saved.plan.changes.append(change)
  }

  // MARK: Elements of the long lists

  private mutating func element(_ key: String, _ node: JSONNode, at place: Place) throws(PlanFileError) {
    switch key {
    case "servers": try server(node, at: place)
    case "operations": try operation(node, at: place)
    default: try note(node, at: place)
    }
  }

  private mutating func server(_ node: JSONNode, at place: Place) throws(PlanFileError) {
    var members = try PlanFileMembers(node, at: place, "a server")
    let id = try members.text("id")
    guard TextRule.serverID.check(id) == nil, servers[id] == nil else {
      throw members.fault("'id' of a server is none, or another server has it")
    }
    let handle = try members.handle("handle")
    var attributes = ServerAttributes()
    attributes[.name] = try members.textIfAny("name")
    let owner = try user(ifAny: "owner", &members)
    var row = Server(id: id, handle: handle, attributes: attributes, owner: owner, created: 0)
    row.memberCount = try members.number("members")
    row.moderatorCount = try members.number("moderators")
    var facts = SavedPlan.ServerFacts()
    facts.stack = try members.textIfAny("stack")
    row.stack = facts.stack
    facts.members = row.memberCount
    facts.moderators = row.moderatorCount
    facts.tags = try members.textsIfAny("tags")
    for word in try members.textsIfAny("overridden") {
      guard let field = ServerField(word: word.string) else { throw members.fault("'\(word)' is no attribute") }
      facts.overridden.append(field)
    }
    facts.lostTags = try members.textsIfAny("lostTags")
    facts.content = try members.digestIfAny("content")
    try members.finish()
    let index = ServerIndex(saved.plan.result.servers.count)
    servers[id] = index
    saved.facts[index] = facts
    saved.plan.result.serverIDs[id] = index
    saved.plan.result.servers.append(row)
  }

  private mutating func operation(_ node: JSONNode, at place: Place) throws(PlanFileError) {
    guard saved.plan.outcome.records.count < Int(Int32.max) else {
      throw PlanFileFault.content.error("the plan has too many operations", at: place)
    }
    var members = try PlanFileMembers(node, at: place, "an operation")
    let kind = try members.word("op") { PlanFileWord.operation($0) }
    if kind == .createServer { try addNewServer(&members) }
    let server = try reference(&members)
    guard kind.concernsServer == (server != .none) else {
      throw members.fault("'\(PlanFileWord.of(kind))' \(server == .none ? "names no server" : "concerns no server")")
    }
    let reader = PlanFileOperation(kind: kind, server: server, files: saved.paths.count)
    let (record, detail, drift) = try reader.read(&members, &saved.plan.result)
    try members.finish()
    saved.plan.outcome.append(record, detail)
    saved.plan.count(record, detail)
    saved.plan.addChanges(of: saved.plan.outcome.records.count - 1) { $0 < drift.count && drift[$0] }
  }

  /// A server that the plan creates: it is known by its handle.
  private mutating func addNewServer(_ members: inout PlanFileMembers) throws(PlanFileError) {
    var copy = members
    let handle = try copy.handle("newServer")
    guard newServers[handle] == nil else { throw members.fault("the server '\(handle)' is created twice") }
    let index = ServerIndex(saved.plan.result.servers.count)
    newServers[handle] = index
    saved.plan.result.servers.append(
      Server(id: "", handle: handle, attributes: ServerAttributes(), owner: .none, created: 0))
  }

  private mutating func note(_ node: JSONNode, at place: Place) throws(PlanFileError) {
    var members = try PlanFileMembers(node, at: place, "a note")
    let kind: PlanNote.Kind
    switch try members.text("note").string {
    case "adoption": kind = .adoption
    case "not-pruned": kind = .notPruned
    case "declined": kind = .notInvitedAgain(.declined)
    case "left-after-accepting": kind = .notInvitedAgain(.leftAfterAccepting)
    case "setting":
      guard let setting = ServerSetting(rawValue: try members.text("setting").string) else {
        throw members.fault("'setting' is no setting of a server")
      }
      kind = .setting(setting, before: try members.textIfAny("before"), after: try members.textIfAny("after"))
    case "looks-renamed":
      guard let from = servers[try members.text("from")] else { throw members.fault("'from' names no server") }
      kind = .looksRenamed(from: from, shared: try members.number("shared"), of: try members.number("of"))
    default: throw members.fault("'note' is none that a plan has")
    }
    let server = try reference(&members)
    let user = try user(ifAny: "user", &members)
    let manifest = try members.at(files: saved.paths.count)
    try members.finish()
    saved.plan.notes.append(PlanNote(kind: kind, server: server, user: user, place: manifest))
  }

  // MARK: Names

  private mutating func user(ifAny key: String, _ members: inout PlanFileMembers) throws(PlanFileError) -> UserIndex {
    guard let id = try members.textIfAny(key) else { return .none }
    return try saved.plan.result.user(id, members)
  }

  /// The server that `server` names by its id, or `newServer` by its handle.
  private func reference(_ members: inout PlanFileMembers) throws(PlanFileError) -> ServerIndex {
    let id = try members.textIfAny("server")
    let handle = try members.textIfAny("newServer")
    switch (id, handle) {
    case (let id?, nil):
      guard let server = servers[id] else { throw members.fault("'server' is none of the plan's servers") }
      return server
    case (nil, let handle?):
      guard let server = newServers[handle] else { throw members.fault("'newServer' is none that the plan creates") }
      return server
    case (nil, nil): return .none
    case (_?, _?): throw members.fault("both 'server' and 'newServer' are named")
    }
  }
}

extension OperationKind {
  /// Whether an operation of a plan is about a server.
  fileprivate var concernsServer: Bool {
    switch self {
    case .registerUser, .updateUser, .setDevices, .markUser, .setLimit: false
    default: true
    }
  }
}

extension Snapshot {
  /// The user of an id that a plan file names, registered or not.
  mutating func user(_ id: Text, _ members: PlanFileMembers) throws(PlanFileError) -> UserIndex {
    guard TextRule.userID.check(id) == nil else { throw members.fault("'\(id)' is no user id") }
    return intern(id.string)
  }
}

extension Plan {
  /// Brings the counts of the server to what they are after the record: what a file tells of them is from before.
  fileprivate mutating func count(_ record: Record, _ detail: Detail?) {
    guard record.server.position < result.servers.count else { return }
    func add(_ members: Int, _ moderators: Int) {
      result[record.server].memberCount += members
      result[record.server].moderatorCount += moderators
    }
    switch (record.kind, detail) {
    case (.createServer, .created(let server)?):
      result[record.server] = server
      result[record.server].memberCount = 1
    case (.joinServer, _): add(1, 0)
    case (.addModerator, _): add(0, 1)
    case (.removeModerator, _): add(0, -1)
    case (.removeUsers, .removed(let members)?):
      add(-members.count, -members.count { $0.member.role == .moderator })
    case (.renameHandle, .handle(_, let after)?): result[record.server].handle = after
    case (.destroyServer, _): result[record.server].isDestroyed = true
    default: break
    }
  }
}
