import CircleModel

/// A user as stored: spelling, mask of managed fields, his (server, role) list, and last what few runs look at.
///
/// The list is also the limits' count. `detail` stays packed, so that a run that changes memberships only carries it
/// along unread.
struct UserRow {
  var spelling: UnsafeBufferPointer<UInt8>
  var managed: FieldMask
  /// (server number << 2 | role), ascending.
  var joined: ContiguousArray<UInt64>
  var detail: UnsafeRawBufferPointer

  init(_ row: UnsafeRawBufferPointer) throws(StateError) {
    var reader = PackedReader(row)
    spelling = try reader.text()
    managed = FieldMask(rawValue: UInt16(truncatingIfNeeded: try reader.number()))
    let count = try reader.count()
    joined = []
    joined.reserveCapacity(count)
    var last: UInt64 = 0
    for _ in 0..<count {
      last = try reader.ascending(from: last)
      joined.append(last)
    }
    detail = reader.rest
  }

  /// Only the counts and the spelling, for a load that looks at every user.
  static func counts(
    _ row: UnsafeRawBufferPointer
  ) throws(StateError) -> (
    spelling: UnsafeBufferPointer<UInt8>, managed: FieldMask, owned: UInt32, joined: UInt32,
    detail: UnsafeRawBufferPointer
  ) {
    var reader = PackedReader(row)
    let spelling = try reader.text()
    let managed = FieldMask(rawValue: UInt16(truncatingIfNeeded: try reader.number()))
    let count = try reader.count()
    var owned: UInt32 = 0
    var last: UInt64 = 0
    for _ in 0..<count {
      last = try reader.ascending(from: last)
      if last & 3 == 0 { owned += 1 }
    }
    return (spelling, managed, owned, UInt32(truncatingIfNeeded: count) - owned, reader.rest)
  }

  /// All but the detail, which follows.
  static func write(
    _ writer: inout PackedWriter, spelling: UnsafeBufferPointer<UInt8>, managed: FieldMask,
    joined: ContiguousArray<UInt64>
  ) {
    writer.text(spelling)
    writer.number(UInt64(managed.rawValue))
    writer.count(joined.count)
    var last: UInt64 = 0
    for entry in joined {
      writer.number(entry - last)
      last = entry
    }
  }
}

extension UserRow {
  /// The same for a user who is in no server yet.
  ///
  /// - Parameter changes: (server number << 2 | role, or 3 for none) in their lowest 33 bits, ascending.
  static func write(
    _ writer: inout PackedWriter, spelling: UnsafeBufferPointer<UInt8>, managed: FieldMask,
    joined changes: ArraySlice<UInt64>
  ) {
    writer.text(spelling)
    writer.number(UInt64(managed.rawValue))
    writer.count(changes.reduce(0) { $0 + ($1 & 3 == 3 ? 0 : 1) })
    let mask: UInt64 = 1 << 33 - 1
    var last: UInt64 = 0
    for change in changes where change & 3 != 3 {
      writer.number(change & mask - last)
      last = change & mask
    }
  }
}

extension UserDetail {
  /// Empty bytes are an empty detail.
  init(packed: UnsafeRawBufferPointer) throws(StateError) {
    self.init()
    guard !packed.isEmpty else { return }
    var reader = PackedReader(packed)
    profile = try reader.userProfile()
    devices = try reader.texts()
    for _ in 0..<(try reader.count()) {
      overrides.append(FieldSetting(try reader.userField(), try reader.optional()))
    }
    if try reader.flag() { devicesOverride = try reader.texts() }
  }

  func write(_ writer: inout PackedWriter) {
    guard !isEmpty else { return }
    writer.values(profile.list)
    writer.texts(devices)
    writer.count(overrides.count)
    for override in overrides {
      writer.byte(override.field.rawValue)
      writer.optional(override.value)
    }
    writer.byte(devicesOverride == nil ? 0 : 1)
    if let devicesOverride { writer.texts(devicesOverride) }
  }
}
