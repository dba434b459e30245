import CircleModel
import Diagnostics

@testable import CircleState

/// The kinds of rows that a state holds, by the letter with which the fuzzer chooses one.
enum PackedRow: UInt8, CaseIterable {
  case head = 0x68  // h
  case user = 0x75  // u
  case server = 0x73  // s
  case members = 0x6D  // m
  case invitation = 0x69  // i
  case mark = 0x72  // r
  case run = 0x65  // e
  case block = 0x62  // b
  case checkpoint = 0x63  // c
  case pieces = 0x70  // p

  /// What the row of a table is.
  init?(_ table: StateTable, _ key: RowKey) {
    switch table {
    case .head: self = .head
    case .users: self = .user
    case .servers: self = .server
    case .members: self = .members
    case .invitations: self = .invitation
    case .marks: self = .mark
    case .runs: self = .run
    case .log: self = .block
    case .checkpoint: self = key == .first ? .checkpoint : .pieces
    case .logByServer: return nil
    }
  }

  /// The row decoded and encoded again.
  func again(_ row: UnsafeRawBufferPointer) throws(StateError) -> [UInt8] {
    switch self {
    case .head: return try Head(row).row
    case .run: return try Run(row, number: 1).row
    case .checkpoint: return try Checkpoint(row).row
    case .mark: return [try Mark(row).byte]
    case .block: return try Self.block(row)
    case .pieces: return try Self.pieces(row)
    case .user, .server, .members, .invitation: return try small(row)
    }
  }

  private func small(_ row: UnsafeRawBufferPointer) throws(StateError) -> [UInt8] {
    var writer = PackedWriter()
    switch self {
    case .user:
      let user = try UserRow(row)
      let detail = try UserDetail(packed: user.detail)
      UserRow.write(&writer, spelling: user.spelling, managed: user.managed, joined: user.joined)
      detail.write(&writer)
    case .server:
      let (server, owner) = try ServerRow.read(row)
      ServerRow.write(&writer, server, owner: owner)
    case .members:
      var entries: [MemberChunk.Entry] = []
      try MemberChunk.read(row, into: &entries)
      for entry in entries { _ = try MemberFlags.member(entry.flags, user: UserIndex(0), joinedAt: entry.joinedAt) }
      MemberChunk.write(&writer, entries[...])
    default: InvitationRow.write(&writer, try InvitationRow.read(row, inviter: UserIndex(0), invitee: UserIndex(1)))
    }
    return writer.bytes
  }

  private static func block(_ row: UnsafeRawBufferPointer) throws(StateError) -> [UInt8] {
    let block = try LogBlock(row)
    for position in 0..<block.count {
      _ = (block.user(position), block.actor(position), block.audience(position), block.devices(position))
    }
    var names = UserNames()
    let (outcome, paths) = try block.provenance { names.intern($0) }
    var changes = LastChanges()
    _ = try changes.kept(of: row)
    guard !outcome.records.isEmpty else { return [] }
    return block.written(outcome, names, paths)
  }

  /// The rows in a piece of a checkpoint, each again.
  private static func pieces(_ row: UnsafeRawBufferPointer) throws(StateError) -> [UInt8] {
    var reader = PackedReader(row)
    var writer = PackedWriter()
    while !reader.isAtEnd {
      guard let table = StateTable(rawValue: try reader.byte()) else { throw PackedReader.damaged }
      let key = RowKey(try reader.small(), try reader.small(), try reader.small())
      let value = UnsafeRawBufferPointer(try reader.text())
      let again = try PackedRow(table, key).map { (kind) throws(StateError) in
        kind == .pieces ? Array(value) : try kind.again(value)
      }
      writer.byte(table.rawValue)
      for part in [key.a, key.b, key.c] { writer.number(part) }
      writer.count(again?.count ?? 0)
      writer.raw(again ?? [])
    }
    return writer.bytes
  }
}

extension FuzzTarget {
  /// Packed rows: what is decoded and encoded is decoded again, and to the same bytes.
  static let rows = FuzzTarget(name: "rows") { bytes in
    guard let kind = bytes.first.flatMap(PackedRow.init(rawValue:)) else { return }
    let row = Array(bytes.dropFirst())
    guard let first = try? row.withRaw({ (row) throws(StateError) in try kind.again(row) }) else { return }
    guard !first.isEmpty || kind != .block else { return }
    let second: [UInt8]
    do throws(StateError) {
      second = try first.withRaw { (row) throws(StateError) in try kind.again(row) }
    } catch {
      throw Broken(description: "what was encoded is not decoded: \(error)")
    }
    try holdEqual(second, first, "it is encoded in two ways")
  }
}
