import CircleModel
import Diagnostics

/// The lines of a diff that one record stands for, made from the record alone.
struct RecordChanges {
  private(set) var lines: [(change: Change, text: ChangeText?)] = []

  /// Bookkeeping has none.
  init(_ record: Record, _ detail: Detail?, handle: Text) {
    switch (record.kind, detail) {
    case (.createServer, .created(let server)?):
      add(change(.create, .server, record, user: record.user), ChangeText(after: server.handle))
    case (.destroyServer, _): add(change(.delete, .server, record), ChangeText(before: handle))
    case (.renameHandle, .handle(let before, let after)?):
      add(change(.update, .handle, record), ChangeText(before: before, after: after))
    case (.updateServer, .updated(let fields, let places, _)?):
      for (field, place) in zip(fields, places) { add(record, .attribute, field, at: place) }
    case (.updateUser, .profile(let fields, let places)?):
      for (field, place) in zip(fields, places) { add(record, .userField, field, at: place) }
    case (.addTags, .tags(let tags, let places)?):
      for (tag, place) in zip(tags, places) {
        add(change(.create, .tag, record, at: place), ChangeText(after: tag.name))
      }
    case (.removeTags, .tags(let tags, let places)?):
      for (tag, place) in zip(tags, places) {
        add(change(.delete, .tag, record, at: place), ChangeText(before: tag.name))
      }
    case (.registerUser, _): add(change(.create, .user, record, user: record.user), nil)
    case (.setDevices, .devices(let before, let after)?):
      add(
        change(.update, .devices, record, user: record.user),
        ChangeText(before: before.joinedDevices, after: after.joinedDevices))
    default: addMembership(record, detail)
    }
  }

  private mutating func addMembership(_ record: Record, _ detail: Detail?) {
    switch (record.kind, detail) {
    case (.joinServer, _):
      var line = change(.create, .membership, record, user: record.user)
      line.roleAfter = .user
      add(line, nil)
    case (.inviteUser, _): add(change(.create, .invitation, record, user: record.user), nil)
    case (.withdrawInvitation, _): add(change(.delete, .invitation, record, user: record.user), nil)
    case (.addModerator, _), (.removeModerator, _):
      var line = change(.update, .role, record, user: record.user)
      line.roleBefore = record.roleBefore
      line.roleAfter = record.kind == .addModerator ? .moderator : .user
      add(line, nil)
    case (.removeUsers, .removed(let members)?):
      for gone in members {
        var line = change(.delete, .membership, record, user: gone.member.user, at: gone.place)
        line.rule = gone.rule
        line.roleBefore = gone.member.role
        add(line, nil)
      }
    default: break
    }
  }

  private func change(
    _ action: Change.Action, _ object: Change.Object, _ record: Record, user: UserIndex = .none, at place: Place? = nil
  ) -> Change {
    Change(
      action, object, .pending, server: record.server, user: user, rule: record.rule, at: place ?? record.place)
  }

  private mutating func add<Field: RawRepresentable>(
    _ record: Record, _ object: Change.Object, _ field: FieldChange<Field>, at place: Place
  ) where Field.RawValue == UInt8 {
    var line = change(.update, object, record, user: object == .userField ? record.user : .none, at: place)
    line.field = field.field.rawValue
    add(line, ChangeText(before: field.before, after: field.after))
  }

  private mutating func add(_ change: Change, _ text: ChangeText?) {
    lines.append((change, text))
  }
}

extension Plan {
  /// Adds the lines of a record that has been appended to the outcome.
  ///
  /// - Parameter isDrift: of each line by its number, whether something else than an apply had changed it.
  mutating func addChanges(of position: Int, isDrift: (Int) -> Bool) {
    let record = outcome.records[position]
    let handle = record.server.position < result.servers.count ? result.handle(of: record.server) : ""
    let lines = RecordChanges(record, outcome.detail(of: record), handle: handle).lines
    for (number, (line, text)) in lines.enumerated() {
      var change = line
      change.kind = isDrift(number) ? .drift : .pending
      change.intent = change.kind
      change.record = Int32(truncatingIfNeeded: position)
      if let text {
        change.text = Int32(truncatingIfNeeded: texts.count)
        texts.append(text)
      }
      counts[change.kind] += 1
      changes.append(change)
    }
  }

  /// For each record the index of its first change, or -1; the others of it follow.
  var firstChanges: ContiguousArray<Int32> {
    var first = ContiguousArray<Int32>(repeating: -1, count: outcome.records.count)
    for (position, change) in changes.enumerated() where change.record >= 0 {
      let record = Int(change.record)
      if record < first.count, first[record] < 0 { first[record] = Int32(truncatingIfNeeded: position) }
    }
    return first
  }

  /// Whether the line of that number of a record is drift.
  func isDrift(_ number: Int, of record: Int, _ first: ContiguousArray<Int32>) -> Bool {
    guard record < first.count, first[record] >= 0 else { return false }
    let position = Int(first[record]) + number
    return position < changes.count && changes[position].record == Int32(record) && changes[position].kind == .drift
  }
}

extension [Text] {
  /// As a change tells devices; nil for none.
  var joinedDevices: Text? {
    isEmpty ? nil : Text(map(\.string).joined(separator: ", "))
  }
}
