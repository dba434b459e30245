import Diagnostics
import JSONText

/// A list of things as text: a table under headings, or a thing's values one under the other.
struct RecordListText {
  let list: RecordList
  let style: TextStyle

  func write(to sink: inout ByteSink) throws(OutputError) {
    switch list.form {
    case .table: try writeTable(to: &sink)
    case .details: try writeDetails(to: &sink)
    case .findings: try writeFindings(to: &sink)
    case .unshown: break
    }
  }

  private func writeTable(to sink: inout ByteSink) throws(OutputError) {
    guard !list.rows.isEmpty else { return }
    let shown = list.columns.indices.filter { list.columns[$0].heading != nil }
    guard let widest = widest(of: shown) else { return try writeDetails(to: &sink) }
    let isNumber = shown.map { column in
      list.rows.contains { if case .number = $0[column] { true } else { false } }
    }
    var lines = AlignedLines(isNumber.map { $0 ? .right : .left }, style: style)
    lines.append(shown.map { .init(heading(of: $0), .faint) }, to: &sink.buffer)
    for row in list.rows {
      lines.append(
        shown.enumerated().map { position, column in
          .init(text(of: row[column], atMost: widest[position]), position == 0 ? .heading : nil)
        }, to: &sink.buffer)
      try sink.drain()
    }
    lines.flush(to: &sink.buffer)
  }

  private func heading(of column: Int) -> String { (list.columns[column].heading ?? "").uppercased() }

  /// To how many cells a table cuts each of the columns; nil where it would be wider than the terminal all the same.
  private func widest(of shown: [Int]) -> [Int?]? {
    var widest = shown.map { list.columns[$0].widest }
    guard let columns = style.columns else { return widest }
    let widths = zip(shown, widest).map { column, most in
      list.rows.reduce(displayWidth(heading(of: column))) { max($0, displayWidth(text(of: $1[column], atMost: most))) }
    }
    var excess = widths.reduce(2 * (shown.count - 1), +) - columns
    for (position, column) in shown.enumerated() where excess > 0 && widest[position] != nil {
      let least = max(displayWidth(heading(of: column)), Self.leastCut)
      let cut = min(excess, max(widths[position] - least, 0))
      widest[position] = widths[position] - cut
      excess -= cut
    }
    return excess > 0 ? nil : widest
  }

  /// What is cut to less tells nothing.
  private static let leastCut = 8

  private func writeDetails(to sink: inout ByteSink) throws(OutputError) {
    // In place of a table that is too wide, texts are cut as it does.
    let room = list.form == .table ? style.columns.map { max($0 - headingWidth - 2, Self.leastCut) } : nil
    for (position, row) in list.rows.enumerated() {
      if position > 0 { sink.buffer.append("\n") }
      var lines = AlignedLines([.left, .left], style: style)
      for (column, value) in zip(list.columns, row) where !value.isEmpty {
        guard let heading = column.heading else { continue }
        let text = text(of: value, atMost: column.widest == nil ? nil : room)
        lines.append([.init(heading, .faint), .init(text)], to: &sink.buffer)
      }
      lines.flush(to: &sink.buffer)
      try sink.drain()
    }
  }

  private var headingWidth: Int { list.columns.map { displayWidth($0.heading ?? "") }.max() ?? 0 }

  private func writeFindings(to sink: inout ByteSink) throws(OutputError) {
    let shown = list.columns.indices.dropLast().filter { list.columns[$0].heading != nil }
    var widths = shown.map { column in list.rows.map { displayWidth(text(of: $0[column])) }.max() ?? 0 }
    // Nothing has to stand behind the last of them.
    if !widths.isEmpty { widths[widths.count - 1] = 0 }
    for row in list.rows {
      for (position, column) in shown.enumerated() {
        let text = text(of: row[column])
        if position > 0 { sink.buffer.append("  ") }
        style.append(text, position == 0 ? Self.paint(of: text) : nil, to: &sink.buffer)
        let room = widths[position] - displayWidth(text)
        if room > 0 { sink.buffer.append(utf8: String(repeating: " ", count: room)) }
      }
      sink.buffer.append("\n")
      if case .texts(let lines)? = row.last {
        for line in lines { sink.buffer.append(utf8: "    \(terminalSafe(line))\n") }
      }
      try sink.drain()
    }
  }

  /// How serious the first word of a finding is.
  private static func paint(of word: String) -> Paint {
    switch word {
    case "ok": .faint
    case "fault": .blocked
    default: .changed
    }
  }

  private func text(of value: RecordList.Value, atMost width: Int?) -> String {
    width.map { truncated(text(of: value), to: $0) } ?? text(of: value)
  }

  private func text(of value: RecordList.Value) -> String {
    switch value {
    case .none: ""
    case .text(let text): terminalSafe(text)
    case .number(let number): String(number)
    case .flag(let flag): flag ? "yes" : "no"
    case .time(let time): time == 0 ? "" : UTCTime.text(time)
    case .texts(let texts): texts.map { terminalSafe($0) }.joined(separator: ", ")
    }
  }
}
