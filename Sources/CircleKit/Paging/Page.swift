package import CircleModel

/// Some rows of a list, and where it goes on.
package struct Page<Row> {
  package let rows: [Row]
  /// Nil after the last row.
  package let next: String?

  /// The rows after the cursor, at most `limit`.
  ///
  /// - Parameters:
  ///   - rows: all of the list, in any order.
  ///   - list: names the list and what bears on its order.
  ///   - isReversed: whether the greatest key comes first.
  /// - Throws: `invalidParam` for a cursor of another list.
  package init(
    of rows: some Sequence<Row>, list: Text, after cursor: String?, limit: Int, isReversed: Bool = false,
    key: (Row) -> PageKey
  ) throws(Refused) {
    let start = try cursor.map { (text) throws(Refused) in
      try PageCursor(parsing: text, of: list).key
    }
    let comes: (PageKey, PageKey) -> Bool = { isReversed ? $1 < $0 : $0 < $1 }
    var keyed: [(key: PageKey, row: Row)] = []
    for row in rows {
      let key = key(row)
      if let start, start.parts.count != key.parts.count {
        throw Refused(.invalidParam, "the cursor is none that a list gave")
      }
      if let start, !comes(start, key) { continue }
      keyed.append((key, row))
    }
    keyed.sort { comes($0.key, $1.key) }
    let shown = keyed.prefix(max(limit, 0))
    self.rows = shown.map(\.row)
    next = shown.count < keyed.count ? shown.last.map { PageCursor(list: list, key: $0.key).text } : nil
  }
}
