package import CircleState

extension PostgresRows {
  package func scan(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> Bool
  ) throws(StateError) {
    guard table.firstFormat <= format else { return }
    var range = KeyRange(from, through, in: table)
    guard !range.isEmpty, try mayHold(table, from, through) else { return }
    if pending[table.slot].last(from: from, through: through) != nil { try send(table) }
    // All pages are of one moment.
    let isAlone = phase == .idle
    if isAlone { try begin(writing: false, timeout: 0) }
    defer { if isAlone { rollback() } }
    var size = PageSize()
    while true {
      let answer = try page(table, range, limit: size.rows)
      var bytes = 0
      for row in 0..<answer.rowCount {
        let key = RowPage.key(answer, row, table)
        let value = answer.bytes(row, table.arity)
        bytes += value.count
        let goesOn = try withExtendedLifetime(answer) { () throws(StateError) in
          try StateFormat.withNewest(table, value, from: format) { (value) throws(StateError) in try body(key, value) }
        }
        guard goesOn else { return }
        if row == answer.rowCount - 1 { range.begin(after: key, in: table) }
      }
      guard answer.rowCount == size.rows else { return }
      size.grow(rows: answer.rowCount, bytes: bytes)
    }
  }

  package func withRow<R>(
    _ table: StateTable, _ key: RowKey, _ body: (UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R? {
    guard table.admits(key), table.firstFormat <= format else { return nil }
    if let entry = pending[table.slot].entry(key) {
      guard !entry.isRemoval else { return nil }
      return try withBytes(of: pending[table.slot].value(entry), body)
    }
    guard try mayHold(table, key, key) else { return nil }
    if phase != .idle, try readsAhead(table, key), let page = known[table.slot].page {
      guard let row = page.row(key) else { return nil }
      return try withExtendedLifetime(page.answer) { () throws(StateError) in
        try StateFormat.withNewest(table, page.answer.bytes(row, table.arity), from: format, body)
      }
    }
    var parameters = Parameters()
    for part in KeyRange.parts(key, table) { parameters.add(part) }
    let answer = try read(RowSQL[table].get, parameters)
    guard answer.rowCount > 0 else { return nil }
    return try withExtendedLifetime(answer) { () throws(StateError) in
      try StateFormat.withNewest(table, answer.bytes(0, 0), from: format, body)
    }
  }

  package func withLast<R>(
    _ table: StateTable, from: RowKey, through: RowKey,
    _ body: (RowKey, UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R? {
    let range = KeyRange(from, through, in: table)
    guard !range.isEmpty, table.firstFormat <= format, try mayHold(table, from, through) else { return nil }
    let entry = pending[table.slot].last(from: from, through: through)
    if let entry, entry.isRemoval {
      try send(table)
      return try withLast(table, from: from, through: through, body)
    }
    var parameters = Parameters()
    for part in range.from + range.through { parameters.add(part) }
    let answer = try read(RowSQL[table].last, parameters)
    let stored = answer.rowCount > 0 ? RowPage.key(answer, 0, table) : nil
    if let entry, stored.map({ $0 <= entry.key }) ?? true {
      return try withBytes(of: pending[table.slot].value(entry)) { (bytes) throws(StateError) in
        try body(entry.key, bytes)
      }
    }
    guard let stored else { return nil }
    // What is removed and not sent yet lies below the last entry, if there is one in the range.
    return try withExtendedLifetime(answer) { () throws(StateError) in
      try StateFormat.withNewest(table, answer.bytes(0, table.arity), from: format) { (value) throws(StateError) in
        try body(stored, value)
      }
    }
  }

  package func number(of name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError) -> UInt32? {
    if let entry = pendingNames[table.slot].entry(name) { return entry.number }
    var parameters = Parameters()
    parameters.add(UInt32(table.rawValue))
    parameters.add(name)
    let answer = try read(NameSQL.get, parameters)
    return answer.rowCount > 0 ? try number(answer.integer(0, 0)) : nil
  }

  package func scanNames(
    _ table: NameTable, prefix: [UInt8],
    _ body: (UnsafeRawBufferPointer, UInt32) throws(StateError) -> Bool
  ) throws(StateError) {
    if !pendingNames[table.slot].isEmpty { try send(table) }
    let isAlone = phase == .idle
    if isAlone { try begin(writing: false, timeout: 0) }
    defer { if isAlone { rollback() } }
    var from = prefix
    var size = PageSize()
    while true {
      var parameters = Parameters()
      parameters.add(UInt32(table.rawValue))
      parameters.add(from)
      parameters.add(Int64(size.rows))
      let answer = try connection.run(NameSQL.page, parameters, "read")
      var bytes = 0
      for row in 0..<answer.rowCount {
        let name = answer.bytes(row, 0)
        bytes += name.count
        let number = try number(answer.integer(row, 1))
        guard name.starts(with: prefix) else { return }
        let goesOn = try withExtendedLifetime(answer) { () throws(StateError) in try body(name, number) }
        guard goesOn else { return }
        // The least name after this one.
        if row == answer.rowCount - 1 { from = [UInt8](name) + [0] }
      }
      guard answer.rowCount == size.rows else { return }
      size.grow(rows: answer.rowCount, bytes: bytes)
    }
  }

  private func number(_ stored: Int64) throws(StateError) -> UInt32 {
    guard let number = UInt32(exactly: stored) else {
      throw .damaged("'\(location)': a name leads to the number \(stored)")
    }
    return number
  }

  private func page(_ table: StateTable, _ range: KeyRange, limit: Int) throws(StateError) -> Answer {
    var parameters = Parameters()
    for part in range.from + range.through { parameters.add(part) }
    parameters.add(Int64(limit))
    return try connection.run(RowSQL[table].page, parameters, "read")
  }

  private func withBytes<R>(
    of slice: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) throws(StateError) -> R
  ) throws(StateError) -> R {
    // A copy: what `body` writes moves the bytes.
    let copy = Array(slice)
    return try copy.withUnsafeBufferPointer { (bytes) throws(StateError) in try body(UnsafeRawBufferPointer(bytes)) }
  }

  // MARK: Saving questions

  /// Whether rows of the range may be on the server or pending. Who writes many new rows asks often for what can't be
  /// there yet; after a few questions the table's last key answers them.
  private func mayHold(_ table: StateTable, _ from: RowKey, _ through: RowKey) throws(StateError) -> Bool {
    guard phase == .writing else { return true }
    known[table.slot].reads += 1
    if known[table.slot].ceiling == nil, known[table.slot].reads > 8 { try findCeiling(of: table) }
    guard let ceiling = known[table.slot].ceiling, ceiling.isBelow(from) else { return true }
    return pending[table.slot].last(from: from, through: through) != nil
  }

  /// Whether the page of rows that were read ahead answers for the key. Who looks for many rows in ascending order gets
  /// them by the page.
  private func readsAhead(_ table: StateTable, _ key: RowKey) throws(StateError) -> Bool {
    if let page = known[table.slot].page, key >= page.from, key <= page.through { return true }
    let last = known[table.slot].lastKey
    known[table.slot].lastKey = key
    let isNext = key > last && key.a - last.a < Self.widestGap
    known[table.slot].ascending = isNext ? known[table.slot].ascending + 1 : 0
    guard known[table.slot].ascending >= 3 else { return false }
    let answer = try page(table, KeyRange(key, .last, in: table), limit: Self.rowsAhead)
    let isWhole = answer.rowCount < Self.rowsAhead
    let through = isWhole ? RowKey.last : RowPage.key(answer, answer.rowCount - 1, table)
    known[table.slot].page = RowPage(table: table, answer: answer, from: key, through: through)
    return true
  }

  private static let widestGap: UInt32 = 64
  private static let rowsAhead = 512
}

/// How many rows to ask for next: few at first, for many searches want only one; then about a mebibyte.
private struct PageSize {
  var rows = 4

  mutating func grow(rows count: Int, bytes: Int) {
    let average = bytes / max(count, 1) + 32
    rows = min(max(rows * 16, 64), max(16, (1 << 20) / average), 8192)
  }
}

extension RowSQL {
  static subscript(_ table: StateTable) -> RowSQL { all[table.slot] }
}

extension StateTable {
  /// Its place in arrays that have an element a table.
  var slot: Int { Int(rawValue) }
}

extension NameTable {
  /// Its place in arrays that have an element a directory.
  var slot: Int { Int(rawValue) }
}
