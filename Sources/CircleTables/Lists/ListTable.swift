package import CircleModel
import Diagnostics

/// Reads tables of members or of tags into rows of sixteen bytes.
package final class ListTable {
  package enum Kind: Sendable { case members, tags }

  package let kind: Kind
  package let scan: TableScan
  /// Handles or ids, as the rows name them.
  package private(set) var servers = ByteNames()
  /// Of a table of members.
  package private(set) var users = UserNames()
  /// Of a table of tags.
  package private(set) var tags = ByteNames()
  package private(set) var rows = ContiguousArray<ListRow>()
  /// For each row where its cells as written wait; empty where they are not kept.
  private var kept = ContiguousArray<Int>()
  private let keepsRefused: Bool

  package init(
    _ kind: Kind, _ options: TableScan.Options, keepsRefused: Bool, interrupted: @escaping () -> Int32
  ) {
    self.kind = kind
    self.keepsRefused = keepsRefused
    scan = TableScan(kind == .members ? .members : .tags, options, keepsRefused: keepsRefused, interrupted: interrupted)
  }

  /// Reads a table to its end.
  ///
  /// - Parameter progress: hears of rows so far, and how far the file has been read in 1024ths, nil for a stream.
  package func read(_ input: TableInput, progress: (Int, Int?) -> Void) throws(TableStop) {
    try scan.read(input, progress: progress) { (reader, row, cellOf, unreadable) throws(TableStop) in
      let before = rows.count
      let spot = spot(reader, cellOf)
      let faults = unreadable.and(kind == .members ? takeMember(row, cellOf, spot) : takeTags(row, cellOf, spot))
      guard faults.isEmpty else {
        rows.removeLast(rows.count - before)
        return faults
      }
      if keepsRefused, let refused = scan.refused, rows.count > before {
        let offset = try refused.keep(reader)
        kept.append(contentsOf: repeatElement(offset, count: rows.count - before))
      }
      return []
    }
  }

  /// Gives a row back, with what is wrong with it.
  package func giveBack(_ row: Int, error: String) throws(TableStop) {
    if row < kept.count { try scan.refused?.add(kept: kept[row], error: error) }
  }

  // MARK: Places

  /// By file, what its columns for the server and for the user are called; empty before they are known.
  private var headers: [FileIndex: (server: String, user: String)] = [:]
  /// The one of them that was met last.
  private var lastHeaded: FileIndex?

  /// The column that names the server, as the file of a row calls it.
  package func serverColumn(of row: ListRow) -> String { headers[row.place.file]?.server ?? "server" }
  /// The column that names the user, as the file of a row calls it.
  package func userColumn(of row: ListRow) -> String { headers[row.place.file]?.user ?? "user" }

  private func spot(_ reader: TableReader, _ cellOf: [Int]) -> ListRow.Spot {
    let column = { (cell: Int) in
      guard cell >= 0 else { return 0 }
      let place = reader.place(of: cell)
      return place.line == reader.line ? place.column : 0
    }
    if lastHeaded != reader.file, headers[reader.file] == nil {
      let names = (0...1).map { field in
        reader.withRow({ cellOf[field] < 0 ? "" : reader.columns[Int($0.cells[cellOf[field]].column)] }, otherwise: "")
      }
      if kind == .tags || !names.contains("") {
        headers[reader.file] = (names[0], names[1])
        lastHeaded = reader.file
      }
    }
    return ListRow.Spot(row: reader.place, server: column(cellOf[0]), user: kind == .members ? column(cellOf[1]) : 0)
  }

  // MARK: Cells

  private func takeMember(_ row: TableRow, _ cellOf: [Int], _ spot: ListRow.Spot) -> [CellFault] {
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

  private func takeTags(_ row: TableRow, _ cellOf: [Int], _ spot: ListRow.Spot) -> [CellFault] {
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

  private func take(
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

  private func server(_ row: TableRow, _ cell: Int, _ faults: inout [CellFault]) -> Int? {
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
