package import CircleState

/// One thing that every store of states must do.
package struct StateCheck: Sendable, CustomStringConvertible {
  package let sentence: String
  private let body: @Sendable (Bench) throws(StateError) -> Void

  init(_ sentence: String, _ body: @escaping @Sendable (Bench) throws(StateError) -> Void) {
    self.sentence = sentence
    self.body = body
  }

  package var description: String { sentence }

  /// Runs the check on a new, empty state; each call of `open` gives another connection to it.
  /// - Returns: what was not as it should be, one sentence each.
  package func faults(opening open: @escaping () throws(StateError) -> any StateRows) -> [String] {
    let bench = Bench(open)
    do throws(StateError) {
      try body(bench)
    } catch {
      bench.faults.append("unexpected error: \(error)")
    }
    return bench.faults
  }

  /// All checks.
  package static let all = rowChecks + nameChecks + transactionChecks
}

/// What a check works with.
final class Bench {
  let open: () throws(StateError) -> any StateRows
  var faults: [String] = []

  init(_ open: @escaping () throws(StateError) -> any StateRows) {
    self.open = open
  }

  func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) {
    if found != expected { faults.append("\(what): expected \(expected), found \(found)") }
  }

  func expectError(
    _ expected: StateError, _ what: String, _ body: () throws(StateError) -> Void
  ) {
    do throws(StateError) {
      try body()
      faults.append("\(what): expected \(expected), found no error")
    } catch {
      if error != expected { faults.append("\(what): expected \(expected), found \(error)") }
    }
  }
}

extension StateRows {
  /// Writes in one transaction.
  package func write(_ body: () throws(StateError) -> Void) throws(StateError) {
    try begin(writing: true, timeout: 1000)
    try body()
    try commit()
  }

  package func bytes(_ table: StateTable, _ key: RowKey) throws(StateError) -> [UInt8]? {
    try withRow(table, key) { (bytes) throws(StateError) in [UInt8](bytes) }
  }

  package func keys(
    _ table: StateTable, from: RowKey = .first, through: RowKey = .last
  ) throws(StateError) -> [RowKey] {
    var keys: [RowKey] = []
    try scan(table, from: from, through: through) { (key, _) throws(StateError) in
      keys.append(key)
      return true
    }
    return keys
  }

  package func lastKey(_ table: StateTable, from: RowKey, through: RowKey) throws(StateError) -> RowKey? {
    try withLast(table, from: from, through: through) { (key, _) throws(StateError) in key }
  }

  package func putName(_ name: [UInt8], _ number: UInt32, in table: NameTable) throws(StateError) {
    try name.withUnsafeBufferPointer { (name) throws(StateError) in
      try putName(UnsafeRawBufferPointer(name), number, in: table)
    }
  }

  package func removeName(_ name: [UInt8], in table: NameTable) throws(StateError) {
    try name.withUnsafeBufferPointer { (name) throws(StateError) in
      try removeName(UnsafeRawBufferPointer(name), in: table)
    }
  }

  package func number(of name: [UInt8], in table: NameTable) throws(StateError) -> UInt32? {
    try name.withUnsafeBufferPointer { (name) throws(StateError) in
      try number(of: UnsafeRawBufferPointer(name), in: table)
    }
  }

  package func names(_ table: NameTable, prefix: [UInt8]) throws(StateError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    try scanNames(table, prefix: prefix) { (name, _) throws(StateError) in
      names.append([UInt8](name))
      return true
    }
    return names
  }
}
