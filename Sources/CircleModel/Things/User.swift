/// A user with all that is loaded of him; the id is in `UserNames` at the same place. 16 bytes, so that looking at one
/// of 200,000 touches one cache line.
package struct User: Sendable {
  /// The state's own number; 0 until it is stored.
  package var number: UInt32 = 0
  /// Servers that he owns: counts against the created-limit.
  package var owned: UInt32 = 0
  /// Servers that he is in as moderator or user: counts against the joined-limit.
  package var joined: UInt32 = 0
  /// The fields that an apply of any stack named.
  package var managed: FieldMask = []
  package var isRegistered = false

  package init() {}
}

/// What few runs look at, kept beside the dense `User` rows and only where there is something.
package struct UserDetail: Equatable, Sendable {
  package var profile = UserProfile()
  /// Names of the devices on which he is signed in, 1–64 bytes each.
  package var devices: [Text] = []
  /// Managed fields that were changed since the last apply, with the value that it left.
  package var overrides: [FieldSetting<UserField>] = []
  /// The devices that the last apply left, where they were changed since.
  package var devicesOverride: [Text]?

  package init() {}

  package var isEmpty: Bool {
    profile.isEmpty && devices.isEmpty && overrides.isEmpty && devicesOverride == nil
  }
}
