/// What a record changes within one server, and what the base for drift remembers of it: an apply's own changes leave
/// no note, since its marks follow; any other run notes what the last apply had left.
extension Server {
  mutating func set(_ change: FieldChange<ServerField>, _ kind: RunKind) {
    attributes[change.field] = change.after
    base.overrides.note(change, kind, isManaged: base.managed.contains(FieldMask(change.field)))
  }

  mutating func add(_ new: [Tag]) {
    tags.append(contentsOf: new)
    if !base.lostTags.isEmpty {
      base.lostTags.removeAll { lost in new.contains { $0.name == lost } }
    }
  }

  mutating func remove(_ gone: [Tag], _ kind: RunKind) {
    tags.removeAll { tag in gone.contains { $0.id == tag.id } }
    if kind != .apply {
      base.lostTags.append(contentsOf: gone.filter(\.isListed).map(\.name))
    }
  }

  /// The base is from now on what is, in all that the marks name; what they don't name has none.
  mutating func mark(_ marks: ServerMarks) {
    base.managed = marks.managed
    if marks.kept.isEmpty {
      base.overrides = []
    } else {
      base.overrides.removeAll { !marks.kept.contains(FieldMask($0.field)) }
    }
    if !marks.kept.contains(.tags) { base.lostTags = [] }
    let listed = Set(marks.tags ?? [])
    for index in tags.indices { tags[index].isListed = listed.contains(tags[index].name) }
    for (user, listing) in marks.listings {
      if var member = members[user] {
        member.listing = listing
        members.set(member)
      } else {
        base.absentees[user] = listing.isEmpty ? nil : listing
      }
    }
  }
}

extension Array {
  /// Notes the value that the last apply left of a managed field, unless an older note has it; drops the note when the
  /// value is back at it, or when an apply writes the field.
  mutating func note<Field>(_ change: FieldChange<Field>, _ kind: RunKind, isManaged: Bool)
  where Element == FieldSetting<Field> {
    if let index = firstIndex(where: { $0.field == change.field }) {
      if kind == .apply || self[index].value == change.after { remove(at: index) }
    } else if kind != .apply, isManaged {
      append(FieldSetting(change.field, change.before))
    }
  }
}

extension InvitationKey {
  package init(_ invitation: Invitation) {
    self.init(invitee: invitation.invitee, inviter: invitation.inviter)
  }
}
