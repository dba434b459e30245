package import CircleModel
import Diagnostics

/// Reads tables of members or of tags into rows of sixteen bytes.
package final class ListTable {
  package enum Kind: Sendable { case members, tags }

  package let kind: Kind
  package let scan: TableScan
  private var content: ListContent
  /// Handles or ids, as the rows name them.
  package var servers: ByteNames { content.servers }
  /// Of a table of members.
  package var users: UserNames { content.users }
  /// Of a table of tags.
  package var tags: ByteNames { content.tags }
  package var rows: ContiguousArray<ListRow> { content.rows }
  /// For each row where its cells as written wait; empty where they are not kept.
  private var kept = ContiguousArray<Int>()
  private let keepsRefused: Bool

  package init(
    _ kind: Kind, _ options: TableScan.Options, keepsRefused: Bool, interrupted: @escaping () -> Int32
  ) {
    self.kind = kind
    self.keepsRefused = keepsRefused
    scan = TableScan(kind == .members ? .members : .tags, options, keepsRefused: keepsRefused, interrupted: interrupted)
    content = ListContent(scan)
  }

  /// Reads a table to its end.
  ///
  /// - Parameter progress: hears of rows so far, and how far the file has been read in 1024ths, nil for a stream.
  package func read(_ input: TableInput, progress: (Int, Int?) -> Void) throws(TableStop) {
    // Taken out, so that not every change of it is looked at.
    var content = ListContent(scan)
    swap(&content, &self.content)
    defer { swap(&content, &self.content) }
    try scan.read(input, progress: progress) { (reader, row, cellOf, unreadable) throws(TableStop) in
      let before = content.rows.count
      let spot = spot(reader, cellOf)
      let faults = unreadable.and(
        kind == .members ? content.takeMember(row, cellOf, spot) : content.takeTags(row, cellOf, spot))
      guard faults.isEmpty else {
        content.rows.removeLast(content.rows.count - before)
        return faults
      }
      if keepsRefused, let refused = scan.refused, content.rows.count > before {
        let offset = try refused.keep(reader)
        kept.append(contentsOf: repeatElement(offset, count: content.rows.count - before))
      }
      return []
    }
  }

  /// Gives a row back, with what is wrong with it.
  package func giveBack(_ row: Int, error: String) throws(TableStop) {
    if row < kept.count { try scan.refused?.add(kept: kept[row], error: error) }
  }

  // MARK: Places

  /// The column that names the server, as the file of a row calls it.
  package func serverColumn(of row: ListRow) -> String { scan.column(of: 0, in: row.place.file) }
  /// The column that names the user, as the file of a row calls it.
  package func userColumn(of row: ListRow) -> String { scan.column(of: 1, in: row.place.file) }

  private func spot(_ reader: TableReader, _ cellOf: [Int]) -> ListRow.Spot {
    let column = { (cell: Int) in
      guard cell >= 0 else { return 0 }
      let place = reader.place(of: cell)
      return place.line == reader.line ? place.column : 0
    }
    return ListRow.Spot(row: reader.place, server: column(cellOf[0]), user: kind == .members ? column(cellOf[1]) : 0)
  }
}
