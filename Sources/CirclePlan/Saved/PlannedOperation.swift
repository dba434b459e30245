import CircleModel
import Diagnostics

/// What marks of a saved plan leave as it is, since it came about after the plan was made.
struct KeptMarks {
  /// Tags that another apply lists.
  var tags: [Text] = []
  /// What something else than an apply changed.
  var base: FieldMask = []
}

/// The operation that led to a record, so that it can be decided again in another snapshot.
struct PlannedOperation {
  let operation: Operation
  let origin: Origin

  /// - Parameters:
  ///   - server: the record's server in that snapshot; `.none` for one that is to be created.
  ///   - kept: what marks leave as it is.
  init?(_ record: Record, _ detail: Detail?, on server: ServerIndex, kept: KeptMarks) {
    guard let operation = Self.operation(record, detail, server, kept) else { return nil }
    self.operation = operation
    let isListed = [.joinServer, .addModerator, .removeModerator].contains(record.kind)
    origin = Origin(record.rule, at: record.place, listing: isListed ? record.listingAfter : nil)
  }

  private static func operation(
    _ record: Record, _ detail: Detail?, _ server: ServerIndex, _ kept: KeptMarks
  ) -> Operation? {
    let user = record.user
    switch (record.kind, detail) {
    case (.joinServer, _): return .joinServer(server, user)
    case (.addModerator, _): return .addModerator(server, user)
    case (.removeModerator, _): return .removeModerator(server, user)
    case (.destroyServer, _): return .destroyServer(server)
    case (.createServer, .created(let new)?):
      return .createServer(
        NewServer(handle: new.handle, attributes: new.attributes, owner: new.owner, stack: new.stack))
    case (.updateServer, .updated(let changes, let places, _)?): return .updateServer(server, settings(changes, places))
    case (.updateUser, .profile(let changes, let places)?): return .updateUser(user, settings(changes, places))
    case (.addTags, .tags(let tags, let places)?):
      return .addTags(server, zip(tags, places).map { Given($0.name, at: $1) })
    case (.removeTags, .tags(let tags, _)?): return .removeTags(server, tags.map(\.id))
    case (.inviteUser, .invitation(let invitation, _, _, _, _)?):
      return .inviteUser(server, user, welcome: invitation.welcome)
    case (.withdrawInvitation, .withdrawn?): return .withdrawInvitation(server, user, inviter: nil)
    case (.removeUsers, .removed(let members)?):
      return .removeUsers(server, members.map { Removal($0.member.user, $0.rule, at: $0.place) })
    case (.registerUser, .registered(let profile, let devices, let managed)?):
      return .registerUser(user, profile, devices: devices, managed: managed)
    case (.setDevices, .devices(_, let after)?): return .setDevices(user, after)
    case (.renameHandle, .handle(_, let after)?): return .renameHandle(server, after)
    case (.adoptServer, .stack(_, let stack?)?): return .adoptServer(server, stack: stack)
    case (.setServerSettings, .settings(let before, let after)?):
      return .setServerSettings(
        server, after.unlike(before), clearsWelcome: before.welcome != nil && after.welcome == nil)
    case (.markServer, .serverMarks(_, var marks)?):
      if let tags = marks.tags { marks.tags = tags + kept.tags.filter { !tags.contains($0) } }
      marks.kept = kept.base
      return .markServer(server, marks)
    case (.markUser, .userMarks(_, let managed)?): return .markUser(user, managed)
    default: return nil
    }
  }

  private static func settings<Field>(
    _ changes: [FieldChange<Field>], _ places: [Place]
  ) -> [FieldSetting<Field>] {
    zip(changes, places).map { FieldSetting($0.field, $0.after, at: $1) }
  }
}

extension ServerSettings {
  /// What is not as it was, and nil for all else.
  func unlike(_ before: ServerSettings) -> ServerSettings {
    ServerSettings(
      membership: membership == before.membership ? nil : membership, join: join == before.join ? nil : join,
      welcome: welcome == before.welcome ? nil : welcome, protect: protect == before.protect ? nil : protect)
  }
}
