import CircleState

/// Rows of a table that came in one answer, in the order of their keys.
struct RowPage {
  let table: StateTable
  let answer: Answer
  /// The page holds all rows of the server from here…
  let from: RowKey
  /// …through here.
  let through: RowKey

  var count: Int { answer.rowCount }

  static func key(_ answer: Answer, _ row: Int, _ table: StateTable) -> RowKey {
    let part = { (column: Int) in UInt32(truncatingIfNeeded: answer.integer(row, column)) }
    return switch table.arity {
    case 1: RowKey(part(0))
    case 2: RowKey(part(0), part(1))
    default: RowKey(part(0), part(1), part(2))
    }
  }

  /// The position of the row with this key.
  func row(_ key: RowKey) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Self.key(answer, middle, table) < key { low = middle + 1 } else { high = middle }
    }
    return low < count && Self.key(answer, low, table) == key ? low : nil
  }
}
