package import CircleModel
package import Diagnostics

/// What a row, or several merged, say of one user, packed so that a million of them can wait in a file.
///
/// Layout: length of all, place, place in the raw spool plus one, length of the id, id as spelt, mask of the fields given
/// (`FieldMask`), then for each its length and its text in the order of the mask's bits; an empty one clears the field.
/// Numbers are little-endian of fixed size.
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

  package var place: Place { Place(packed: bytes.loadUnaligned(fromByteOffset: 4, as: UInt64.self)) }

  /// Where the row's cells as written wait; nil where they are not kept.
  package var raw: Int? {
    let word = bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self)
    return word == 0 ? nil : Int(word) - 1
  }

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

  mutating func begin(_ bytes: inout [UInt8], place: Place, raw: Int?, id: UnsafeBufferPointer<UInt8>) {
    start = bytes.count
    mask = 0
    append(UInt32(0), to: &bytes)
    append(place.packed, to: &bytes)
    append(UInt64(raw.map { $0 + 1 } ?? 0), to: &bytes)
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

  func end(_ bytes: inout [UInt8]) {
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
