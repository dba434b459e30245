/// The details of those users who have any, found by position: a million operations ask for their actor's devices.
package struct UserDetails: Sendable {
  /// By user; 0 is none, else the position in `rows` plus one.
  @usableFromInline var positions = ContiguousArray<UInt32>()
  @usableFromInline var rows = ContiguousArray<Row>()
  /// By user, beside the rows: 400 KB for 200,000 users, where the rows are scattered over megabytes.
  private var deviceCounts = ContiguousArray<UInt16>()

  package struct Row: Sendable {
    package var key: UserIndex
    package var value: UserDetail
  }

  package init() {}

  package var isEmpty: Bool { rows.isEmpty }
  package var count: Int { rows.count }

  package subscript(_ user: UserIndex) -> UserDetail? {
    get { row(of: user).map { rows[$0].value } }
    set {
      switch (row(of: user), newValue) {
      case (let row?, let value?):
        rows[row].value = value
        count(user, value.devices)
      case (nil, let value?): add(user, value)
      case (let row?, nil): remove(row)
      case (nil, nil): break
      }
    }
  }

  /// The user's row, changed in place; added where there is none.
  package subscript(_ user: UserIndex, default value: @autoclosure () -> UserDetail) -> UserDetail {
    get { self[user] ?? value() }
    _modify {
      if row(of: user) == nil { add(user, value()) }
      let row = Int(positions[user.position] - 1)
      defer { count(user, rows[row].value.devices) }
      yield &rows[row].value
    }
  }

  /// Lends the user's detail, if he has any, without a copy.
  @inlinable @inline(__always)
  package func withDetail(of user: UserIndex, _ body: (borrowing UserDetail) -> Void) {
    guard user.position < positions.count, positions[user.position] != 0 else { return }
    let row = Int(positions[user.position] - 1)
    rows.withUnsafeBufferPointer { body($0[row].value) }
  }

  /// On how many devices the user is signed in.
  package func deviceCount(of user: UserIndex) -> Int {
    user.position < deviceCounts.count ? Int(deviceCounts[user.position]) : 0
  }

  private mutating func count(_ user: UserIndex, _ devices: [Text]) {
    deviceCounts[user.position] = UInt16(clamping: devices.count)
  }

  private func row(of user: UserIndex) -> Int? {
    guard user.position < positions.count, positions[user.position] != 0 else { return nil }
    return Int(positions[user.position] - 1)
  }

  private mutating func add(_ user: UserIndex, _ value: UserDetail) {
    if user.position >= positions.count {
      let missing = user.position + 1 - positions.count
      positions.append(contentsOf: repeatElement(0, count: missing))
      deviceCounts.append(contentsOf: repeatElement(0, count: missing))
    }
    rows.append(Row(key: user, value: value))
    positions[user.position] = UInt32(truncatingIfNeeded: rows.count)
    count(user, value.devices)
  }

  private mutating func remove(_ row: Int) {
    positions[rows[row].key.position] = 0
    deviceCounts[rows[row].key.position] = 0
    let last = rows.removeLast()
    guard row < rows.count else { return }
    rows[row] = last
    positions[last.key.position] = UInt32(truncatingIfNeeded: row + 1)
  }
}

extension UserDetails: Sequence {
  /// In no particular order.
  package func makeIterator() -> AnyIterator<(key: UserIndex, value: UserDetail)> {
    var rows = rows.makeIterator()
    return AnyIterator { rows.next().map { ($0.key, $0.value) } }
  }
}
