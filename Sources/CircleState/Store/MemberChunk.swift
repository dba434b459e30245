import CircleModel

/// Up to 512 memberships of one server in one row, by user number.
///
/// The row's key is (server, first user). Columns: differences of user numbers, flags, times; a column whose values
/// are all the same is one value.
struct MemberChunk {
  static let capacity = 512

  struct Entry {
    var user: UInt32
    var flags: UInt8
    var joinedAt: Int64
  }

  static func write(_ writer: inout PackedWriter, _ entries: ArraySlice<Entry>) {
    writer.count(entries.count)
    var last: UInt32 = 0
    for entry in entries {
      writer.number(entry.user - last)
      last = entry.user
    }
    let start = entries.startIndex
    writer.column(entries.count) { Int64(entries[start + $0].flags) }
    writer.column(entries.count) { entries[start + $0].joinedAt }
  }

  static func read(_ row: UnsafeRawBufferPointer, into entries: inout [Entry]) throws(StateError) {
    var reader = PackedReader(row)
    let count = try reader.count()
    // A chunk that has lost its last member goes.
    guard count > 0 else { throw PackedReader.damaged }
    var last: UInt32 = 0
    let start = entries.count
    for _ in 0..<count {
      last = try reader.ascending(from: last)
      entries.append(Entry(user: last, flags: 0, joinedAt: 0))
    }
    let flags = try reader.column(count)
    let times = try reader.column(count)
    for position in 0..<count {
      guard let byte = UInt8(exactly: flags[position]) else { throw PackedReader.damaged }
      entries[start + position].flags = byte
      entries[start + position].joinedAt = times[position]
    }
    guard reader.isAtEnd else { throw PackedReader.damaged }
  }
}

/// A pending invitation's row; the pair is in its key.
enum InvitationRow {
  static func write(_ writer: inout PackedWriter, _ invitation: Invitation) {
    writer.optional(invitation.welcome)
    writer.signed(invitation.createdAt)
  }

  static func read(
    _ row: UnsafeRawBufferPointer, inviter: UserIndex, invitee: UserIndex
  ) throws(StateError) -> Invitation {
    var reader = PackedReader(row)
    let welcome = try reader.optional()
    return Invitation(inviter: inviter, invitee: invitee, welcome: welcome, createdAt: try reader.signed())
  }
}

/// What is remembered of a user who is not a member: a refusal, and what the last apply listed him as.
struct Mark: Equatable {
  var refusal: Refusal?
  var listing: Listing

  var byte: UInt8 { (refusal?.rawValue ?? 0) | listing.rawValue << 2 }

  init(refusal: Refusal?, listing: Listing) {
    self.refusal = refusal
    self.listing = listing
  }

  init(_ row: UnsafeRawBufferPointer) throws(StateError) {
    guard row.count == 1, row[0] < 16, row[0] & 3 < 3 else { throw PackedReader.damaged }
    refusal = Refusal(rawValue: row[0] & 3)
    listing = Listing(rawValue: row[0] >> 2)
  }
}
