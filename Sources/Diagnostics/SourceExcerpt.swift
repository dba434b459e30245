/// The part of a source line that is shown, with a caret under the columns meant.
struct SourceExcerpt {
  /// At most about 160 cells, with `…` where the line goes on; harmless for a terminal, tabs kept.
  private(set) var text = ""
  /// What stands before the caret: spaces, and a tab under each tab so that both lines move alike.
  private(set) var padding = ""
  /// `^~~~`, empty when no column is meant.
  private(set) var caret = ""

  private static let widest = 160
  /// How much is shown before the caret when the line is cut.
  private static let lead = 60
  private static let tab = 8

  /// - Parameters:
  ///   - column: in code points from 1; 0 for none. A column after the line's end is held just after it.
  ///   - end: the column after the last one meant.
  init(of line: String, column: Int, end: Int?) {
    let cells = Self.cells(of: line)
    let target = min(max(column - 1, 0), cells.count)
    let window = Self.window(of: cells, around: target)
    if window.lowerBound > 0 {
      text += "…"
      padding += " "
    }
    for cell in cells[window] { text += cell.text }
    if window.upperBound < cells.count { text += "…" }

    guard column > 0 else {
      padding = ""
      return
    }
    for cell in cells[window.lowerBound..<target] {
      padding += cell.text == "\t" ? "\t" : String(repeating: " ", count: cell.width)
    }
    let last = min(max((end ?? column) - 1, target), window.upperBound)
    let width = target < last ? cells[target..<last].reduce(0) { $0 + $1.width } : 0
    caret = "^" + String(repeating: "~", count: max(min(width, Self.widest) - 1, 0))
  }

  private struct Cell {
    var text: String
    var width: Int
  }

  /// One cell entry a code point, in the form that is shown.
  private static func cells(of line: String) -> [Cell] {
    var counter = CellCounter()
    var cells: [Cell] = []
    forEachVisible(in: line.unicodeScalars, singleLine: true) { scalar, form in
      let width = counter.advance(over: scalar)
      if scalar == "\t" {
        cells.append(Cell(text: "\t", width: tab))
      } else if let form {
        cells.append(Cell(text: form, width: form.utf8.count))
      } else {
        cells.append(Cell(text: String(scalar), width: width))
      }
    }
    return cells
  }

  /// The entries to show: all when they fit, else those from some cells before the target on.
  private static func window(of cells: [Cell], around target: Int) -> Range<Int> {
    if cells.reduce(0, { $0 + $1.width }) <= widest { return 0..<cells.count }
    var first = target
    var used = 0
    while first > 0, used + cells[first - 1].width <= lead {
      first -= 1
      used += cells[first].width
    }
    var last = target
    while last < cells.count, used + cells[last].width <= widest {
      used += cells[last].width
      last += 1
    }
    // A caret near the end leaves room that shows more of what stands before it.
    while first > 0, used + cells[first - 1].width <= widest {
      first -= 1
      used += cells[first].width
    }
    return first..<last
  }
}
