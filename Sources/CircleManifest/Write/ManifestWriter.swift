package import CircleModel
package import JSONText

/// Writes users and servers as one canonical manifest, so that reading it gives the same texts back.
///
///     var writer = ManifestWriter(names: names)
///     for user in users { writer.writeUser(user, profile: …, devices: …) }
///     for server in servers { writer.writeServer(handle: …, …) }
///
/// Users are to come by lower-cased id (`UserNames.ranks()` gives that order), servers by the bytes of their handles, all
/// users before the first server. Between two calls `buffer` may be drained.
package struct ManifestWriter: ~Copyable {
  /// What was written and not drained yet.
  package var buffer = ByteBuffer(capacity: ByteBuffer.piece)

  private enum Section { case none, users, servers }

  private var names: UserNames
  private var ranks: ContiguousArray<UInt32>
  private var section = Section.none

  /// - Parameters:
  ///   - names: the ids of all users who will be named, as they are to be spelt.
  ///   - ranks: each user's rank by lower-cased id, as `names.ranks()` gives it, where it is known already.
  package init(names: UserNames, ranks: ContiguousArray<UInt32>? = nil) {
    self.names = names
    self.ranks = ranks ?? names.ranks()
    buffer.append("version: 1\n")
  }

  /// Takes the ids of further users, of whom entries of `users` are to be written and nothing else.
  package mutating func adopt(_ names: UserNames) {
    self.names = names
    ranks = []
  }

  /// Writes an entry of `users` with the fields that are set.
  ///
  /// - Parameter cleared: fields, and `.devices`, that the manifest says are unset.
  package mutating func writeUser(
    _ user: UserIndex, profile: UserProfile, devices: [Text], cleared: FieldMask = []
  ) {
    begin(.users, "\nusers:\n")
    buffer.append("  ")
    append(user)
    if profile.isEmpty && devices.isEmpty && cleared.isEmpty {
      buffer.append(": {}\n")
      return
    }
    buffer.append(":\n")
    for entry in profile.entries {
      guard let key = UserKey(rawValue: entry.key) else { continue }
      append(key.word, entry.value)
    }
    append(UserKey.devices.word, devices)
    for field in UserField.allCases where cleared.contains(FieldMask(field)) {
      guard let key = UserKey(rawValue: field.rawValue) else { continue }
      buffer.append("    ")
      buffer.append(key.word)
      buffer.append(": null\n")
    }
    if cleared.contains(.devices) { buffer.append("    devices: []\n") }
  }

  /// Writes an entry of `servers`; what is not set, and a list of nobody, is left out.
  ///
  /// - Parameters:
  ///   - attributes: `type` only where it is not public.
  ///   - moderators: in any order.
  ///   - members: those with the role `user`, in any order; written also when empty where `membership` is `exact`, which
  ///     needs the list.
  ///   - settings: `join` is not looked at: an export says `direct`, so that applying it brings all in at once.
  package mutating func writeServer(
    handle: Text, owner: UserIndex, attributes: ServerAttributes, tags: [Text], moderators: [UserIndex],
    members: [UserIndex], settings: ServerSettings
  ) {
    begin(.servers, "\nservers:\n")
    buffer.append("  ")
    append(handle, .key)
    buffer.append(":\n")
    if let name = attributes[.name] { append(ServerKey.name.word, name) }
    buffer.append("    owner: ")
    append(owner)
    buffer.append(UInt8(ascii: "\n"))
    for entry in attributes.entries where entry.key != ServerField.name.rawValue {
      guard let key = ServerKey(rawValue: entry.key) else { continue }
      append(key.word, entry.value)
    }
    append(ServerKey.tags.word, tags)
    append(ServerKey.moderators.word, moderators)
    append(ServerKey.members.word, members)
    if members.isEmpty, settings.membership == .exact { buffer.append("    members: []\n") }
    if let membership = settings.membership { append(ServerKey.membership.word, Text(membership.word)) }
    buffer.append("    join: direct\n")
    if let welcome = settings.welcome { append(ServerKey.welcome.word, welcome) }
    if let protect = settings.protect { buffer.append(protect ? "    protect: true\n" : "    protect: false\n") }
  }

  private mutating func begin(_ next: Section, _ header: StaticString) {
    if section != next { buffer.append(header) }
    section = next
  }

  // MARK: Parts

  private mutating func append(_ key: StaticString, _ value: Text) {
    buffer.append("    ")
    buffer.append(key)
    buffer.append(": ")
    append(value, .block)
    buffer.append(UInt8(ascii: "\n"))
  }

  /// A short list, on one line.
  private mutating func append(_ key: StaticString, _ values: [Text]) {
    if values.isEmpty { return }
    buffer.append("    ")
    buffer.append(key)
    buffer.append(": [")
    for index in values.indices {
      if index > 0 { buffer.append(", ") }
      append(values[index], .flow)
    }
    buffer.append("]\n")
  }

  /// A list of users, one a line, by lower-cased id.
  private mutating func append(_ key: StaticString, _ users: [UserIndex]) {
    if users.isEmpty { return }
    buffer.append("    ")
    buffer.append(key)
    buffer.append(":\n")
    var order = users.map { UInt64(ranks[$0.position]) << 32 | UInt64($0.raw) }
    order.sort()
    for entry in order {
      buffer.append("      - ")
      append(UserIndex(UInt32(truncatingIfNeeded: entry)))
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  private mutating func append(_ user: UserIndex) {
    names.withSpelling(of: user) { id in
      // Letters, digits, `_`, `@`, `.` and `-` make plain text unless the beginning or the whole means something else.
      let isPlain = id.count != 4 && (id.first ?? 0) >= UInt8(ascii: "0") && id.first != UInt8(ascii: "@")
      if isPlain {
        buffer.append(bytes: UnsafeRawBufferPointer(id))
      } else {
        buffer.append(scalar: id, .flow)
      }
    }
  }

  private mutating func append(_ text: Text, _ position: ScalarPosition) {
    text.withBytes { buffer.append(scalar: $0, position) }
  }
}
