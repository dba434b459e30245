/// Rows in the order of their keys, in pieces of at most 512, so that an insertion moves little and a copy that is then changed shares all
/// pieces but those that it touches.
struct SortedRows<Key: Comparable, Value> {
  struct Row {
    var key: Key
    var value: Value
  }

  /// Where a row stands, or would stand.
  struct Position {
    var piece: Int
    var row: Int
  }

  /// None is empty.
  private var pieces: [[Row]] = []
  private let limit = 512

  /// The first position whose key is not below `key`; past the end when there is none.
  func position(of key: Key) -> Position {
    let piece = Self.firstIndex(in: pieces) { $0[$0.count - 1].key >= key }
    guard piece < pieces.count else { return Position(piece: piece, row: 0) }
    return Position(piece: piece, row: Self.firstIndex(in: pieces[piece]) { $0.key >= key })
  }

  /// The row at a position, nil past the end.
  func row(at position: Position) -> Row? {
    position.piece < pieces.count ? pieces[position.piece][position.row] : nil
  }

  /// The position after one that has a row.
  func position(after position: Position) -> Position {
    position.row + 1 < pieces[position.piece].count
      ? Position(piece: position.piece, row: position.row + 1)
      : Position(piece: position.piece + 1, row: 0)
  }

  /// The last row whose key is not above `key`.
  func last(through key: Key) -> Row? {
    let next = position(of: key)
    if let row = row(at: next), row.key == key { return row }
    if next.row > 0 { return pieces[next.piece][next.row - 1] }
    return next.piece > 0 ? pieces[next.piece - 1].last : nil
  }

  subscript(key: Key) -> Value? {
    guard let row = row(at: position(of: key)), row.key == key else { return nil }
    return row.value
  }

  mutating func put(_ key: Key, _ value: Value) {
    var position = position(of: key)
    if let row = row(at: position), row.key == key {
      pieces[position.piece][position.row].value = value
      return
    }
    if position.piece == pieces.count {
      guard let last = pieces.indices.last else {
        pieces.append([Row(key: key, value: value)])
        return
      }
      position = Position(piece: last, row: pieces[last].count)
    }
    pieces[position.piece].insert(Row(key: key, value: value), at: position.row)
    split(position.piece, appended: position.row + 1 == pieces[position.piece].count)
  }

  mutating func remove(_ key: Key) {
    let position = position(of: key)
    guard let row = row(at: position), row.key == key else { return }
    pieces[position.piece].remove(at: position.row)
    if pieces[position.piece].isEmpty { pieces.remove(at: position.piece) }
  }

  /// Halves a piece over the limit; one that grew at its end is left full, as rows in key order would otherwise leave half-full pieces.
  private mutating func split(_ piece: Int, appended: Bool) {
    let count = pieces[piece].count
    guard count > limit else { return }
    let kept = appended ? count - 1 : count / 2
    let rest = Array(pieces[piece][kept...])
    pieces[piece].removeSubrange(kept...)
    pieces.insert(rest, at: piece + 1)
  }

  /// The first index whose element passes; `passes` is false, then true along the array.
  private static func firstIndex<Element>(in elements: [Element], where passes: (Element) -> Bool) -> Int {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if passes(elements[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
