import Diagnostics

/// A line of a help table: what is explained at the left, the explanation beside it or, where the terminal is narrow
/// or the label long, below it.
struct HelpRow {
  var label: String
  var paragraphs: [String]
  /// Rows within the explanation, such as the values of an option.
  var details: [HelpRow] = []

  /// The rows in lines of at most `width` columns, labels and explanations aligned.
  static func lines(of rows: [HelpRow], width: Int) -> [String] {
    let margin = 2
    let widest = min(30, width * 2 / 5)
    let narrowest = 24
    var labelWidth = rows.map { displayWidth($0.label) }.filter { $0 <= widest }.max() ?? 4
    if width - margin * 2 - labelWidth < narrowest { labelWidth = 4 }
    let indent = margin * 2 + labelWidth
    return rows.flatMap { row in
      var body = row.paragraphs.flatMap { wrapped($0, to: width - indent) }
      body += lines(of: row.details, width: width - indent)
      var lines: [String] = []
      if displayWidth(row.label) <= labelWidth, !body.isEmpty {
        let first = body.removeFirst()
        lines.append("\(blanks(margin))\(padded(row.label, to: labelWidth))\(blanks(margin))\(first)")
      } else if displayWidth(row.label) <= width - margin {
        lines.append("\(blanks(margin))\(row.label)")
      } else {
        lines += wrapped(row.label, to: width - margin).map { blanks(margin) + $0 }
      }
      return lines + body.map { blanks(indent) + $0 }
    }
  }
}

func blanks(_ count: Int) -> String {
  String(repeating: " ", count: count)
}
