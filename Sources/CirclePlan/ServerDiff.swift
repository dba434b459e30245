import CircleModel
import Diagnostics

/// An attribute whose value is not as the manifest has it.
struct AttributeStep {
  var setting: FieldSetting<ServerField>
  var before: Text?
  var kind: Change.Kind
}

/// A tag to add (its id is nil) or to remove.
struct TagStep {
  var name: Text
  var id: Text?
  var kind: Change.Kind
  var place: Place
}

/// All that differs between one server and its entry in the manifests.
struct ServerDiff {
  let entry: DesiredServer
  let match: ServerMatch
  /// The handle before the plan; the entry's for a server to be created.
  let handleBefore: Text
  /// In the working snapshot; nil while it is not created.
  var server: ServerIndex?
  private(set) var attributes: [AttributeStep] = []
  private(set) var addedTags: [TagStep] = []
  private(set) var removedTags: [TagStep] = []
  var membership: MembershipDiff
  let lists: DesiredLists
  /// Index into `Plan.refusals` of what refused the server's creation, or -1.
  var blockedCreate: Int32 = -1
  /// Users whose joining is refused, with the refusal.
  var blockedArrivals: [UserIndex: Int32] = [:]
  /// What selectors look at; nil where all changes are meant.
  private(set) var selected: SelectedServer?
  /// Whether a change of it is left out: then nothing is noted of it as applied.
  var hasLeftOut = false
  /// Whether it is not created, since that is left out.
  var isLeftOut = false
  /// Users who are not brought in, since that is left out.
  var leftOutArrivals: Set<UserIndex> = []

  var handle: Text { entry.handle }
  var isNew: Bool { match.actual == nil }

  init(_ match: ServerMatch, _ entry: DesiredServer, in actual: Snapshot) {
    self.match = match
    self.entry = entry
    server = match.actual
    let row = match.actual.map { actual[$0] }
    handleBefore = row?.handle ?? entry.handle
    let settings = row?.settings ?? ServerSettings()
    let type = entry.attribute(.type).map { ServerType($0.value) } ?? row?.type ?? .public
    let typeBefore = row.map { $0.base(of: .type).map { ServerType($0) } ?? $0.type } ?? type
    lists = DesiredLists(entry, settings: settings, type: type, typeBefore: typeBefore)
    membership = MembershipDiff(
      lists, owner: row?.owner ?? entry.owner?.value ?? .none, server: row,
      asksAgain: entry.changesWelcome(of: settings))
    if let row { compareAttributes(with: row) }
    compareTags(with: row)
  }

  mutating func prepareSelection(in actual: Snapshot) {
    var tags = Set(entry.tags?.value.map(\.value) ?? [])
    if let server = match.actual { tags.formUnion(actual[server].tags.map(\.name)) }
    selected = SelectedServer(handles: [handleBefore, handle], tags: tags)
  }

  private mutating func compareAttributes(with row: Server) {
    for wanted in entry.attributes {
      let before = row.attributes[wanted.field]
      // What equals the stored value is in its stored form already.
      guard wanted.value != before else { continue }
      let value = TextRule.stored(wanted.value, as: wanted.field)
      guard value != before else { continue }
      attributes.append(
        AttributeStep(
          setting: FieldSetting(wanted.field, value, at: wanted.place), before: before,
          kind: row.isBase(value, of: wanted.field) ? .drift : .pending))
    }
  }

  private mutating func compareTags(with row: Server?) {
    guard let tags = entry.tags else { return }
    let present = row?.tags ?? []
    let base = row?.base ?? ServerBase()
    let names = Set(present.map(\.name))
    for tag in tags.value where !names.contains(tag.value) {
      let kind: Change.Kind = base.lostTags.contains(tag.value) ? .drift : .pending
      addedTags.append(TagStep(name: tag.value, id: nil, kind: kind, place: tag.place))
    }
    let wanted = Set(tags.value.map(\.value))
    for tag in present where !wanted.contains(tag.name) {
      let kind: Change.Kind = base.managed.contains(.tags) && !tag.isListed ? .drift : .pending
      removedTags.append(TagStep(name: tag.name, id: tag.id, kind: kind, place: tags.place))
    }
  }
}

extension Server {
  /// The value that the last apply left, which may be none; nil where the field was not managed.
  fileprivate func base(of field: ServerField) -> Text?? {
    guard base.managed.contains(FieldMask(field)) else { return nil }
    if let override = base.overrides.first(where: { $0.field == field }) { return .some(override.value) }
    return .some(attributes[field])
  }

  /// Whether the last apply left this value.
  fileprivate func isBase(_ value: Text?, of field: ServerField) -> Bool {
    base(of: field).map { $0 == value } ?? false
  }
}

extension ServerType {
  /// Public is the default.
  fileprivate init(_ word: Text?) {
    self = word.flatMap { ServerType(word: $0.string) } ?? .public
  }
}
