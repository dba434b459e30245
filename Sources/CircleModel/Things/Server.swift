/// A server of one run, by its place in `Snapshot.servers`.
package struct ServerIndex: Hashable, Sendable {
  package let raw: UInt32
  package init(_ raw: UInt32) { self.raw = raw }
  package init(_ position: Int) { raw = UInt32(truncatingIfNeeded: position) }
  package var position: Int { Int(raw) }
  /// No server: what an operation on users has.
  package static let none = ServerIndex(UInt32.max)
}

/// A tag: `id` is assigned once and opaque, `name` is unique by its bytes within the server.
package struct Tag: Equatable, Sendable {
  package var id: Text
  package var name: Text
  /// Whether the last apply listed it.
  package var isListed: Bool

  package init(id: Text, name: Text, isListed: Bool = false) {
    self.id = id
    self.name = name
    self.isListed = isListed
  }
}

/// Why an apply does not invite someone again.
package enum Refusal: UInt8, Sendable {
  case declined = 1
  case leftAfterAccepting = 2
}

/// The settings of a server as last applied; nil where none ever was, so that the default stands.
package struct ServerSettings: Equatable, Sendable {
  package var membership: MembershipMode?
  package var join: JoinMode?
  package var welcome: Text?
  package var protect: Bool?

  package init(
    membership: MembershipMode? = nil, join: JoinMode? = nil, welcome: Text? = nil, protect: Bool? = nil
  ) {
    self.membership = membership
    self.join = join
    self.welcome = welcome
    self.protect = protect
  }
}

/// One setting of a server, by its key in a manifest.
package enum ServerSetting: String, CaseIterable, Sendable {
  case membership, join, welcome, protect

  package var word: String { rawValue }
}

extension ServerSettings {
  /// The value in the words of a manifest; nil where it was never given.
  package subscript(_ setting: ServerSetting) -> Text? {
    switch setting {
    case .membership: membership.map { Text($0.word) }
    case .join: join.map { Text($0.word) }
    case .welcome: welcome
    case .protect: protect.map { Text($0 ? "true" : "false") }
    }
  }
}

/// What the last apply left, where it differs from what is: the base of the three-way comparison.
///
/// While nothing but applies writes, the base equals the actual values and costs no more than `managed` and the
/// listing bits; any other write first notes the old value here, and the next apply clears the note.
package struct ServerBase: Equatable, Sendable {
  /// The fields and lists that the last apply named.
  package var managed: FieldMask = []
  /// Attributes that were changed since, with the value that the last apply left.
  package var overrides: [FieldSetting<ServerField>] = []
  /// Tags that the last apply listed and that were removed since.
  package var lostTags: [Text] = []
  /// Users whom the last apply listed and who are not members (now): removed or gone since, or only invited yet.
  package var absentees: [UserIndex: Listing] = [:]

  package init() {}
}

/// A server with all that is loaded of it.
package struct Server: Sendable {
  /// The state's own number; 0 until it is stored.
  package var number: UInt32 = 0
  /// 22 characters `0-9A-Za-z`, assigned once.
  package var id: Text
  package var handle: Text
  package var attributes: ServerAttributes
  package var owner: UserIndex
  /// Unix milliseconds, UTC.
  package var created: Int64
  /// The stack that manages it.
  package var stack: Text?
  package var settings = ServerSettings()
  package var base = ServerBase()
  package var tags: [Tag] = []
  /// Those loaded; `memberCount` and `moderatorCount` are right even when only some are.
  package var members = MemberSet()
  package var memberCount = 0
  package var moderatorCount = 0
  package var invitations = Invitations()
  package var refusals: [UserIndex: Refusal] = [:]
  package var isDestroyed = false

  package init(id: Text, handle: Text, attributes: ServerAttributes, owner: UserIndex, created: Int64) {
    self.id = id
    self.handle = handle
    self.attributes = attributes
    self.owner = owner
    self.created = created
  }

  package var type: ServerType {
    attributes[.type].flatMap { ServerType(word: $0.string) } ?? .public
  }
}
