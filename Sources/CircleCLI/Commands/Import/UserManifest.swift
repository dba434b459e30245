import CircleManifest
import CircleModel
import CircleTables
import JSONText

/// The users of tables as a manifest, written as they come.
struct UserManifest: ~Copyable {
  /// What one record says, as a manifest has it.
  struct Entry {
    var id: String
    var profile = UserProfile()
    var devices: [Text] = []
    /// What is to be unset.
    var cleared: FieldMask = []

    init(_ record: UserRecord) {
      id = String(decoding: record.id, as: UTF8.self)
      var (profile, devices, cleared) = (UserProfile(), [Text](), FieldMask())
      record.forEachField { number, text in
        if let field = UserField(rawValue: UInt8(number)) {
          if text.isEmpty { cleared.insert(FieldMask(field)) } else { profile[field] = Text(text) }
        } else {
          devices = UserRecord.devices(text)
          if devices.isEmpty { cleared.insert(.devices) }
        }
      }
      (self.profile, self.devices, self.cleared) = (profile, devices, cleared)
    }
  }

  private var writer = ManifestWriter(names: UserNames())
  /// Users whose ids are in memory at a time.
  private static let batch = 4096

  init() {}

  /// Writes all users that `next` gives, until it gives none.
  ///
  /// - Parameter drain: takes the bytes that wait.
  /// - Returns: how many users there are.
  mutating func write<Failure: Error>(
    _ next: () throws(Failure) -> Entry?, drain: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    var count = 0
    while true {
      var entries: [Entry] = []
      var names = UserNames()
      while entries.count < Self.batch, let entry = try next() {
        _ = names.intern(entry.id)
        entries.append(entry)
      }
      guard !entries.isEmpty else { break }
      writer.adopt(names)
      for (position, entry) in entries.enumerated() {
        writer.writeUser(
          UserIndex(position), profile: entry.profile, devices: entry.devices, cleared: entry.cleared)
      }
      count += entries.count
      try writer.buffer.drain(atLeast: 1, into: drain)
    }
    try writer.buffer.drain(atLeast: 1, into: drain)
    return count
  }
}
