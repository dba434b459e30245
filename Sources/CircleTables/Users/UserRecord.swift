package import CircleModel
package import Diagnostics

/// What a row, or several merged, say of one user, packed so that a million of them can wait in a file.
///
/// Layout: length of all, place, place in the raw spool plus one, length of the id, id as spelt, mask of the fields given
/// (`FieldMask`), then for each its length and its text in the order of the mask's bits; an empty one clears the field;
/// then, where rows were merged, where the earlier ones begin in the spool of these, and how many there are. Numbers are
/// little-endian of fixed size.
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
    let count = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
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

/// Puts a `UserRecord` together at the end of an array.
struct UserRecordWriter {
  private var start = 0
  private var maskOffset = 0
  private var mask: UInt16 = 0

  mutating func begin(_ bytes: inout [UInt8], _ row: UserRecord.Row, id: UnsafeBufferPointer<UInt8>) {
    start = bytes.count
    mask = 0
    append(UInt32(0), to: &bytes)
    append(row.words.0, to: &bytes)
    append(row.words.1, to: &bytes)
    bytes.append(UInt8(truncatingIfNeeded: id.count))
    bytes.append(contentsOf: id)
    maskOffset = bytes.count
    append(UInt16(0), to: &bytes)
  }

  /// Fields come in ascending order.
  mutating func add(_ field: Int, _ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    mask |= 1 << UInt16(field)
    append(UInt32(truncatingIfNeeded: text.count), to: &bytes)
    bytes.append(contentsOf: text)
  }

  func end(_ bytes: inout [UInt8], earlier: UserRecord.EarlierRows? = nil) {
    if let earlier {
      append(UInt64(earlier.offset), to: &bytes)
      append(UInt64(earlier.count), to: &bytes)
    }
    let count = UInt32(truncatingIfNeeded: bytes.count - start)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: count, toByteOffset: start, as: UInt32.self)
      bytes.storeBytes(of: mask, toByteOffset: maskOffset, as: UInt16.self)
    }
  }

  @inline(__always)
  private func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
