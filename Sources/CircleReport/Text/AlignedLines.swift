import Diagnostics
import JSONText

/// Lines whose columns stand under each other by display width. They go out in batches, so that a million lines are
/// never in memory; a column only grows from one batch to the next.
struct AlignedLines {
  struct Cell {
    /// Harmless for a terminal.
    var text: String
    var paint: Paint?

    init(_ text: String, _ paint: Paint? = nil) {
      self.text = text
      self.paint = paint
    }
  }

  private let style: TextStyle
  private let indent: Int
  private let alignments: [Alignment]
  private var widths: [Int]
  private var rows: [[Cell]] = []

  /// A cell that is wider than this pushes the rest of its line, not that of all others.
  static let widestColumn = 64
  private static let batch = 256

  /// - Parameter alignments: of each column.
  init(_ alignments: [Alignment], indent: Int = 0, style: TextStyle) {
    self.alignments = alignments
    self.indent = indent
    self.style = style
    widths = Array(repeating: 0, count: alignments.count)
  }

  mutating func append(_ cells: [Cell], to buffer: inout ByteBuffer) {
    rows.append(cells)
    if rows.count >= Self.batch { flush(to: &buffer) }
  }

  /// To be called at the end.
  mutating func flush(to buffer: inout ByteBuffer) {
    for row in rows {
      for (column, cell) in row.enumerated() where column < widths.count {
        let width = displayWidth(cell.text)
        if width > widths[column], width <= Self.widestColumn { widths[column] = width }
      }
    }
    for row in rows { write(row, to: &buffer) }
    rows.removeAll(keepingCapacity: true)
  }

  private func write(_ row: [Cell], to buffer: inout ByteBuffer) {
    var line = String(repeating: " ", count: indent)
    // Nothing is padded after the last cell that says something.
    let end = (row.lastIndex { !$0.text.isEmpty } ?? -1) + 1
    for (column, cell) in row[..<end].enumerated() {
      if column > 0 { line += "  " }
      let missing = column < widths.count ? max(widths[column] - displayWidth(cell.text), 0) : 0
      let space = String(repeating: " ", count: missing)
      let isRight = column < alignments.count && alignments[column] == .right
      if isRight { line += space }
      line += style.paint(cell.text, cell.paint)
      if !isRight, column + 1 < end { line += space }
    }
    buffer.append(utf8: line)
    buffer.append(UInt8(ascii: "\n"))
  }
}
