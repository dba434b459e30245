package import CircleModel
package import Diagnostics

/// One difference between what manifests ask for and what is: a line of a diff.
///
/// A plan may hold a million of them, so it is 40 bytes and keeps its texts in `Plan.texts`.
package struct Change: Sendable {
  /// What a difference means, by the value last applied.
  package enum Kind: UInt8, CaseIterable, Sendable {
    /// The manifests ask for something new.
    case pending
    /// Something else than an apply changed what the manifests still ask for.
    case drift
    /// In the state, and this stack's manifests don't name it.
    case unmanaged
    /// Refused by a rule or a guard; `intent` says what it would have been.
    case blocked

    package var word: String {
      switch self {
      case .pending: "pending"
      case .drift: "drift"
      case .unmanaged: "unmanaged"
      case .blocked: "blocked"
      }
    }
  }

  package enum Object: UInt8, CaseIterable, Sendable {
    case server, handle, owner, attribute, tag, user, userField, devices, membership, role, invitation

    package var word: String {
      switch self {
      case .server: "server"
      case .handle: "handle"
      case .owner: "owner"
      case .attribute: "attribute"
      case .tag: "tag"
      case .user: "user"
      case .userField: "field"
      case .devices: "devices"
      case .membership: "member"
      case .role: "role"
      case .invitation: "invitation"
      }
    }
  }

  package enum Action: UInt8, CaseIterable, Sendable {
    case create, update, delete

    package var word: String {
      switch self {
      case .create: "create"
      case .update: "update"
      case .delete: "delete"
      }
    }
  }

  package var kind: Kind
  /// What it is, or would be if it were not blocked.
  package var intent: Kind
  package var object: Object
  /// `.update` for an unmanaged one, which the plan leaves alone.
  package var action: Action
  /// Raw value of the `ServerField` or `UserField` of an attribute or a field.
  package var field: UInt8 = 0
  package var rule: Rule
  /// Of a membership or role: what the user is before, nil for one who is no member.
  package var roleBefore: Role?
  /// Of a membership or role: what the user is afterwards.
  package var roleAfter: Role?
  /// `.none` for what concerns users only. In `Plan.result`; `.none` too for a server whose creation is blocked.
  package var server: ServerIndex
  package var user: UserIndex
  /// Index into `Plan.outcome.records`, or -1 for what no record tells: the blocked and the unmanaged.
  package var record: Int32 = -1
  /// Index into `Plan.texts`, or -1.
  package var text: Int32 = -1
  /// Index into `Plan.refusals`, or -1.
  package var refusal: Int32 = -1
  /// The manifest line that it comes from.
  package var place: Place

  package init(
    _ action: Action, _ object: Object, _ kind: Kind, server: ServerIndex = .none, user: UserIndex = .none,
    rule: Rule = .manifest, at place: Place
  ) {
    self.kind = kind
    self.intent = kind
    self.object = object
    self.action = action
    self.rule = rule
    self.server = server
    self.user = user
    self.place = place
  }

  package var serverField: ServerField? { object == .attribute ? ServerField(rawValue: field) : nil }
  package var userField: UserField? { object == .userField ? UserField(rawValue: field) : nil }
}

/// The value of a change before and after, where it is a text: an attribute, a tag's name, a server's handle, an owner's
/// id, a list of devices (joined by a comma and a blank).
package struct ChangeText: Equatable, Sendable {
  package var before: Text?
  package var after: Text?

  package init(before: Text? = nil, after: Text? = nil) {
    self.before = before
    self.after = after
  }
}
