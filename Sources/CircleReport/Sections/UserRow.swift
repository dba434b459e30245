/// A user as he is shown.
package struct UserRow: Equatable, Sendable {
  /// Who says so.
  package enum Source: String, CaseIterable, Sendable {
    /// The profile that the state keeps.
    case state
    /// The file of a provider.
    case file
    /// What a provider's command answered in an earlier run.
    case cache
    /// What a provider's command answered now.
    case fetch
  }

  /// A field that is set.
  package struct Field: Equatable, Sendable {
    /// As in manifests and tables.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var userID: String
  /// In the order of the fields.
  package var fields: [Field]
  /// Whether the state has the user.
  package var isRegistered: Bool
  package var source: Source
  /// The provider's name.
  package var provider: String?

  package init(userID: String, fields: [Field], isRegistered: Bool, source: Source, provider: String? = nil) {
    self.userID = userID
    self.fields = fields
    self.isRegistered = isRegistered
    self.source = source
    self.provider = provider
  }
}

extension RecordList {
  /// Users with the fields that any of them has.
  init(_ users: [UserRow]) {
    var names: [String] = []
    for user in users {
      for field in user.fields where !names.contains(field.name) { names.append(field.name) }
    }
    self.init(
      "user", "users",
      [Column("userId", "user")] + names.map { Column("field", $0) } + [Column("source", "shown by")],
      rows: users.map { user in
        [.text(user.userID)]
          + names.map { name in Value(user.fields.first { $0.name == name }?.value) }
          + [.text(user.provider ?? user.source.rawValue)]
      })
  }
}
