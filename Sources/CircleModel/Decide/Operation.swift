package import Diagnostics

/// What there is to do; also the kind of a log record, so the raw values are part of the stored format.
package enum OperationKind: UInt8, CaseIterable, Sendable {
  case createServer = 1
  case updateServer = 2
  case destroyServer = 3
  case addTags = 4
  case removeTags = 5
  case inviteUser = 6
  case acceptInvitation = 7
  case declineInvitation = 8
  case joinServer = 9
  case leaveServer = 10
  case removeUsers = 11
  case addModerator = 12
  case removeModerator = 13
  case registerUser = 32
  case updateUser = 33
  case setDevices = 34
  case renameHandle = 35
  case adoptServer = 36
  case releaseServer = 37
  case setServerSettings = 38
  case markServer = 39
  case markUser = 40
  case withdrawInvitation = 41
  case setLimit = 42

  /// The SDK's name of the operation, or our own for those that it has not.
  package var word: String {
    switch self {
    case .createServer: "createServer"
    case .updateServer: "updateServer"
    case .destroyServer: "destroyServer"
    case .addTags: "addTagsToServer"
    case .removeTags: "removeTagsFromServer"
    case .inviteUser: "inviteUserToServer"
    case .acceptInvitation: "acceptServerInvitation"
    case .declineInvitation: "declineServerInvitation"
    case .joinServer: "joinServer"
    case .leaveServer: "leaveServer"
    case .removeUsers: "removeUserFromServer"
    case .addModerator: "addModeratorToServer"
    case .removeModerator: "removeModeratorFromServer"
    case .registerUser: "registerUser"
    case .updateUser: "updateUser"
    case .setDevices: "setDevices"
    case .renameHandle: "renameHandle"
    case .adoptServer: "adoptServer"
    case .releaseServer: "releaseServer"
    case .setServerSettings: "setServerSettings"
    case .markServer, .markUser: "markManaged"
    case .withdrawInvitation: "withdrawInvitation"
    case .setLimit: "setLimit"
    }
  }
}

/// A server to be born. Every server has a handle from birth: one that is nil is made from the name.
package struct NewServer: Equatable, Sendable {
  package var handle: Text?
  package var attributes: ServerAttributes
  package var owner: UserIndex
  package var stack: Text?

  package init(handle: Text?, attributes: ServerAttributes, owner: UserIndex, stack: Text? = nil) {
    self.handle = handle
    self.attributes = attributes
    self.owner = owner
    self.stack = stack
  }
}

/// A value to set: nil inside clears it.
package struct FieldSetting<Field: Sendable & Equatable>: Equatable, Sendable {
  package var field: Field
  package var value: Text?
  package var place: Place

  package init(_ field: Field, _ value: Text?, at place: Place = .none) {
    self.field = field
    self.value = value
    self.place = place
  }
}

/// A user to remove, with the rule that asks for it: one removal of many users has many reasons.
package struct Removal: Equatable, Sendable {
  package var user: UserIndex
  package var rule: Rule
  package var place: Place

  package init(_ user: UserIndex, _ rule: Rule = .command, at place: Place = .none) {
    self.user = user
    self.rule = rule
    self.place = place
  }
}

/// What an apply notes of a server when all else is done: what its manifest managed and listed.
package struct ServerMarks: Equatable, Sendable {
  package var managed: FieldMask
  /// Users whose listing is not yet what this apply's manifests say, with what it becomes.
  package var listings: [(user: UserIndex, listing: Listing)]
  /// The tags that are listed; nil where the manifest leaves `tags` out.
  package var tags: [Text]?
  /// Fields, and with `.tags` lost tags, whose base stays what an earlier apply left: a saved plan knows nothing of what
  /// was changed after it was made.
  package var kept: FieldMask

  package init(
    managed: FieldMask, listings: [(user: UserIndex, listing: Listing)], tags: [Text]?, kept: FieldMask = []
  ) {
    self.managed = managed
    self.listings = listings
    self.tags = tags
    self.kept = kept
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.managed == right.managed && left.tags == right.tags && left.kept == right.kept
      && left.listings.elementsEqual(right.listings) { $0.user == $1.user && $0.listing == $1.listing }
  }
}

/// One step of a run: an operation of the SDK, or an administrative one that emits no event.
package enum Operation: Sendable {
  case createServer(NewServer)
  case updateServer(ServerIndex, [FieldSetting<ServerField>])
  case destroyServer(ServerIndex)
  case addTags(ServerIndex, [Given<Text>])
  /// By tag id; one unknown refuses the call.
  case removeTags(ServerIndex, [Text])
  case inviteUser(ServerIndex, UserIndex, welcome: Text?)
  /// The invitee is the actor; an administrator acts for `invitee`.
  case acceptInvitation(ServerIndex, inviter: UserIndex, invitee: UserIndex)
  case declineInvitation(ServerIndex, inviter: UserIndex, invitee: UserIndex)
  case joinServer(ServerIndex, UserIndex)
  case leaveServer(ServerIndex, UserIndex)
  /// 1…n users, in the order given, one named twice counts once; all or none.
  case removeUsers(ServerIndex, [Removal])
  case addModerator(ServerIndex, UserIndex)
  case removeModerator(ServerIndex, UserIndex)

  /// An apply registers and marks at once: `managed` is what its manifests name.
  ///
  /// Of a million rows of a table each text was held against its rule when it was read, and what is not stored was left
  /// out: `isChecked` says so, and it is not done again.
  case registerUser(UserIndex, UserProfile, devices: [Text], managed: FieldMask = [], isChecked: Bool = false)
  case updateUser(UserIndex, [FieldSetting<UserField>])
  case setDevices(UserIndex, [Text])
  case renameHandle(ServerIndex, Text)
  case adoptServer(ServerIndex, stack: Text)
  case releaseServer(ServerIndex)
  /// Only what is not nil is set.
  case setServerSettings(ServerIndex, ServerSettings, clearsWelcome: Bool)
  case markServer(ServerIndex, ServerMarks)
  case markUser(UserIndex, FieldMask)
  /// The inviter's own, or without one all pending invitations of that invitee.
  case withdrawInvitation(ServerIndex, UserIndex, inviter: UserIndex?)
  case setLimit(LimitKind, Int)

  package var kind: OperationKind {
    switch self {
    case .createServer: .createServer
    case .updateServer: .updateServer
    case .destroyServer: .destroyServer
    case .addTags: .addTags
    case .removeTags: .removeTags
    case .inviteUser: .inviteUser
    case .acceptInvitation: .acceptInvitation
    case .declineInvitation: .declineInvitation
    case .joinServer: .joinServer
    case .leaveServer: .leaveServer
    case .removeUsers: .removeUsers
    case .addModerator: .addModerator
    case .removeModerator: .removeModerator
    case .registerUser: .registerUser
    case .updateUser: .updateUser
    case .setDevices: .setDevices
    case .renameHandle: .renameHandle
    case .adoptServer: .adoptServer
    case .releaseServer: .releaseServer
    case .setServerSettings: .setServerSettings
    case .markServer: .markServer
    case .markUser: .markUser
    case .withdrawInvitation: .withdrawInvitation
    case .setLimit: .setLimit
    }
  }
}

/// On whose behalf operations run.
package enum Authority: Equatable, Sendable {
  /// Acts with the authority and in the name of the owner, or of the user concerned; on none of his own devices.
  case administrator
  /// Exactly that user's rights; he acts on `device`, or on none of his registered ones.
  case user(UserIndex, device: Text?)
}

/// Which rule of a manifest set, or which command, asked for an operation; kept in the log for `why`.
package enum Rule: UInt8, Sendable, CaseIterable {
  case command = 0
  case manifest = 1
  /// Listed by the last apply, no longer by this one.
  case noLongerListed = 2
  case exactMembership = 3
  case absent = 4
  case moderatorsComplete = 5
  case tagsComplete = 6
  case prune = 7
  case registerOption = 8
  case renamedFrom = 9
  case adoption = 10

  package var word: String {
    switch self {
    case .command: "command"
    case .manifest: "manifest"
    case .noLongerListed: "no-longer-listed"
    case .exactMembership: "exact-membership"
    case .absent: "absent"
    case .moderatorsComplete: "moderators-complete"
    case .tagsComplete: "tags-complete"
    case .prune: "prune"
    case .registerOption: "register-option"
    case .renamedFrom: "renamed-from"
    case .adoption: "adoption"
    }
  }
}

/// Where an operation comes from, and what its apply lists the user as.
package struct Origin: Sendable {
  package var rule: Rule
  package var place: Place
  /// Only for operations that make or change a membership in an apply: the listing it has afterwards; nil keeps it.
  package var listing: Listing?

  package init(_ rule: Rule, at place: Place = .none, listing: Listing? = nil) {
    self.rule = rule
    self.place = place
    self.listing = listing
  }

  package static let command = Origin(.command)
}
