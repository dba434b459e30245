import CircleModel
import Diagnostics
import Digest
import JSONText

/// Writes a saved plan as JSON: one member a line, one operation a line, users and servers by their own ids.
///
///     {"circlectlPlan":1,
///     "stack":"default",
///     …
///     "operations":[
///     {"op":"joinServer","server":"…","user":"bob","rule":"manifest","at":[0,12,9],"listed":["member"]},
///     …
///     ],
///     "digest":"…"
///     }
///
/// The same plan gives the same bytes. The digest and what follows it are the caller's.
struct SavedPlanEncoder {
  private let saved: SavedPlan
  private let names: UserNames
  private let first: ContiguousArray<Int32>

  init(_ saved: SavedPlan) {
    self.saved = saved
    names = saved.plan.result.names
    first = saved.plan.firstChanges
  }

  func write<Failure: Error>(to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    var lines = PlanFileLines()
    lines.member("stack") { $0.string(saved.plan.stack.string) }
    lines.member("options") { options(&$0) }
    lines.member("files") { writer in writer.array { for path in saved.paths { $0.string(path) } } }
    lines.beginList("servers")
    for server in saved.serversNamed where !isNew(server) {
      lines.element { self.server(server, &$0) }
      try lines.buffer.drain(into: sink)
    }
    lines.endList()
    lines.beginList("operations")
    for position in saved.plan.outcome.records.indices {
      lines.element { operation(position, &$0) }
      try lines.buffer.drain(into: sink)
    }
    lines.endList()
    lines.member("notes") { writer in
      writer.array { writer in for note in saved.plan.notes { self.note(note, &writer) } }
    }
    lines.member("unmanaged") { unmanaged(&$0) }
    lines.member("leftOut") { writer in
      writer.object {
        $0.field("changes", saved.plan.counts.leftOut)
        $0.field("dependent", saved.plan.counts.dependent)
      }
    }
    try lines.buffer.drain(atLeast: 1, into: sink)
  }

  // MARK: Beside the operations

  private func options(_ writer: inout JSONWriter) {
    let options = saved.options
    writer.object {
      $0.field("maxRemovals", options.maxRemovals.text)
      if !options.allow.isEmpty { $0.texts("allow", options.allow.map(\.text)) }
      if let reason = options.reason { $0.field("reason", reason.string) }
      if options.prune { $0.field("prune", true) }
      if options.register { $0.field("register", true) }
      if !options.selection.only.isEmpty { $0.texts("only", options.selection.only.map(\.text)) }
      if !options.selection.exclude.isEmpty { $0.texts("exclude", options.selection.exclude.map(\.text)) }
    }
  }

  /// Whether the plan itself creates the server, so that it has no id before.
  private func isNew(_ server: ServerIndex) -> Bool { saved.facts[server] == nil }

  private func server(_ server: ServerIndex, _ writer: inout JSONWriter) {
    let row = saved.plan.result[server]
    let facts = saved.facts[server] ?? SavedPlan.ServerFacts()
    writer.object {
      $0.field("id", row.id.string)
      $0.field("handle", row.handle.string)
      if let name = row.attributes[.name] { $0.field("name", name.string) }
      if row.owner.position < names.count { $0.field("owner", names[row.owner]) }
      if let stack = facts.stack { $0.field("stack", stack.string) }
      $0.field("members", facts.members)
      $0.field("moderators", facts.moderators)
      if !facts.tags.isEmpty { $0.texts("tags", facts.tags.map(\.string)) }
      if !facts.overridden.isEmpty { $0.texts("overridden", facts.overridden.map(\.word)) }
      if !facts.lostTags.isEmpty { $0.texts("lostTags", facts.lostTags.map(\.string)) }
      if let content = facts.content { $0.field("content", content.hex) }
    }
  }

  private func note(_ note: PlanNote, _ writer: inout JSONWriter) {
    writer.object {
      switch note.kind {
      case .adoption: $0.field("note", "adoption")
      case .notPruned: $0.field("note", "not-pruned")
      case .notInvitedAgain(.declined): $0.field("note", "declined")
      case .notInvitedAgain(.leftAfterAccepting): $0.field("note", "left-after-accepting")
      case .setting(let setting, let before, let after):
        $0.field("note", "setting")
        $0.field("setting", setting.word)
        if let before { $0.field("before", before.string) }
        if let after { $0.field("after", after.string) }
      case .looksRenamed(let from, let shared, let all):
        $0.field("note", "looks-renamed")
        $0.field("from", saved.plan.result[from].id.string)
        $0.field("shared", shared)
        $0.field("of", all)
      }
      reference(note.server, &$0)
      if note.user.position < names.count { $0.field("user", names[note.user]) }
      $0.at(note.place)
    }
  }

  private func unmanaged(_ writer: inout JSONWriter) {
    let plan = saved.plan
    writer.object {
      $0.texts(
        "servers", plan.changes.filter { $0.kind == .unmanaged }.map { plan.result[$0.server].id.string })
      $0.field("users", plan.counts.unmanagedUsers)
      $0.field("members", plan.counts.unmanagedMembers)
    }
  }

  private func reference(_ server: ServerIndex, _ writer: inout JSONWriter) {
    guard server.position < saved.plan.result.servers.count else { return }
    if isNew(server) {
      writer.field("newServer", saved.plan.result[server].handle.string)
    } else {
      writer.field("server", saved.plan.result[server].id.string)
    }
  }

  // MARK: Operations

  private func operation(_ position: Int, _ writer: inout JSONWriter) {
    let record = saved.plan.outcome.records[position]
    writer.object {
      $0.field("op", PlanFileWord.of(record.kind))
      reference(record.server, &$0)
      if record.user != .none, record.kind != .createServer { $0.field("user", names[record.user]) }
      $0.field("rule", record.rule.word)
      $0.at(record.place)
      switch record.kind {
      case .joinServer, .addModerator, .removeModerator:
        listing("listed", record.listingAfter, &$0)
        listing("wasListed", record.listingBefore, &$0)
      default: detail(position, record, &$0)
      }
      if record.hasOneChange, isDrift(0, position) { $0.field("drift", true) }
    }
  }

  private func isDrift(_ number: Int, _ position: Int) -> Bool { saved.plan.isDrift(number, of: position, first) }

  private func listing(_ key: StaticString, _ listing: Listing, _ writer: inout JSONWriter) {
    if !listing.isEmpty { writer.texts(key, PlanFileWord.of(listing)) }
  }

  private func detail(_ position: Int, _ record: Record, _ writer: inout JSONWriter) {
    switch saved.plan.outcome.detail(of: record) {
    case .created(let server):
      writer.field("owner", names[server.owner])
      if let stack = server.stack { writer.field("stack", stack.string) }
      writer.attributes("attributes", server.attributes)
    case .updated(let changes, let places, _): fields(changes, places, position, &writer) { $0.word }
    case .profile(let changes, let places): fields(changes, places, position, &writer) { $0.word }
    case .tags(let tags, let places): self.tags(tags, places, position, record.kind, &writer)
    case .removed(let members): removed(members, position, &writer)
    case .invitation(let invitation, _, _, _, let refusal):
      if let welcome = invitation.welcome { writer.field("welcome", welcome.string) }
      if let refusal { writer.field("refused", refusal == .declined ? "declined" : "left-after-accepting") }
    case .withdrawn(let invitations): writer.texts("inviters", invitations.map { names[$0.inviter] })
    case .registered(let profile, let devices, let managed):
      writer.attributes("profile", profile)
      writer.texts("devices", devices.map(\.string))
      writer.texts("managed", PlanFileWord.of(managed, ofUser: true))
    case .devices(let before, let after):
      writer.texts("before", before.map(\.string))
      writer.texts("after", after.map(\.string))
    case .handle(let before, let after):
      writer.field("before", before.string)
      writer.field("after", after.string)
    case .stack(_, let after): if let after { writer.field("stack", after.string) }
    case .settings(let before, let after):
      settings("before", before, &writer)
      settings("after", after, &writer)
    case .serverMarks(_, let marks): self.marks(marks, &writer)
    case .userMarks(_, let managed): writer.texts("managed", PlanFileWord.of(managed, ofUser: true))
    case .answered, .limit, nil: break
    }
  }

  private func fields<Field>(
    _ changes: [FieldChange<Field>], _ places: [Place], _ position: Int, _ writer: inout JSONWriter,
    _ word: (Field) -> String
  ) {
    writer.key("changes")
    writer.array { writer in
      for (number, change) in changes.enumerated() {
        writer.object {
          $0.field("field", word(change.field))
          if let before = change.before { $0.field("before", before.string) }
          if let after = change.after { $0.field("after", after.string) }
          if number < places.count { $0.at(places[number]) }
          if isDrift(number, position) { $0.field("drift", true) }
        }
      }
    }
  }

  private func tags(
    _ tags: [Tag], _ places: [Place], _ position: Int, _ kind: OperationKind, _ writer: inout JSONWriter
  ) {
    writer.key("tags")
    writer.array { writer in
      for (number, tag) in tags.enumerated() {
        writer.object {
          // An added tag gets its id when the plan is carried out.
          if kind == .removeTags { $0.field("id", tag.id.string) }
          $0.field("name", tag.name.string)
          if number < places.count { $0.at(places[number]) }
          if isDrift(number, position) { $0.field("drift", true) }
        }
      }
    }
  }

  private func removed(_ members: [RemovedMember], _ position: Int, _ writer: inout JSONWriter) {
    writer.key("users")
    writer.array { writer in
      for (number, gone) in members.enumerated() {
        writer.object {
          $0.field("user", names[gone.member.user])
          $0.field("role", gone.member.role.word)
          listing("wasListed", gone.member.listing, &$0)
          $0.field("rule", gone.rule.word)
          $0.at(gone.place)
          if isDrift(number, position) { $0.field("drift", true) }
        }
      }
    }
  }

  private func settings(_ key: StaticString, _ settings: ServerSettings, _ writer: inout JSONWriter) {
    writer.key(key)
    writer.object {
      if let membership = settings.membership { $0.field("membership", membership.word) }
      if let join = settings.join { $0.field("join", join.word) }
      if let welcome = settings.welcome { $0.field("welcome", welcome.string) }
      if let protect = settings.protect { $0.field("protect", protect) }
    }
  }

  private func marks(_ marks: ServerMarks, _ writer: inout JSONWriter) {
    writer.texts("managed", PlanFileWord.of(marks.managed, ofUser: false))
    if !marks.listings.isEmpty {
      writer.key("listings")
      writer.array { writer in
        for (user, listing) in marks.listings {
          writer.object {
            $0.field("user", names[user])
            $0.texts("listed", PlanFileWord.of(listing))
          }
        }
      }
    }
    if let tags = marks.tags { writer.texts("tags", tags.map(\.string)) }
  }
}

/// The text of a plan file on its way out: one member, or one element of a long list, a line.
private struct PlanFileLines: ~Copyable {
  var buffer = ByteBuffer(capacity: ByteBuffer.piece + 4096)
  private var line = JSONWriter()
  private var follows = false

  init() {
    buffer.append("{\"circlectlPlan\": ")
    buffer.append(decimal: SavedPlan.version)
  }

  mutating func member(_ key: StaticString, _ value: (inout JSONWriter) -> Void) {
    begin(key)
    lend(value)
  }

  mutating func beginList(_ key: StaticString) {
    begin(key)
    buffer.append("[")
    follows = false
  }

  mutating func element(_ value: (inout JSONWriter) -> Void) {
    buffer.append(follows ? ",\n" : "\n")
    follows = true
    lend(value)
  }

  mutating func endList() {
    buffer.append("]")
  }

  private mutating func begin(_ key: StaticString) {
    buffer.append(",\n\"")
    buffer.append(key)
    buffer.append("\": ")
  }

  /// Lets `value` write one value.
  private mutating func lend(_ value: (inout JSONWriter) -> Void) {
    value(&line)
    // Only a line's end lets the next value stand alone.
    line.endLine()
    line.buffer.withBytes { buffer.append(bytes: UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    line.buffer.removeAll()
  }
}

extension Record {
  /// Whether the record stands for one change, whose kind the operation tells itself.
  var hasOneChange: Bool {
    switch kind {
    case .updateServer, .updateUser, .addTags, .removeTags, .removeUsers: false
    default: true
    }
  }
}

extension JSONWriter {
  fileprivate mutating func texts(_ key: StaticString, _ texts: [String]) {
    self.key(key)
    array { for text in texts { $0.string(text) } }
  }

  /// A place as file, line and column; nothing for one that is not known.
  fileprivate mutating func at(_ place: Place) {
    guard place.isKnown else { return }
    key("at")
    array {
      $0.integer(Int(place.file))
      $0.integer(place.line)
      $0.integer(place.column)
    }
  }

  fileprivate mutating func attributes(_ key: StaticString, _ attributes: ServerAttributes) {
    self.key(key)
    object { for field in ServerField.allCases { $0.value(attributes[field], of: field.word) } }
  }

  fileprivate mutating func attributes(_ key: StaticString, _ profile: UserProfile) {
    self.key(key)
    object { for field in UserField.allCases { $0.value(profile[field], of: field.word) } }
  }

  private mutating func value(_ value: Text?, of key: String) {
    guard let value else { return }
    self.key(escaping: key)
    string(value.string)
  }
}
