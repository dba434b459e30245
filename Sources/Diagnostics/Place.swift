/// A file of the input, by its index in `SourceFiles`.
package typealias FileIndex = UInt32

/// Where something stands in the input: file, line and column packed in one word, since a manifest of a million
/// memberships carries a million of them. `Place.none` stands for what no file names.
///
/// Lines and columns count from 1, columns in code points; files up to 2^20 - 2, lines up to 2^28 - 1 and columns up
/// to 2^16 - 1 are exact, what is greater is held at that value. Places order by file, line, column.
package struct Place: Hashable, Comparable, Sendable {
  package let packed: UInt64

  package init(packed: UInt64) {
    self.packed = packed
  }

  package init(file: FileIndex, line: Int, column: Int) {
    let file = UInt64(min(file, 0xF_FFFE)) + 1
    let line = UInt64(min(max(line, 0), 0xFFF_FFFF))
    let column = UInt64(min(max(column, 0), 0xFFFF))
    packed = file << 44 | line << 16 | column
  }

  package static let none = Place(packed: 0)

  package var isKnown: Bool { packed != 0 }
  /// Meaningless when the place is not known.
  package var file: FileIndex { FileIndex(truncatingIfNeeded: packed >> 44) &- 1 }
  package var line: Int { Int(packed >> 16 & 0xFFF_FFFF) }
  package var column: Int { Int(packed & 0xFFFF) }

  package static func < (left: Place, right: Place) -> Bool { left.packed < right.packed }
}
