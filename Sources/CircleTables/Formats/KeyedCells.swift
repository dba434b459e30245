import Glibc
import JSONText

/// The cells of rows that name their columns themselves: objects of JSON, mappings of YAML.
///
/// A nested object counts as columns of its own, `userInfo.ext`; a list is one cell that holds the list as JSON.
struct KeyedCells {
  private(set) var columns: [String] = []
  private var keys: [[UInt8]] = []
  private var positions: [[UInt8]: Int] = [:]
  private(set) var cells = ContiguousArray<TableCell>()
  private(set) var decoded: [UInt8] = []
  private(set) var problems: [CellProblem] = []
  /// By column, the last row that has a cell in it.
  private var lastRows: [Int] = []
  private var row = 0
  /// A cell whose column has another one already.
  private(set) var double: Int?
  /// The column that comes next if this row has the keys of the one before.
  private var expected = 0

  mutating func clear() {
    cells.removeAll(keepingCapacity: true)
    decoded.removeAll(keepingCapacity: true)
    problems.removeAll(keepingCapacity: true)
    expected = 0
    row += 1
    double = nil
  }

  mutating func column(_ key: UnsafeRawBufferPointer) -> Int {
    let found = knownColumn(key) ?? add(Array(key))
    expected = found + 1
    return found
  }

  private func knownColumn(_ key: UnsafeRawBufferPointer) -> Int? {
    if expected < keys.count, keys[expected].withUnsafeBytes({ Self.areSame($0, key) }) { return expected }
    return positions[Array(key)]
  }

  private static func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress else {
      return one.count == other.count
    }
    return memcmp(first, second, one.count) == 0
  }

  private mutating func add(_ key: [UInt8]) -> Int {
    keys.append(key)
    lastRows.append(-1)
    columns.append(String(decoding: key, as: UTF8.self))
    positions[key] = keys.count - 1
    return keys.count - 1
  }

  mutating func add(_ column: Int, _ bytes: UnsafeRawBufferPointer) {
    if lastRows[column] == row { double = double ?? cells.count }
    lastRows[column] = row
    cells.append(
      TableCell(
        column: Int32(truncatingIfNeeded: column), isDecoded: true, start: decoded.count, count: bytes.count))
    decoded.append(contentsOf: bytes)
  }

  mutating func add(_ column: Int, _ text: String) {
    var text = text
    text.withUTF8 { add(column, UnsafeRawBufferPointer($0)) }
  }

  /// An empty cell in place of what can't be one.
  mutating func add(_ column: Int, problem: String) {
    problems.append(CellProblem(cell: cells.count, reason: problem))
    add(column, "")
  }

  /// Whether a column has a cell already.
  func has(_ column: Int) -> Bool { lastRows[column] == row }

  /// - Parameter text: that of the file, for cells that stand in it.
  func lend(
    text: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0), _ body: (TableRow) -> Void
  ) {
    decoded.withUnsafeBufferPointer { decoded in
      cells.withUnsafeBufferPointer { cells in body(TableRow(text: text, decoded: decoded, cells: cells)) }
    }
  }

  /// Takes the members of an object that is written plainly, whose values stay where they are.
  ///
  /// - Parameter start: where the object begins in the file's text.
  /// - Returns: false, and nothing is taken, where a key is new or there twice.
  mutating func take(
    _ members: ContiguousArray<PlainObject.Member>, of object: UnsafeRawBufferPointer, at start: Int
  ) -> Bool {
    for member in members {
      guard let column = knownColumn(UnsafeRawBufferPointer(rebasing: object[member.key])), !has(column) else {
        clear()
        return false
      }
      lastRows[column] = row
      expected = column + 1
      cells.append(
        TableCell(
          column: Int32(truncatingIfNeeded: column), isDecoded: false, start: start + member.value.lowerBound,
          count: member.value.count))
    }
    return true
  }

  /// Takes the members of an object.
  ///
  /// - Parameter isColumn: whether a member is wanted.
  mutating func take(
    _ object: JSONNode, prefix: String = "", where isColumn: (UnsafeRawBufferPointer) -> Bool = { _ in true }
  ) {
    object.forEachMember { key, value in
      guard isColumn(key) else { return }
      if value.kind == .object, prefix.isEmpty {
        take(value, prefix: String(decoding: key, as: UTF8.self) + ".")
        return
      }
      let column: Int
      if prefix.isEmpty {
        column = self.column(key)
      } else {
        let name = prefix + String(decoding: key, as: UTF8.self)
        column = name.utf8.withContiguousStorageIfAvailable { self.column(UnsafeRawBufferPointer($0)) } ?? 0
      }
      switch value.kind {
      case .null: add(column, "")
      case .string: _ = value.withText { add(column, $0) }
      case .integer: add(column, String(value.integer ?? 0))
      case .boolean: add(column, value.boolean == true ? "true" : "false")
      case .number:
        add(column, problem: "is a number with a fraction or an exponent; write it as text")
      case .array:
        if let list = Self.list(value) {
          add(column, list)
        } else {
          add(column, problem: Self.mixedList)
        }
      case .object:
        add(column, problem: Self.tooDeep)
      }
    }
  }

  static let mixedList = "is a list of something else than texts"
  static let tooDeep = "is nested deeper than a table is"

  private static func list(_ array: JSONNode) -> String? {
    var texts: [String] = []
    var isOfTexts = true
    array.forEachElement { element in
      if let text = element.string { texts.append(text) } else { isOfTexts = false }
    }
    return isOfTexts ? ListCell.text(texts) : nil
  }
}
