package import CircleModel

/// Where a row stands in the order of a list: its parts compared one after the other, each by its bytes.
///
/// A cursor holds the key of the last row told, so a page begins where the one before ended, whatever was added or
/// removed meanwhile: no row that stayed is told twice or left out.
package struct PageKey: Comparable, Sendable {
  package let parts: [Text]

  package init(_ parts: [Text]) {
    self.parts = parts
  }

  package static func < (left: PageKey, right: PageKey) -> Bool {
    for (a, b) in zip(left.parts, right.parts) where a != b { return a < b }
    return left.parts.count < right.parts.count
  }
}

extension Text {
  /// A number that is not negative, so written that bytes order it as the numbers are.
  package init(ordered number: Int64) {
    let digits = String(max(number, 0))
    self.init(String(repeating: "0", count: 19 - digits.utf8.count) + digits)
  }
}
