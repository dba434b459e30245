package import Diagnostics

/// A value and where a manifest gives it.
package struct Given<Value: Sendable>: Sendable {
  package var value: Value
  package var place: Place

  package init(_ value: Value, at place: Place) {
    self.value = value
    self.place = place
  }
}

extension Given: Equatable where Value: Equatable {}

extension Given where Value == Text {
  /// The same for a text alone, of which other modules make a million: there the general one is not specialised.
  package init(_ text: Text, at place: Place) {
    value = text
    self.place = place
  }
}

/// A field that a manifest manages: a value, or nil to clear it.
package struct DesiredField<Field: Sendable & Equatable>: Equatable, Sendable {
  package var field: Field
  package var value: Text?
  package var place: Place

  package init(_ field: Field, _ value: Text?, at place: Place) {
    self.field = field
    self.value = value
    self.place = place
  }
}

/// A user in a list, and where the list, the group or the file names him.
package struct Listed: Equatable, Sendable {
  package var user: UserIndex
  package var place: Place

  package init(_ user: UserIndex, at place: Place) {
    self.user = user
    self.place = place
  }
}

/// An entry of `users`.
package struct DesiredUser: Sendable {
  package var user: UserIndex
  package var place: Place
  /// In the order of the fields' raw values.
  package var fields: [DesiredField<UserField>]
  /// nil: left out, not managed.
  package var devices: Given<[Text]>?

  package init(
    _ user: UserIndex, at place: Place, fields: [DesiredField<UserField>] = [], devices: Given<[Text]>? = nil
  ) {
    self.user = user
    self.place = place
    self.fields = fields
    self.devices = devices
  }
}

/// An entry of `servers`, with the file's defaults filled in. What is nil is left out and not managed.
package struct DesiredServer: Sendable {
  package var handle: Text
  package var place: Place
  /// In the order of the fields' raw values; `type` as `public` or `private`.
  package var attributes: [DesiredField<ServerField>] = []
  package var owner: Given<UserIndex>?
  /// In written order, no name twice.
  package var tags: Given<[Given<Text>]>?
  /// Sorted by user index, no user twice; may still contain the owner.
  package var moderators: Given<ContiguousArray<Listed>>?
  /// Sorted by user index, no user twice; may contain the owner and moderators.
  package var members: Given<ContiguousArray<Listed>>?
  /// Sorted by user index, no user twice.
  package var absent = ContiguousArray<Listed>()
  package var membership: Given<MembershipMode>?
  package var join: Given<JoinMode>?
  /// nil inside: cleared.
  package var welcome: Given<Text?>?
  package var protect: Given<Bool>?
  package var renamedFrom: [Given<Text>] = []
  package var serverID: Given<Text>?

  package init(handle: Text, at place: Place) {
    self.handle = handle
    self.place = place
  }

  package func attribute(_ field: ServerField) -> DesiredField<ServerField>? {
    attributes.first { $0.field == field }
  }
}

/// What a manifest set asks for, all files merged.
package struct DesiredState: Sendable {
  /// All user ids that the set names, also those only in `absent`.
  package var names: UserNames
  /// In written order, no user twice.
  package var users: ContiguousArray<DesiredUser>
  /// In written order, no handle twice.
  package var servers: ContiguousArray<DesiredServer>
  /// For each name where it stands first outside `absent`, `.none` for the others: it must be registered.
  package var mentions: ContiguousArray<Place>
  /// How many groups the set defines; what they stand for is in the lists already.
  package var groupCount: Int

  package init(
    names: UserNames = UserNames(), users: ContiguousArray<DesiredUser> = [],
    servers: ContiguousArray<DesiredServer> = [], mentions: ContiguousArray<Place> = [], groupCount: Int = 0
  ) {
    self.names = names
    self.users = users
    self.servers = servers
    self.mentions = mentions
    self.groupCount = groupCount
  }
}
