import CircleModel
import Diagnostics

/// Writes records of one kind and one server as one block of the log: packed columns, with textual ids.
///
/// A block has no row number, host or duration in it: it is the canonical encoding that a run's hash covers, and all
/// stores hold the same bytes.
///
/// Layout: version, kind, first seq, count, server id, handle, flags, actor; then the columns user, (actor), audience,
/// devices, member, joinedAt, rule, file, line, column; then one detail a record for the kinds that have one; then the
/// names of the files that the file column counts.
struct LogBlockWriter {
  static let version: UInt8 = 1
  /// Records of one block at the most.
  static let capacity = 4096

  let outcome: Outcome
  let names: UserNames
  /// The path of an input file as a report shows it.
  let path: (FileIndex) -> String

  private var files: [FileIndex: Int] = [:]
  private var paths: [String] = []

  init(outcome: Outcome, names: UserNames, path: @escaping (FileIndex) -> String) {
    self.outcome = outcome
    self.names = names
    self.path = path
  }

  /// - Parameters:
  ///   - range: records of one kind, one server and one `isAdministrative`, at most `capacity`.
  ///   - serverID: empty for an operation on users.
  ///   - handle: as it was at that moment.
  mutating func write(
    _ writer: inout PackedWriter, _ range: Range<Int>, firstSeq: Int64, serverID: Text, handle: Text
  ) {
    let records = outcome.records
    let start = range.lowerBound
    let first = records[start]
    files.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
    writer.byte(Self.version)
    writer.byte(first.kind.rawValue)
    writer.signed(firstSeq)
    writer.count(range.count)
    writer.text(serverID)
    writer.text(handle)
    writer.byte(first.isAdministrative ? 1 : 0)
    writeUsers(&writer, range)
    writer.column(range.count) { Int64(records[start + $0].audience) }
    writer.column(range.count) { Int64(records[start + $0].devices) }
    writer.column(range.count) { RecordFlags.pack(records[start + $0]) }
    writer.column(range.count) { records[start + $0].joinedAt }
    writer.column(range.count) { Int64(records[start + $0].rule.rawValue) }
    writePlaces(&writer, range.count) { records[start + $0].place }
    if first.detail >= 0 {
      for position in range {
        if let detail = outcome.detail(of: records[position]) { write(&writer, detail) }
      }
    }
    writer.count(paths.count)
    for path in paths { writer.text(path) }
  }

  private func writeUsers(_ writer: inout PackedWriter, _ range: Range<Int>) {
    let records = outcome.records
    let first = records[range.lowerBound]
    if first.user == .none {
      writer.byte(0)
    } else {
      writer.byte(1)
      for position in range { names.withSpelling(of: records[position].user) { writer.text($0) } }
    }
    if range.allSatisfy({ records[$0].actor == records[$0].user }) {
      writer.byte(ActorColumn.sameAsUser.rawValue)
    } else if range.allSatisfy({ records[$0].actor == first.actor }) {
      writer.byte(ActorColumn.constant.rawValue)
      writer.user(first.actor, names)
    } else {
      writer.byte(ActorColumn.each.rawValue)
      for position in range { writer.user(records[position].actor, names) }
    }
  }

  private mutating func writePlaces(_ writer: inout PackedWriter, _ count: Int, _ place: (Int) -> Place) {
    var slots = ContiguousArray<Int64>(repeating: 0, count: count)
    var last = Place.none
    var lastSlot: Int64 = 0
    for position in 0..<count {
      let next = place(position)
      if next.isKnown, !last.isKnown || next.file != last.file { lastSlot = Int64(slot(of: next.file)) }
      slots[position] = next.isKnown ? lastSlot : 0
      if next.isKnown { last = next }
    }
    writer.column(count) { slots[$0] }
    writer.column(count) { Int64(place($0).line) }
    writer.column(count) { Int64(place($0).column) }
  }

  private mutating func slot(of file: FileIndex) -> Int {
    if let slot = files[file] { return slot }
    paths.append(path(file))
    files[file] = paths.count
    return paths.count
  }

  private mutating func write(_ writer: inout PackedWriter, _ detail: Detail) {
    switch detail {
    case .removed(let members):
      writer.count(members.count)
      for removed in members { writer.user(removed.member.user, names) }
      writer.column(members.count) { Int64(MemberFlags.byte(members[$0].member)) }
      writer.column(members.count) { members[$0].member.joinedAt }
      writer.column(members.count) { Int64(members[$0].rule.rawValue) }
      writer.column(members.count) { Int64(members[$0].listingAfter.rawValue) }
      writePlaces(&writer, members.count) { members[$0].place }
    case .updated(let changes, let places, let attributes):
      writer.changes(changes) { $0.rawValue }
      writePlaces(&writer, changes.count) { $0 < places.count ? places[$0] : .none }
      writer.values(attributes.list)
    case .profile(let changes, let places):
      writer.changes(changes) { $0.rawValue }
      writePlaces(&writer, changes.count) { $0 < places.count ? places[$0] : .none }
    case .tags(let tags, let places):
      writer.count(tags.count)
      for tag in tags {
        writer.text(tag.id)
        writer.text(tag.name)
        writer.byte(tag.isListed ? 1 : 0)
      }
      writePlaces(&writer, tags.count) { $0 < places.count ? places[$0] : .none }
    default:
      writer.detail(detail, names)
    }
  }
}

/// How the actors of a block are told.
enum ActorColumn: UInt8 {
  case sameAsUser = 0
  case constant = 1
  case each = 2
}

/// The small facts of a record in one number of a column.
enum RecordFlags {
  static func pack(_ record: Record) -> Int64 {
    let before = record.roleBefore.map { $0.rawValue + 1 } ?? 0
    let after = record.roleAfter.map { $0.rawValue + 1 } ?? 0
    return Int64(before) | Int64(after) << 2 | Int64(record.listingBefore.rawValue) << 4
      | Int64(record.listingAfter.rawValue) << 6 | (record.accepted ? 256 : 0)
  }

  static func unpack(_ flags: Int64, into record: inout Record) throws(StateError) {
    guard 0..<512 ~= flags else { throw PackedReader.damaged }
    record.roleBefore = flags & 3 == 0 ? nil : Role(rawValue: UInt8(flags & 3) - 1)
    record.roleAfter = flags >> 2 & 3 == 0 ? nil : Role(rawValue: UInt8(flags >> 2 & 3) - 1)
    record.listingBefore = Listing(rawValue: UInt8(flags >> 4 & 3))
    record.listingAfter = Listing(rawValue: UInt8(flags >> 6 & 3))
    record.accepted = flags & 256 != 0
  }
}

extension PackedWriter {
  /// A user's id; the empty text is no user.
  mutating func user(_ user: UserIndex, _ names: UserNames) {
    if user == .none {
      count(0)
    } else {
      names.withSpelling(of: user) { text($0) }
    }
  }

  mutating func changes<Field>(_ changes: [FieldChange<Field>], _ key: (Field) -> UInt8) {
    count(changes.count)
    for change in changes {
      byte(key(change.field))
      optional(change.before)
      optional(change.after)
    }
  }
}
