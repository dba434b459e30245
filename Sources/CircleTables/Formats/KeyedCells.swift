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
  /// The column that comes next if this row has the keys of the one before.
  private var expected = 0

  mutating func clear() {
    cells.removeAll(keepingCapacity: true)
    decoded.removeAll(keepingCapacity: true)
    expected = 0
  }

  mutating func column(_ key: UnsafeRawBufferPointer) -> Int {
    if expected < keys.count, keys[expected].elementsEqual(key) {
      expected += 1
      return expected - 1
    }
    let name = Array(key)
    let found = positions[name] ?? add(name)
    expected = found + 1
    return found
  }

  private mutating func add(_ key: [UInt8]) -> Int {
    keys.append(key)
    columns.append(String(decoding: key, as: UTF8.self))
    positions[key] = keys.count - 1
    return keys.count - 1
  }

  mutating func add(_ column: Int, _ bytes: UnsafeRawBufferPointer) {
    cells.append(
      TableCell(
        column: Int32(truncatingIfNeeded: column), isDecoded: true, start: decoded.count, count: bytes.count))
    decoded.append(contentsOf: bytes)
  }

  mutating func add(_ column: Int, _ text: String) {
    var text = text
    text.withUTF8 { add(column, UnsafeRawBufferPointer($0)) }
  }

  /// Whether a column has a cell already.
  func has(_ column: Int) -> Bool { cells.contains { $0.column == Int32(column) } }

  func lend(_ body: (TableRow) -> Void) {
    decoded.withUnsafeBufferPointer { decoded in
      cells.withUnsafeBufferPointer { cells in body(TableRow(text: decoded, decoded: decoded, cells: cells)) }
    }
  }

  /// Takes the members of an object.
  /// - Returns: what can't be a cell, in words.
  mutating func take(_ object: JSONNode, prefix: String = "") -> String? {
    var problem: String?
    object.forEachMember { key, value in
      if value.kind == .object, prefix.isEmpty {
        problem = problem ?? take(value, prefix: String(decoding: key, as: UTF8.self) + ".")
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
        problem = problem ?? "'\(columns[column])' is a number with a fraction or an exponent; write it as text"
      case .array:
        if let list = Self.list(value) {
          add(column, list)
        } else {
          problem = problem ?? "'\(columns[column])' is a list of something else than texts"
        }
      case .object:
        problem = problem ?? "'\(columns[column])' is nested deeper than a table is"
      }
    }
    return problem
  }

  private static func list(_ array: JSONNode) -> String? {
    var texts: [String] = []
    var isOfTexts = true
    array.forEachElement { element in
      if let text = element.string { texts.append(text) } else { isOfTexts = false }
    }
    return isOfTexts ? ListCell.text(texts) : nil
  }
}
