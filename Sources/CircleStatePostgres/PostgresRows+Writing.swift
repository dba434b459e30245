package import CircleState

extension PostgresRows {
  /// From so many rows, or bytes of rows, on COPY is worth its two steps.
  private static let many = 64
  private static let manyBytes = 256 << 10

  package func put(_ table: StateTable, _ key: RowKey, _ value: UnsafeRawBufferPointer) throws(StateError) {
    precondition(phase == .writing, "a write outside a writing transaction")
    try table.check(key)
    pending[table.slot].put(key, value)
    if table == .runs { note(key, value) }
    if pending[table.slot].isFull { try send(table) }
  }

  package func remove(_ table: StateTable, _ key: RowKey) throws(StateError) {
    precondition(phase == .writing, "a write outside a writing transaction")
    guard table.admits(key) else { return }
    pending[table.slot].remove(key)
    if pending[table.slot].isFull { try send(table) }
  }

  package func putName(
    _ name: UnsafeRawBufferPointer, _ number: UInt32, in table: NameTable
  ) throws(StateError) {
    try setName(name, number, in: table)
  }

  package func removeName(_ name: UnsafeRawBufferPointer, in table: NameTable) throws(StateError) {
    try setName(name, nil, in: table)
  }

  private func setName(_ name: UnsafeRawBufferPointer, _ number: UInt32?, in table: NameTable) throws(StateError) {
    precondition(phase == .writing, "a write outside a writing transaction")
    pendingNames[table.slot].set(name, number)
    if pendingNames[table.slot].isFull { try send(table) }
  }

  // MARK: Sending

  /// Sends all that was written and not sent yet.
  func sendAll() throws(StateError) {
    for table in StateTable.allCases { try send(table) }
    for table in NameTable.allCases { try send(table) }
  }

  /// Sends what was written into a table: removals, then what may replace a row, then what is new.
  func send(_ table: StateTable) throws(StateError) {
    let rows = pending[table.slot]
    guard !rows.isEmpty else { return }
    pending[table.slot] = PendingRows()
    known[table.slot].page = nil
    let isMuch = rows.entries.count >= Self.many || rows.byteCount >= Self.manyBytes
    if isMuch, known[table.slot].ceiling == nil { try findCeiling(of: table) }
    let removed = rows.entries.filter(\.isRemoval)
    if !removed.isEmpty {
      var parameters = Parameters()
      Self.add(keysOf: removed[...], table, to: &parameters)
      _ = try connection.run(RowSQL[table].remove, parameters, "write")
    }
    let written = rows.entries.filter { !$0.isRemoval }
    guard let last = written.last else { return }
    let firstNew = known[table.slot].ceiling.flatMap { ceiling in written.firstIndex { ceiling.isBelow($0.key) } }
    let copied = firstNew.map { written[$0...] } ?? []
    let copies = isMuch && !copied.isEmpty
    let put = copies ? written[..<copied.startIndex] : written[...]
    if !put.isEmpty {
      var parameters = Parameters()
      Self.add(keysOf: put, table, to: &parameters)
      parameters.add(each: put.lazy.map { rows.value($0) })
      _ = try connection.run(RowSQL[table].put, parameters, "write")
    }
    if copies { try connection.copy(RowSQL[table].copy, "write") { Self.data(copied, of: rows, table) } }
    if let ceiling = known[table.slot].ceiling, ceiling.isBelow(last.key) { known[table.slot].ceiling = .key(last.key) }
  }

  /// Sends the names of a directory: removals, those that are there, those that are new.
  func send(_ table: NameTable) throws(StateError) {
    let names = pendingNames[table.slot].entries
    guard !names.isEmpty else { return }
    pendingNames[table.slot].clear()
    let kind = UInt32(table.rawValue)
    let removed = names.filter { $0.number == nil }
    if !removed.isEmpty {
      _ = try connection.run(NameSQL.remove, Self.parameters(kind, removed.map(\.name)), "write")
    }
    let written = names.filter { $0.number != nil }
    guard !written.isEmpty else { return }
    guard written.count >= Self.many else { return try putNames(kind, written) }
    let new = try putKnown(written, table)
    guard !new.isEmpty else { return }
    try connection.copy(NameSQL.copy, "write") { Self.data(kind, new) }
  }

  /// Writes those of many names that are there already.
  /// - Returns: the others.
  private func putKnown(_ names: [PendingNames.Entry], _ table: NameTable) throws(StateError) -> [PendingNames.Entry] {
    guard let first = names.first, let last = names.last else { return [] }
    let kind = UInt32(table.rawValue)
    let ceiling = try nameCeiling(of: table)
    defer { if ceiling.isBelow(last.name) { nameCeilings[table.slot] = .name(last.name) } }
    if ceiling.isBelow(first.name) { return names }
    let answer = try connection.run(NameSQL.known, Self.parameters(kind, names.map(\.name)), "write")
    let there = Set((0..<answer.rowCount).map { [UInt8](answer.bytes($0, 0)) })
    if !there.isEmpty { try putNames(kind, names.filter { there.contains($0.name) }) }
    return names.filter { !there.contains($0.name) }
  }

  private func nameCeiling(of table: NameTable) throws(StateError) -> NameCeiling {
    if let known = nameCeilings[table.slot] { return known }
    var parameters = Parameters()
    parameters.add(UInt32(table.rawValue))
    let answer = try connection.run(NameSQL.last, parameters, "read")
    return answer.rowCount > 0 ? .name([UInt8](answer.bytes(0, 0))) : .empty
  }

  private static func data(_ kind: UInt32, _ names: [PendingNames.Entry]) -> [UInt8] {
    var data = CopyData(capacity: names.count * 40)
    for entry in names {
      data.beginRow(columns: 3)
      data.add(kind)
      data.add(entry.name)
      data.add(Int64(entry.number ?? 0))
    }
    data.end()
    return data.bytes
  }

  private func putNames(_ kind: UInt32, _ names: [PendingNames.Entry]) throws(StateError) {
    var parameters = Self.parameters(kind, names.map(\.name))
    parameters.add(each: names.map { Int64($0.number ?? 0) })
    _ = try connection.run(NameSQL.put, parameters, "write")
  }

  private static func parameters(_ kind: UInt32, _ names: [[UInt8]]) -> Parameters {
    var parameters = Parameters()
    parameters.add(kind)
    parameters.add(each: names)
    return parameters
  }

  private static func add(
    keysOf entries: ArraySlice<PendingRows.Entry>, _ table: StateTable, to parameters: inout Parameters
  ) {
    parameters.add(each: entries.map(\.key.a))
    if table.arity > 1 { parameters.add(each: entries.map(\.key.b)) }
    if table.arity > 2 { parameters.add(each: entries.map(\.key.c)) }
  }

  private static func data(
    _ entries: ArraySlice<PendingRows.Entry>, of rows: PendingRows, _ table: StateTable
  ) -> [UInt8] {
    let arity = table.arity
    var data = CopyData(capacity: rows.byteCount + entries.count * (6 + 8 * arity) + 64)
    for entry in entries {
      data.beginRow(columns: arity + 1)
      data.add(entry.key.a)
      if arity > 1 { data.add(entry.key.b) }
      if arity > 2 { data.add(entry.key.c) }
      data.add(rows.value(entry))
    }
    data.end()
    return data.bytes
  }

  func findCeiling(of table: StateTable) throws(StateError) {
    let answer = try connection.run(RowSQL[table].lastOfAll, Parameters(), "read")
    known[table.slot].ceiling = answer.rowCount > 0 ? .key(RowPage.key(answer, 0, table)) : .empty
  }
}
