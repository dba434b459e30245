package import CircleModel
package import Diagnostics

/// What a row, or several merged, say of one user, packed so that a million of them can wait in a file.
///
/// Layout: length of all, place, place in the raw spool plus one, length of the id, id as spelt, mask of the fields given
/// (`FieldMask`), then for each its length and its text in the order of the mask's bits; an empty one clears the field;
/// then, where rows were merged, where the earlier ones begin in the spool of these, and how many there are. Numbers are
/// of fixed size.
package struct UserRecord {
  /// Lent by whoever gives the record.
  package let bytes: UnsafeRawBufferPointer

  static let idOffset = 4 + 8 + 8 + 1
  /// Fields that a table may give: those of the profile, and devices.
  static let allFields: [FieldMask] = UserField.allCases.map { FieldMask($0) } + [.devices]

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The record that begins at an offset of bytes that hold several.
  package init(packed bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Self.byteCount(of: bytes, at: offset)])
  }

  /// Of the record that begins at an offset.
  @inline(__always)
  static func byteCount(of bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// One row that says something of the user.
  package struct Row {
    /// Where it begins.
    package var place: Place
    /// Where its cells as written wait; nil where they are not kept.
    package var raw: Int?

    static let size = 16

    init(place: Place, raw: Int?) {
      self.place = place
      self.raw = raw
    }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      place = Place(packed: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let word = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      raw = word == 0 ? nil : Int(word) - 1
    }

    /// As `init` reads it.
    var words: (UInt64, UInt64) { (place.packed, UInt64(raw.map { $0 + 1 } ?? 0)) }
  }

  /// Of the last row about the user.
  package var place: Place { row.place }

  /// The last row about the user.
  var row: Row { Row(bytes, at: Self.rowOffset) }

  /// Where the rows before that one stand in the spool of earlier rows; nil where there are none.
  var earlierRows: EarlierRows? {
    var end = maskOffset + 2
    forEachField { end += 4 + $1.count }
    guard end < bytes.count else { return nil }
    return EarlierRows(
      offset: Int(bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)),
      count: Int(bytes.loadUnaligned(fromByteOffset: end + 8, as: UInt64.self)))
  }

  struct EarlierRows {
    var offset: Int
    var count: Int
  }

  private static let rowOffset = 4

  /// As spelt in the first row about the user.
  package var id: UnsafeBufferPointer<UInt8> {
    let count = Int(bytes[20])
    return UnsafeRawBufferPointer(rebasing: bytes[Self.idOffset..<Self.idOffset + count]).bindMemory(to: UInt8.self)
  }

  private var maskOffset: Int { Self.idOffset + Int(bytes[20]) }

  package var mask: FieldMask {
    FieldMask(rawValue: bytes.loadUnaligned(fromByteOffset: maskOffset, as: UInt16.self))
  }

  /// Calls `body` with the number of each field given (12 for `devices`) and its text, in ascending order.
  @inline(__always)
  package func forEachField(_ body: (Int, UnsafeBufferPointer<UInt8>) -> Void) {
    var mask = bytes.loadUnaligned(fromByteOffset: maskOffset, as: UInt16.self)
    var offset = maskOffset + 2
    while mask != 0 {
      let field = mask.trailingZeroBitCount
      mask &= mask &- 1
      let count = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      offset += 4
      body(field, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]).bindMemory(to: UInt8.self))
      offset += count
    }
  }

  /// The texts of a devices cell.
  package static func devices(_ text: UnsafeBufferPointer<UInt8>) -> [Text] {
    ListCell.items(text).map { Text($0) }
  }
}

/// Puts one `UserRecord` after the other together, in room of its own.
final class UserRecordWriter {
  private let room = ByteRoom()
  private var maskOffset = 0
  private var mask: UInt16 = 0

  func begin(_ row: UserRecord.Row, id: UnsafeBufferPointer<UInt8>) {
    room.removeAll()
    room.reserve(UserRecord.idOffset + id.count + 2)
    mask = 0
    room.append(UInt32(0))
    room.append(row.words.0)
    room.append(row.words.1)
    room.append(UInt8(truncatingIfNeeded: id.count))
    room.append(UnsafeRawBufferPointer(id))
    maskOffset = room.count
    room.append(UInt16(0))
  }

  /// Fields come in ascending order.
  func add(_ field: Int, _ text: UnsafeBufferPointer<UInt8>) {
    room.reserve(4 + text.count)
    mask |= 1 << UInt16(field)
    room.append(UInt32(truncatingIfNeeded: text.count))
    room.append(UnsafeRawBufferPointer(text))
  }

  /// - Returns: the same record in this room.
  func copy(_ record: UserRecord) -> UserRecord {
    room.removeAll()
    room.reserve(record.bytes.count)
    room.append(record.bytes)
    return UserRecord(room.bytes)
  }

  /// - Returns: the record, lent until the next one begins.
  func end(earlier: UserRecord.EarlierRows? = nil) -> UserRecord {
    if let earlier {
      room.reserve(16)
      room.append(UInt64(earlier.offset))
      room.append(UInt64(earlier.count))
    }
    room.store(UInt32(truncatingIfNeeded: room.count), at: 0)
    room.store(mask, at: maskOffset)
    return UserRecord(room.bytes)
  }
}
