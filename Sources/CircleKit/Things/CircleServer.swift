package import CircleModel

/// Who can find and join a server.
public enum CircleServerType: Int, CaseIterable, Hashable, Sendable {
  /// Anybody finds it and joins it. The default; in SDK 3.9.7 all servers are public.
  case `public` = 0
  /// Joined by invitation only, and found by nobody but its members.
  case `private` = 1
}

/// The attributes of a server: those that are nil are left as they are, or unset at creation.
///
/// An update clears an attribute that is given as `""`; the name can't be cleared. Lengths count UTF-16 code units.
public struct CircleServerAttribute: Hashable, Sendable {
  /// 1–50; required at creation.
  public var name: String?
  /// Who can find and join it; public when never given.
  public var type: CircleServerType?
  /// A URL, at most 500.
  public var icon: String?
  /// A URL, at most 500.
  public var background: String?
  /// At most 500.
  public var desc: String?
  /// At most 500.
  public var ext: String?

  /// Those that are given; all others are left as they are.
  public init(
    name: String? = nil, type: CircleServerType? = nil, icon: String? = nil, background: String? = nil,
    desc: String? = nil, ext: String? = nil
  ) {
    self.name = name
    self.type = type
    self.icon = icon
    self.background = background
    self.desc = desc
    self.ext = ext
  }

  /// What is given, field by field.
  var settings: [FieldSetting<ServerField>] {
    let type = type.map { $0 == .private ? ServerType.private.word : ServerType.public.word }
    let values: [(ServerField, String?)] = [
      (.name, name), (.type, type), (.icon, icon), (.background, background), (.desc, desc), (.ext, ext),
    ]
    return values.compactMap { field, value in value.map { FieldSetting(field, Text($0)) } }
  }
}

/// A tag of a server: `name` is unique within it, by its exact characters.
public struct CircleServerTag: Hashable, Sendable {
  /// Assigned once, opaque.
  public let tagId: String
  /// 1–20 UTF-16 code units.
  public let name: String
}

/// A server (a community) as it was at one moment.
public struct CircleServer: Hashable, Sendable {
  /// 22 characters `0-9A-Za-z`, assigned once.
  public let serverId: String
  /// What manifests and the command line call it; unique in its state.
  public let handle: String
  /// 1–50 UTF-16 code units.
  public let name: String
  /// Who can find and join it.
  public let type: CircleServerType
  /// A URL.
  public let icon: String?
  /// A URL.
  public let background: String?
  /// What it is about.
  public let desc: String?
  /// What the application keeps with it.
  public let ext: String?
  /// The id of the user who created it.
  public let owner: String
  /// Unix milliseconds, UTC.
  public let created: Int64
  /// In the order in which they were added.
  public let tags: [CircleServerTag]
  /// The owner included.
  public let memberCount: Int

  package init(_ server: Server, _ names: UserNames) {
    serverId = server.id.string
    handle = server.handle.string
    name = server.attributes[.name]?.string ?? ""
    type = server.type == .private ? .private : .public
    icon = server.attributes[.icon]?.string
    background = server.attributes[.background]?.string
    desc = server.attributes[.desc]?.string
    ext = server.attributes[.ext]?.string
    owner = names[server.owner]
    created = server.created
    tags = server.tags.map { CircleServerTag(tagId: $0.id.string, name: $0.name.string) }
    memberCount = server.memberCount
  }
}
