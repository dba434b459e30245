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
  /// Whether anything stands in a column; one where nothing does takes no room.
  private var isUsed: [Bool]
  /// Of the batch, line after line.
  private var cells: [Cell] = []
  /// Of each cell; 0 in the last column, after which nothing has to stand.
  private var cellWidths: [Int] = []
  /// Where each line ends among the cells.
  private var ends: [Int] = []

  /// A cell that is wider than this pushes the rest of its line, not that of all others.
  static let widestColumn = 64
  private static let batch = 256

  /// - Parameter alignments: of each column.
  init(_ alignments: [Alignment], indent: Int = 0, style: TextStyle) {
    self.alignments = alignments
    self.indent = indent
    self.style = style
    widths = Array(repeating: 0, count: alignments.count)
    isUsed = Array(repeating: false, count: alignments.count)
  }

  mutating func append(_ row: [Cell], to buffer: inout ByteBuffer) {
    // A line ends with the last cell that says something.
    let count = min((row.lastIndex { !$0.text.isEmpty } ?? -1) + 1, alignments.count)
    for column in 0..<count {
      if !row[column].text.isEmpty { isUsed[column] = true }
      let isLast = column == alignments.count - 1
      let width = isLast && alignments[column] == .left ? 0 : displayWidth(row[column].text)
      if width > widths[column], width <= Self.widestColumn { widths[column] = width }
      cells.append(row[column])
      cellWidths.append(width)
    }
    ends.append(cells.count)
    if ends.count >= Self.batch { flush(to: &buffer) }
  }

  /// To be called at the end.
  mutating func flush(to buffer: inout ByteBuffer) {
    var start = 0
    for end in ends {
      write(start..<end, to: &buffer)
      start = end
    }
    cells.removeAll(keepingCapacity: true)
    cellWidths.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  private func write(_ line: Range<Int>, to buffer: inout ByteBuffer) {
    buffer.append(spaces: line.isEmpty ? 0 : indent)
    for (column, index) in line.enumerated() {
      guard isUsed[column] else { continue }
      if column > 0 { buffer.append(spaces: 2) }
      let missing = widths[column] - cellWidths[index]
      if alignments[column] == .right { buffer.append(spaces: missing) }
      style.append(cells[index].text, cells[index].paint, to: &buffer)
      if alignments[column] != .right, index + 1 < line.upperBound { buffer.append(spaces: missing) }
    }
    buffer.append(UInt8(ascii: "\n"))
  }
}

extension ByteBuffer {
  fileprivate mutating func append(spaces count: Int) {
    var count = count
    while count > 0 {
      append(UInt8(ascii: " "))
      count -= 1
    }
  }
}
