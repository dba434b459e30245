import CircleModel

/// A server as stored: all of it but its members, invitations and marks, which have rows of their own.
enum ServerRow {
  /// Appends `server`; the owner is a user's number.
  static func write(_ writer: inout PackedWriter, _ server: Server, owner: UInt32) {
    writer.text(server.id)
    writer.text(server.handle)
    writer.values(server.attributes.list)
    writer.number(owner)
    writer.signed(server.created)
    writer.optional(server.stack)
    writer.byte(settingsByte(server.settings))
    writer.optional(server.settings.welcome)
    writer.number(UInt64(server.base.managed.rawValue))
    writer.count(server.base.overrides.count)
    for override in server.base.overrides {
      writer.byte(override.field.rawValue)
      writer.optional(override.value)
    }
    writer.texts(server.base.lostTags)
    writer.count(server.tags.count)
    for tag in server.tags {
      writer.text(tag.id)
      writer.text(tag.name)
      writer.byte(tag.isListed ? 1 : 0)
    }
    writer.count(server.memberCount)
    writer.count(server.moderatorCount)
  }

  /// The server, and its owner's number.
  static func read(_ row: UnsafeRawBufferPointer) throws(StateError) -> (server: Server, owner: UInt32) {
    var reader = PackedReader(row)
    let id = try reader.textValue()
    let handle = try reader.textValue()
    let attributes = try reader.serverAttributes()
    let owner = try reader.small()
    var server = Server(
      id: id, handle: handle, attributes: attributes, owner: .none, created: try reader.signed())
    server.stack = try reader.optional()
    server.settings = try settings(try reader.byte())
    server.settings.welcome = try reader.optional()
    server.base.managed = try reader.mask()
    for _ in 0..<(try reader.count()) {
      server.base.overrides.append(FieldSetting(try reader.serverField(), try reader.optional()))
    }
    server.base.lostTags = try reader.texts()
    for _ in 0..<(try reader.count()) {
      let id = try reader.textValue()
      let name = try reader.textValue()
      server.tags.append(Tag(id: id, name: name, isListed: try reader.flag()))
    }
    server.memberCount = Int(try reader.small())
    server.moderatorCount = Int(try reader.small())
    guard reader.isAtEnd else { throw PackedReader.damaged }
    return (server, owner)
  }

  /// Two bits each for membership, join and protect: 0 was never applied, else the raw value plus one.
  static func settingsByte(_ settings: ServerSettings) -> UInt8 {
    let membership = settings.membership.map { $0.rawValue + 1 } ?? 0
    let join = settings.join.map { $0.rawValue + 1 } ?? 0
    let protect: UInt8 = settings.protect.map { $0 ? 2 : 1 } ?? 0
    return membership | join << 2 | protect << 4
  }

  static func settings(_ byte: UInt8) throws(StateError) -> ServerSettings {
    guard byte >> 6 == 0, byte >> 2 & 3 < 3, byte >> 4 & 3 < 3 else { throw PackedReader.damaged }
    return ServerSettings(
      membership: byte & 3 == 0 ? nil : MembershipMode(rawValue: (byte & 3) - 1),
      join: byte >> 2 & 3 == 0 ? nil : JoinMode(rawValue: (byte >> 2 & 3) - 1),
      protect: byte >> 4 & 3 == 0 ? nil : byte >> 4 & 3 == 2)
  }
}

/// A membership but for user and time, in one byte: role 2 bits, listing 2 bits, accepted.
enum MemberFlags {
  static func byte(_ member: Member) -> UInt8 {
    member.role.rawValue | member.listing.rawValue << 2 | (member.accepted ? 16 : 0)
  }

  static func member(_ byte: UInt8, user: UserIndex, joinedAt: Int64) throws(StateError) -> Member {
    guard let role = Role(rawValue: byte & 3), byte < 32 else { throw PackedReader.damaged }
    return Member(
      user, role, listing: Listing(rawValue: byte >> 2 & 3), accepted: byte & 16 != 0, joinedAt: joinedAt)
  }
}
