import CircleModel
import Diagnostics

extension PackedWriter {
  /// The details that name no place of a manifest; `LogBlockWriter` writes the others.
  mutating func detail(_ detail: Detail, _ names: UserNames) {
    switch detail {
    case .created(let server):
      text(server.id)
      text(server.handle)
      values(server.attributes.list)
      user(server.owner, names)
      signed(server.created)
      optional(server.stack)
    case .invitation(let invitation, let replaced, let serverName, let icon, let refusalBefore):
      self.invitation(invitation, names)
      byte(replaced == nil ? 0 : 1)
      if let replaced { self.invitation(replaced, names) }
      optional(serverName)
      optional(icon)
      byte(refusalBefore?.rawValue ?? 0)
    case .answered(let invitation):
      self.invitation(invitation, names)
    case .withdrawn(let invitations):
      count(invitations.count)
      for invitation in invitations { self.invitation(invitation, names) }
    case .registered(let profile, let devices, let managed):
      values(profile.list)
      texts(devices)
      number(UInt64(managed.rawValue))
    case .devices(let before, let after):
      texts(before)
      texts(after)
    case .handle(let before, let after):
      text(before)
      text(after)
    case .stack(let before, let after):
      optional(before)
      optional(after)
    case .settings(let before, let after):
      settings(before)
      settings(after)
    case .serverMarks(let before, let after):
      number(UInt64(before.rawValue))
      number(UInt64(after.managed.rawValue))
      count(after.listings.count)
      for entry in after.listings {
        user(entry.user, names)
        byte(entry.listing.rawValue)
      }
      byte((after.tags == nil ? 0 : 1) | (after.kept.isEmpty ? 0 : 2))
      if let tags = after.tags { texts(tags) }
      if !after.kept.isEmpty { number(UInt64(after.kept.rawValue)) }
    case .userMarks(let before, let after):
      number(UInt64(before.rawValue))
      number(UInt64(after.rawValue))
    case .limit(let kind, let before, let after):
      byte(kind.rawValue)
      count(before)
      count(after)
    case .removed, .updated, .profile, .tags:
      break
    }
  }

  private mutating func invitation(_ invitation: Invitation, _ names: UserNames) {
    user(invitation.inviter, names)
    user(invitation.invitee, names)
    InvitationRow.write(&self, invitation)
  }

  private mutating func settings(_ settings: ServerSettings) {
    byte(ServerRow.settingsByte(settings))
    optional(settings.welcome)
  }
}

/// Reads one detail; users come through `intern`, so that a fold and a listing use names of their own.
struct LogDetailReader {
  var intern: (UnsafeBufferPointer<UInt8>) -> UserIndex

  func read(_ reader: inout PackedReader, of kind: OperationKind) throws(StateError) -> Detail? {
    switch kind {
    case .createServer: .created(try created(&reader))
    case .updateServer: try updated(&reader)
    case .addTags, .removeTags: try tags(&reader)
    case .inviteUser: try invited(&reader)
    case .acceptInvitation, .declineInvitation: .answered(try invitation(&reader))
    case .removeUsers: try removed(&reader)
    case .withdrawInvitation: .withdrawn(try invitations(&reader))
    case .registerUser:
      .registered(try reader.userProfile(), devices: try reader.texts(), managed: try reader.mask())
    case .updateUser: try profile(&reader)
    case .setDevices: .devices(before: try reader.texts(), after: try reader.texts())
    case .renameHandle: .handle(before: try reader.textValue(), after: try reader.textValue())
    case .adoptServer, .releaseServer: .stack(before: try reader.optional(), after: try reader.optional())
    case .setServerSettings: .settings(before: try settings(&reader), after: try settings(&reader))
    case .markServer: try serverMarks(&reader)
    case .markUser: .userMarks(before: try reader.mask(), after: try reader.mask())
    case .setLimit: try limit(&reader)
    case .destroyServer, .joinServer, .leaveServer, .addModerator, .removeModerator: nil
    }
  }

  func user(_ reader: inout PackedReader) throws(StateError) -> UserIndex {
    let id = try reader.text()
    guard 1...UserNames.longest ~= id.count else { throw PackedReader.damaged }
    return intern(id)
  }

  private func created(_ reader: inout PackedReader) throws(StateError) -> Server {
    let id = try reader.textValue()
    let handle = try reader.textValue()
    let attributes = try reader.serverAttributes()
    let owner = try user(&reader)
    var server = Server(id: id, handle: handle, attributes: attributes, owner: owner, created: try reader.signed())
    server.stack = try reader.optional()
    return server
  }

  private func updated(_ reader: inout PackedReader) throws(StateError) -> Detail {
    var changes: [FieldChange<ServerField>] = []
    for _ in 0..<(try reader.count()) {
      let field = try reader.serverField()
      let before = try reader.optional()
      changes.append(FieldChange(field, before: before, after: try reader.optional()))
    }
    let places = try LogPlaces.list(&reader, changes.count)
    return .updated(changes, places: places, attributes: try reader.serverAttributes())
  }

  private func profile(_ reader: inout PackedReader) throws(StateError) -> Detail {
    var changes: [FieldChange<UserField>] = []
    for _ in 0..<(try reader.count()) {
      let field = try reader.userField()
      let before = try reader.optional()
      changes.append(FieldChange(field, before: before, after: try reader.optional()))
    }
    return .profile(changes, places: try LogPlaces.list(&reader, changes.count))
  }

  private func tags(_ reader: inout PackedReader) throws(StateError) -> Detail {
    var tags: [Tag] = []
    for _ in 0..<(try reader.count()) {
      let id = try reader.textValue()
      let name = try reader.textValue()
      tags.append(Tag(id: id, name: name, isListed: try reader.flag()))
    }
    return .tags(tags, places: try LogPlaces.list(&reader, tags.count))
  }

  private func removed(_ reader: inout PackedReader) throws(StateError) -> Detail {
    let count = try reader.count()
    var users: [UserIndex] = []
    for _ in 0..<count { users.append(try user(&reader)) }
    let flags = try reader.column(count)
    let times = try reader.column(count)
    let rules = try reader.column(count)
    let listings = try reader.column(count)
    let place = try LogPlaces.read(&reader, count)
    var members: [RemovedMember] = []
    for position in 0..<count {
      guard let byte = UInt8(exactly: flags[position]),
        let rule = UInt8(exactly: rules[position]).flatMap(Rule.init(rawValue:)),
        let listing = UInt8(exactly: listings[position])
      else { throw PackedReader.damaged }
      let member = try MemberFlags.member(byte, user: users[position], joinedAt: times[position])
      members.append(
        RemovedMember(member, rule: rule, place: place(position), listingAfter: Listing(rawValue: listing)))
    }
    return .removed(members)
  }

  private func invitation(_ reader: inout PackedReader) throws(StateError) -> Invitation {
    let inviter = try user(&reader)
    let invitee = try user(&reader)
    let welcome = try reader.optional()
    return Invitation(inviter: inviter, invitee: invitee, welcome: welcome, createdAt: try reader.signed())
  }

  private func invitations(_ reader: inout PackedReader) throws(StateError) -> [Invitation] {
    var all: [Invitation] = []
    for _ in 0..<(try reader.count()) { all.append(try invitation(&reader)) }
    return all
  }

  private func invited(_ reader: inout PackedReader) throws(StateError) -> Detail {
    let sent = try invitation(&reader)
    let replaced = try reader.flag() ? try invitation(&reader) : nil
    let name = try reader.optional()
    let icon = try reader.optional()
    return .invitation(
      sent, replaced: replaced, serverName: name, icon: icon, refusalBefore: Refusal(rawValue: try reader.byte()))
  }

  private func settings(_ reader: inout PackedReader) throws(StateError) -> ServerSettings {
    var settings = try ServerRow.settings(try reader.byte())
    settings.welcome = try reader.optional()
    return settings
  }

  private func serverMarks(_ reader: inout PackedReader) throws(StateError) -> Detail {
    let before = try reader.mask()
    let managed = try reader.mask()
    var listings: [(user: UserIndex, listing: Listing)] = []
    for _ in 0..<(try reader.count()) {
      let listed = try user(&reader)
      listings.append((listed, Listing(rawValue: try reader.byte())))
    }
    let parts = try reader.byte()
    guard parts < 4 else { throw PackedReader.damaged }
    let tags = parts & 1 == 0 ? nil : try reader.texts()
    let kept = parts & 2 == 0 ? [] : try reader.mask()
    return .serverMarks(
      before: before, after: ServerMarks(managed: managed, listings: listings, tags: tags, kept: kept))
  }

  private func limit(_ reader: inout PackedReader) throws(StateError) -> Detail {
    guard let kind = LimitKind(rawValue: try reader.byte()) else { throw PackedReader.damaged }
    return .limit(kind, before: Int(try reader.small()), after: Int(try reader.small()))
  }
}

/// The three columns in which a block keeps places of manifests.
enum LogPlaces {
  /// - Returns: for each its place, whose file is the position of the path among those of the block.
  static func read(_ reader: inout PackedReader, _ count: Int) throws(StateError) -> (Int) -> Place {
    let files = try reader.column(count)
    let lines = try reader.column(count)
    let columns = try reader.column(count)
    return { position in
      guard let file = FileIndex(exactly: files[position] &- 1) else { return .none }
      return Place(
        file: file, line: Int(truncatingIfNeeded: lines[position]), column: Int(truncatingIfNeeded: columns[position]))
    }
  }

  static func list(_ reader: inout PackedReader, _ count: Int) throws(StateError) -> [Place] {
    (0..<count).map(try read(&reader, count))
  }
}
