import Digest

/// One thing that a state holds beside its lock.
enum StateItem {
  case row(StateTable, RowKey, UnsafeRawBufferPointer)
  case name(NameTable, UnsafeRawBufferPointer, UInt32)
}

/// All that a state holds, in a fixed order, and a digest that tells what came so far and in which order.
struct StateContent {
  /// SHA-256 over the digest before and the item, one item after another; it begins with zero.
  private(set) var digest = SHA256.Digest.zero
  private(set) var count = 0

  /// Takes the next item into the digest.
  mutating func add(_ item: StateItem) {
    var hash = SHA256()
    hash.update(digest.bytes)
    switch item {
    case .row(let table, let key, let value):
      hash.update([0, table.rawValue] + [key.a, key.b, key.c].flatMap(Self.bytes))
      hash.update(value)
    case .name(let table, let name, let number):
      hash.update([1, table.rawValue] + Self.bytes(number))
      hash.update(name)
    }
    digest = hash.finish()
    count += 1
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
  }
}

extension StateRows {
  /// Calls `body` for all that is in the state, tables first, each in the order of its keys. The caller is in a transaction.
  func forEachItem(_ body: (StateItem) throws(StateError) -> Void) throws(StateError) {
    for table in StateTable.allCases {
      try scan(table) { (key, value) throws(StateError) in
        try body(.row(table, key, value))
        return true
      }
    }
    for table in NameTable.allCases {
      try scanNames(table, prefix: []) { (name, number) throws(StateError) in
        try body(.name(table, name, number))
        return true
      }
    }
  }

  func put(_ item: StateItem) throws(StateError) {
    switch item {
    case .row(let table, let key, let value): try put(table, key, value)
    case .name(let table, let name, let number): try putName(name, number, in: table)
    }
  }
}

extension StateStore {
  /// Checks in a writing transaction what has just been copied into the state: the digest of its rows, its log and rules.
  ///
  /// - Returns: what is wrong, a sentence each.
  func faultsOfCopy(_ expected: StateContent, head: Head) throws(StateError) -> [String] {
    var found = StateContent()
    try rows.forEachItem { (item) in found.add(item) }
    guard found.digest == expected.digest, try Head.read(rows) == head else {
      return ["the copy differs from what was copied"]
    }
    var verify = StateVerify(rows)
    return try verify.run().map(\.sentence)
  }

  /// Refuses to write over a state that has a history.
  func checkUnused() throws(StateError) {
    let found = try Head.read(rows)
    guard found == Head() else { throw .stale(expected: 0, found: found.revision) }
  }

  /// Copies the whole state, log and all, into one without a history, in one transaction; nothing is written unless the copy
  /// verifies. The lock of the target is given up with it.
  ///
  /// - Returns: how far the state had come.
  /// - Throws: `.stale` when the target has a history, `.damaged` when the state does not verify.
  package func copy(to target: StateStore) throws(StateError) -> Head {
    try reading { () throws(StateError) in
      let head = try Head.read(rows)
      try target.writing { () throws(StateError) in
        try target.checkUnused()
        var content = StateContent()
        try rows.forEachItem { (item) throws(StateError) in
          content.add(item)
          try target.rows.put(item)
        }
        if let fault = try target.faultsOfCopy(content, head: head).first { throw .damaged(fault) }
        try target.rows.setLock(nil)
      }
      return head
    }
  }
}
