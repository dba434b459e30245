import CircleModel
import CirclePlan
import CircleState
import Diagnostics
import JSONText

/// One page that needs no network: what happened in numbers, what is wrong or refused, who gains or loses rights, what
/// changes in each server, and the events with who hears them.
struct HTMLRenderer: Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    let summary = try ReportSummary(report)
    try sink.put(HTMLFrame.head(title: "circlectl \(report.command): \(report.result.title)"))
    try writeHeader(report, to: &sink)
    try sink.put("<main id=\"main\">\n")
    try sink.put(HTMLTiles(summary: summary).html)
    try HTMLFindings(Findings(report)).write(to: &sink)
    for section in report.sections { try write(section, report.result, to: &sink) }
    try sink.put(
      """
      </main>
      <footer><p>Written by circlectl. The JSON report of the same run has the same numbers.</p></footer>

      """)
    try sink.put(HTMLFrame.foot)
  }

  private func writeHeader(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    let kind = report.result.isFailure ? "bad" : report.result == .different ? "news" : "good"
    try sink.put(
      """
      <header>
      <h1>circlectl \(report.command) <span class="badge \(kind)" data-result="\(report.result.rawValue)">\
      \(report.result.title)</span></h1>

      """)
    let text = TextRenderer(style: TextStyle())
    var links: [(id: String, title: String)] = []
    for section in report.sections {
      switch section {
      case .plan(let section):
        let sentence = PlanText(section: section, style: TextStyle()).summary(ChangeGroups(section.plan))
        try sink.put(
          "<p class=\"lead\">\(sentence)</p>\n<p class=\"soft\">Stack \(given: section.plan.stack.string)</p>\n")
        links += HTMLPlan(section).contents
      case .guards(let guards): try sink.put("<p>\(given: guards.sentence)</p>\n")
      case .run(let run):
        try sink.put("<p class=\"soft\">\(text.sentence(run))</p>\n")
        if let guards = LiftedGuards(run) { try sink.put("<p>\(given: guards.sentence)</p>\n") }
      case .validation(let summary): try sink.put("<p class=\"lead\">\(text.sentence(summary))</p>\n")
      case .events: links.append(("events", "Events"))
      default: break
      }
    }
    if links.count > 1 {
      var list: HTML = ""
      for link in links { list += "<li><a href=\"#\(link.id)\">\(link.title)</a></li>" }
      try sink.put("<nav aria-label=\"Sections\"><ul>\(list)</ul></nav>\n")
    }
    try sink.put("</header>\n")
  }

  private func write(
    _ section: ReportSection, _ result: ReportResult, to sink: inout ByteSink
  ) throws(RenderError) {
    let text = TextRenderer(style: TextStyle())
    switch section {
    case .validation, .guards, .run, .faults: break
    case .plan(let section): try HTMLPlan(section).write(to: &sink)
    case .events(let events): try HTMLEvents(section: events).write(to: &sink)
    case .history(let entries):
      try HTMLTable(title: "History", ["Run", "Time", "Command", "Stack", "Operations", "Events", "Remarks"]).write(
        entries, to: &sink
      ) { entry in
        let run = entry.run
        return [
          "\(Int(run.number))", "\(UTCTime.text(run.time))", "\(given: text.command(of: entry))",
          "\(given: run.request.stack?.string ?? "")", "\(run.recordCount)", "\(run.eventCount)",
          "\(given: text.remarks(on: run, isArchived: entry.isArchived))",
        ]
      }
    case .info(let info):
      try HTMLTable(title: "State", ["", ""]).write(text.rows(of: info), to: &sink) { ["\($0.0)", "\($0.1)"] }
    case .verification(let verification):
      try sink.put("<section><p>\(text.verdict(on: verification))</p></section>\n")
    case .lock(let lock): try sink.put("<section><p>\(text.sentence(lock))</p></section>\n")
    case .imported(let summary): try sink.put("<section><p>\(summary.sentence)</p></section>\n")
    case .version(let version): try sink.put("<section><p>circlectl \(version)</p></section>\n")
    case .records(let list): try write(list, to: &sink)
    case .users(let users): try write(RecordList(users), to: &sink)
    case .providers(let providers): try write(RecordList(providers), to: &sink)
    case .message(let message):
      // Those of a failure stand among the findings.
      guard !result.isFailure else { return }
      var lines: HTML = ""
      for line in message.split(separator: "\n") { lines += "<p>\(given: String(line))</p>" }
      try sink.put("<section>\(lines)</section>\n")
    }
  }

  private func write(_ list: RecordList, to sink: inout ByteSink) throws(RenderError) {
    let shown = list.columns.indices.filter { list.columns[$0].heading != nil }
    let title = "\(list.key)"
    try HTMLTable(
      title: title.prefix(1).uppercased() + title.dropFirst(),
      shown.map { list.columns[$0].heading ?? "" }
    ).write(list.rows, to: &sink) { row in
      shown.map { column in
        switch row[column] {
        case .none: ""
        case .text(let text): "\(given: text)"
        case .number(let number): "\(number)"
        case .flag(let flag): flag ? "yes" : "no"
        case .time(let time): time == 0 ? "" : "\(UTCTime.text(time))"
        case .texts(let texts): "\(given: texts.joined(separator: ", "))"
        }
      }
    }
  }
}
