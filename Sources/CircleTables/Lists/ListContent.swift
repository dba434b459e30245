import CircleModel
import Diagnostics

/// What the rows of tables of members or tags say.
struct ListContent {
  private(set) var servers = ByteNames()
  private(set) var users = UserNames()
  private(set) var tags = ByteNames()
  var rows = ContiguousArray<ListRow>()
  private let scan: TableScan

  init(_ scan: TableScan) {
    self.scan = scan
  }

  mutating func takeMember(_ row: TableRow, _ cellOf: [Int], _ spot: ListRow.Spot) -> [CellFault] {
    guard cellOf[0] >= 0, cellOf[1] >= 0 else {
      return [CellFault(cell: -1, code: .missingKey, reason: "the row names no \(cellOf[0] < 0 ? "server" : "user")")]
    }
    var faults: [CellFault] = []
    let action = action(row, cellOf[3], &faults)
    var role: Role?
    if cellOf[2] >= 0 {
      let text = scan.value(row, cellOf[2])
      if !TextRule.isBlank(text) {
        role = RoleWord.role(text)
        if role == nil { faults.append(CellFault(cell: cellOf[2], code: .value, reason: RoleWord.reason(text))) }
      }
    }
    let user = scan.value(row, cellOf[1])
    if let violation = TextRule.userID.check(user) {
      faults.append(CellFault(cell: cellOf[1], code: user.isEmpty ? .missingKey : .value, reason: violation.reason))
    }
    guard let server = server(row, cellOf[0], &faults), faults.isEmpty else { return faults }
    rows.append(
      ListRow(server: server, object: users.intern(user).raw, action: action, role: role, at: spot))
    return []
  }

  mutating func takeTags(_ row: TableRow, _ cellOf: [Int], _ spot: ListRow.Spot) -> [CellFault] {
    guard cellOf[0] >= 0, cellOf[1] >= 0 || cellOf[2] >= 0 else {
      return [CellFault(cell: -1, code: .missingKey, reason: "the row names no \(cellOf[0] < 0 ? "server" : "tag")")]
    }
    var faults: [CellFault] = []
    let action = action(row, cellOf[3], &faults)
    guard let server = server(row, cellOf[0], &faults) else { return faults }
    if cellOf[1] >= 0 {
      take(scan.value(row, cellOf[1]), at: cellOf[1], server, action, spot, &faults)
    } else if ListCell.isBroken(scan.value(row, cellOf[2])) {
      faults.append(CellFault(cell: cellOf[2], code: .value, reason: ListCell.broken))
    } else {
      for item in ListCell.items(scan.value(row, cellOf[2])) {
        Text(item).withBytes { take($0, at: cellOf[2], server, action, spot, &faults) }
      }
    }
    return faults
  }

  private mutating func take(
    _ tag: UnsafeBufferPointer<UInt8>, at cell: Int, _ server: Int, _ action: ListAction, _ spot: ListRow.Spot,
    _ faults: inout [CellFault]
  ) {
    if let violation = TextRule.tag.check(tag) {
      faults.append(CellFault(cell: cell, code: .value, reason: violation.reason))
    } else {
      let object = UInt32(truncatingIfNeeded: tags.number(of: tag))
      rows.append(ListRow(server: server, object: object, action: action, role: nil, at: spot))
    }
  }

  private mutating func server(_ row: TableRow, _ cell: Int, _ faults: inout [CellFault]) -> Int? {
    let text = scan.value(row, cell)
    guard TextRule.isBlank(text) else { return servers.number(of: text) }
    faults.append(CellFault(cell: cell, code: .missingKey, reason: "the row names no server"))
    return nil
  }

  private func action(_ row: TableRow, _ cell: Int, _ faults: inout [CellFault]) -> ListAction {
    guard cell >= 0 else { return .add }
    let text = scan.value(row, cell)
    if TextRule.isBlank(text) { return .add }
    if let action = ActionWord.action(text) { return action }
    faults.append(CellFault(cell: cell, code: .value, reason: ActionWord.reason))
    return .add
  }
}
