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
    let isNumber = shown.map { column in
      list.rows.contains { if case .number = $0[column] { true } else { false } }
    }
    var lines = AlignedLines(isNumber.map { $0 ? .right : .left }, style: style)
    lines.append(shown.map { .init((list.columns[$0].heading ?? "").uppercased(), .faint) }, to: &sink.buffer)
    for row in list.rows {
      lines.append(
        shown.enumerated().map { position, column in
          .init(cell(row[column], of: list.columns[column]), position == 0 ? .heading : nil)
        }, to: &sink.buffer)
      try sink.drain()
    }
    lines.flush(to: &sink.buffer)
  }

  private func writeDetails(to sink: inout ByteSink) throws(OutputError) {
    for (position, row) in list.rows.enumerated() {
      if position > 0 { sink.buffer.append("\n") }
      var lines = AlignedLines([.left, .left], style: style)
      for (column, value) in zip(list.columns, row) where !value.isEmpty {
        guard let heading = column.heading else { continue }
        lines.append([.init(heading, .faint), .init(text(of: value))], to: &sink.buffer)
      }
      lines.flush(to: &sink.buffer)
      try sink.drain()
    }
  }

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

  /// Texts are cut in a table, not where one thing is told in full.
  private func cell(_ value: RecordList.Value, of column: RecordList.Column) -> String {
    column.widest.map { truncated(text(of: value), to: $0) } ?? text(of: value)
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
