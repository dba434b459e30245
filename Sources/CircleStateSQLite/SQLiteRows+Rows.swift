import CSQLite
package import CircleState
import Glibc

extension SQLiteRows {
  package func scan(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> Bool
  ) throws(StateError) {
    guard table.firstFormat <= format else { return }
    try settle(table)
    try read(.row(.scan, table)) { (statement) throws(StateError) in
      try statement.bind(from, through, in: table)
      while try statement.step() {
        let (key, value) = try statement.row(of: table)
        let goesOn = try StateFormat.withNewest(table, value, from: format) { (value) throws(StateError) in
          try body(key, value)
        }
        guard goesOn else { return }
      }
    }
  }

  package func withRow<R>(
    _ table: StateTable, _ key: RowKey, _ body: (UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R? {
    guard table.admits(key), table.firstFormat <= format else { return nil }
    try settle(table)
    return try read(.row(.get, table)) { (statement) throws(StateError) in
      _ = try statement.bind(key, in: table)
      guard try statement.step() else { return nil }
      return try StateFormat.withNewest(table, statement.bytes(0), from: format, body)
    }
  }

  package func withLast<R>(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R? {
    guard table.firstFormat <= format else { return nil }
    try settle(table)
    return try read(.row(.last, table)) { (statement) throws(StateError) in
      try statement.bind(from, through, in: table)
      guard try statement.step() else { return nil }
      let (key, value) = try statement.row(of: table)
      return try StateFormat.withNewest(table, value, from: format) { (value) throws(StateError) in
        try body(key, value)
      }
    }
  }

  package func put(_ table: StateTable, _ key: RowKey, _ value: UnsafeRawBufferPointer) throws(StateError) {
    try checkWriting()
    try table.check(key)
    guard value.count < PendingPuts.bigValue else {
      try settle(table)
      return try put([(key, value)], by: .row(.put, table), in: table)
    }
    pendingRows[Int(table.rawValue)].append(key, value)
    if pendingRows[Int(table.rawValue)].isFull { try settle(table) }
  }

  package func remove(_ table: StateTable, _ key: RowKey) throws(StateError) {
    guard table.admits(key) else { return }
    try settle(table)
    try write(.row(.remove, table)) { (statement) throws(StateError) in
      _ = try statement.bind(key, in: table)
    }
  }

  /// Puts the rows of a table that wait: before it is read, and before the transaction ends.
  func settle(_ table: StateTable) throws(StateError) {
    let slot = Int(table.rawValue)
    guard !pendingRows[slot].isEmpty else { return }
    try pendingRows[slot].settle { (rows, areSeveral) throws(StateError) in
      try put(rows, by: .row(areSeveral ? .putSeveral : .put, table), in: table)
    }
  }

  private func put(
    _ rows: [(key: RowKey, value: UnsafeRawBufferPointer)], by query: Query, in table: StateTable
  ) throws(StateError) {
    try write(query) { (statement) throws(StateError) in
      var next: Int32 = 1
      for (key, value) in rows {
        next = try statement.bind(key, in: table, first: next)
        try statement.bind(next, value)
        next += 1
      }
    }
  }

  package func number(of name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError) -> UInt32? {
    try settle(table)
    return try read(.name(.get)) { (statement) throws(StateError) in
      try statement.bind(1, Int64(table.rawValue))
      try statement.bind(2, name)
      return try statement.step() ? try number(statement.integer(0)) : nil
    }
  }

  package func scanNames(
    _ table: NameTable, prefix: [UInt8],
    _ body: (UnsafeRawBufferPointer, UInt32) throws(StateError) -> Bool
  ) throws(StateError) {
    try settle(table)
    try prefix.withUnsafeBufferPointer { (start) throws(StateError) in
      try read(.name(.scan)) { (statement) throws(StateError) in
        try statement.bind(1, Int64(table.rawValue))
        try statement.bind(2, UnsafeRawBufferPointer(start))
        while try statement.step() {
          let name = try statement.bytes(0)
          guard name.starts(with: start), try body(name, number(statement.integer(1))) else { return }
        }
      }
    }
  }

  package func putName(
    _ name: UnsafeRawBufferPointer, _ number: UInt32, in table: NameTable
  ) throws(StateError) {
    try checkWriting()
    pendingNames[Int(table.rawValue)].append(RowKey(number), name)
    if pendingNames[Int(table.rawValue)].isFull { try settle(table) }
  }

  package func removeName(_ name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError) {
    try settle(table)
    try write(.name(.remove)) { (statement) throws(StateError) in
      try statement.bind(1, Int64(table.rawValue))
      try statement.bind(2, name)
    }
  }

  /// Puts the names of a table that wait.
  func settle(_ table: NameTable) throws(StateError) {
    let slot = Int(table.rawValue)
    guard !pendingNames[slot].isEmpty else { return }
    try pendingNames[slot].settle { (names, areSeveral) throws(StateError) in
      try put(names, by: .name(areSeveral ? .putSeveral : .put), in: table)
    }
  }

  private func put(
    _ names: [(key: RowKey, value: UnsafeRawBufferPointer)], by query: Query, in table: NameTable
  ) throws(StateError) {
    try write(query) { (statement) throws(StateError) in
      var next: Int32 = 1
      for (key, name) in names {
        try statement.bind(next, Int64(table.rawValue))
        try statement.bind(next + 1, name)
        try statement.bind(next + 2, Int64(key.a))
        next += 3
      }
    }
  }

  package func lock() throws(StateError) -> StateLock? {
    try read(.lock(.get)) { (statement) throws(StateError) in
      guard try statement.step() else { return nil }
      return StateLock(
        host: try statement.text(0), process: Int32(truncatingIfNeeded: statement.integer(1)),
        processStart: UInt64(bitPattern: statement.integer(2)), since: statement.integer(3))
    }
  }

  /// Whoever on this host keeps others from the file: SQLite locks bytes of it, the pending one, the reserved one and those of
  /// readers. Only for a run that has no transaction: to close the file gives up all that its process has locked in it.
  package static func writingProcess(of path: String) -> Int32? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0000
    lock.l_len = 512
    guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else { return nil }
    return lock.l_pid
  }

  package func setLock(_ lock: StateLock?) throws(StateError) {
    guard let lock else { return try write(.lock(.remove)) { (_) throws(StateError) in } }
    try write(.lock(.put)) { (statement) throws(StateError) in
      try statement.bind(1, text: lock.host)
      try statement.bind(2, Int64(lock.process))
      try statement.bind(3, Int64(bitPattern: lock.processStart))
      try statement.bind(4, lock.since)
    }
  }

  private func number(_ stored: Int64) throws(StateError) -> UInt32 {
    guard let number = UInt32(exactly: stored) else {
      throw .damaged("a name leads to the number \(stored)")
    }
    return number
  }
}

extension Statement {
  /// Binds a key as the first parameters.
  /// - Returns: the parameter after them.
  fileprivate func bind(_ key: RowKey, in table: StateTable, first: Int32 = 1) throws(StateError) -> Int32 {
    guard table.arity == 3 else {
      try bind(first, PackedKey.pack(key, arity: table.arity))
      return first + 1
    }
    try bind(first, Int64(key.a))
    try bind(first + 1, Int64(key.b))
    try bind(first + 2, Int64(key.c))
    return first + 3
  }

  /// Binds both ends of a range of keys as the first parameters.
  fileprivate func bind(_ from: RowKey, _ through: RowKey, in table: StateTable) throws(StateError) {
    let next: Int32
    if table.arity == 3 {
      next = try bind(from, in: table)
    } else {
      try bind(1, PackedKey.lowest(from: from, arity: table.arity))
      next = 2
    }
    _ = try bind(through, in: table, first: next)
  }

  /// The key and the value of a row that a range gives.
  fileprivate func row(of table: StateTable) throws(StateError) -> (RowKey, UnsafeRawBufferPointer) {
    guard table.arity == 3 else {
      guard let key = PackedKey.unpack(integer(0), arity: table.arity) else { throw garbledKey(of: table) }
      return (key, try bytes(1))
    }
    guard let a = UInt32(exactly: integer(0)), let b = UInt32(exactly: integer(1)), let c = UInt32(exactly: integer(2)),
      table.admits(RowKey(a, b, c))
    else { throw garbledKey(of: table) }
    return (RowKey(a, b, c), try bytes(3))
  }

  private func garbledKey(of table: StateTable) -> StateError {
    .damaged("a row of '\(table)' stands under a key that no row has")
  }
}
