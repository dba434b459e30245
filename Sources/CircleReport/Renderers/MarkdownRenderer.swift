import CircleModel
import CirclePlan
import CircleState
import Diagnostics
import JSONText

/// Markdown as GitHub and GitLab show it, cut to what they take: what is wrong or refused first, then who gains or loses
/// rights, what is removed and all else, each with how many more there are.
struct MarkdownRenderer: Renderer {
  var limit = MarkdownPage.Limit.comment

  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    let page = try page(of: report)
    sink.buffer.append(utf8: page.text)
  }

  /// The whole text, which keeps to the limit.
  func page(of report: borrowing Report) throws(RenderError) -> MarkdownPage {
    var page = MarkdownPage(limit)
    let mark = report.result.isFailure ? "❌" : report.result == .different ? "📝" : "✅"
    page.paragraph("### \(Markdown(markup: mark)) \(code: "circlectl \(report.command)"): \(report.result.title)")
    for section in report.sections {
      if case .plan(let section) = section { writeSummary(of: section, to: &page) }
    }
    writeFindings(Findings(report), to: &page)
    for section in report.sections { try write(section, report.result, to: &page) }
    return page
  }

  private func write(
    _ section: ReportSection, _ result: ReportResult, to page: inout MarkdownPage
  ) throws(RenderError) {
    let text = TextRenderer(style: TextStyle())
    switch section {
    case .validation(let summary): page.paragraph("\(own: text.sentence(summary))")
    case .faults: break
    case .plan(let section): writeChanges(of: section, to: &page)
    case .guards(let guards): page.remark("\(shortened(guards.sentence, to: 500))")
    case .run(let run):
      page.paragraph("\(own: text.sentence(run))")
      if let guards = LiftedGuards(run) { page.remark("\(shortened(guards.sentence, to: 500))") }
    case .events(let events): try write(events, to: &page)
    case .history(let entries):
      page.table(
        ["Run", "Time", "Command", "Operations", "Events", "Remarks"], entries, "runs"
      ) { entry in
        let run = entry.run
        return [
          "\(Int(run.number))", "\(own: UTCTime.text(run.time))", "\(cell: text.command(of: entry))",
          "\(run.recordCount)",
          "\(run.eventCount)", "\(text.remarks(on: run, isArchived: entry.isArchived))",
        ]
      }
    case .info(let info):
      let rows = text.rows(of: info)
      page.table(["State", ""], rows, "rows") { ["\(own: $0.0)", "\(own: $0.1)"] }
    case .verification(let verification): page.paragraph("\(own: text.verdict(on: verification))")
    case .lock(let lock): page.paragraph("\(text.sentence(lock))")
    case .imported(let summary): page.paragraph("\(own: summary.sentence)")
    case .version(let version): page.paragraph("circlectl \(own: version)")
    case .records(let list): write(list, to: &page)
    case .users(let users): write(RecordList(users), to: &page)
    case .providers(let providers): write(RecordList(providers), to: &page)
    case .message(let message):
      // Those of a failure stand among the findings.
      if !result.isFailure {
        for line in message.split(separator: "\n") { page.remark("\(shortened(String(line), to: 500))") }
      }
    }
  }

  // MARK: - What is wrong

  private func writeFindings(_ findings: Findings, to page: inout MarkdownPage) {
    for failure in findings.failures.prefix(20) {
      let lines = failure.split(separator: "\n").prefix(10)
      page.alert("CAUTION", lines.map { "\(shortened(String($0), to: 500))" })
    }
    if findings.failures.count > 20 { page.paragraph("and \(findings.failures.count - 20) more") }
    let known = findings.items.count + findings.failures.count
    page.list(findings.items, more: max(findings.errors + findings.warnings - known, 0), "more faults") { finding in
      var line: Markdown =
        "- \(finding.severity == .error ? "❌" : "⚠️") \(shortened(finding.message, to: 500)) (\(code: finding.code))"
      if let position = findings.position(of: finding.place) { line = "\(line) at \(code: position)" }
      if finding.blocks > 0 { line = "\(line), blocks \(own: counted(finding.blocks, "change"))" }
      for next in finding.next { line = "\(line)<br>↳ \(code: shortened(next, to: 500))" }
      return line
    }
  }

  // MARK: - The plan

  private func writeSummary(of section: PlanSection, to page: inout MarkdownPage) {
    let plan = section.plan
    let tally = PlanTally(plan)
    page.paragraph("**\(PlanText(section: section, style: TextStyle()).summary(ChangeGroups(plan)))**")
    guard tally != PlanTally() || plan.counts.unmanaged > 0 else { return }
    page.add(
      """
      | create | update | delete | drift | unmanaged | blocked |
      | ---: | ---: | ---: | ---: | ---: | ---: |
      | \(tally.create) | \(tally.update) | \(tally.delete) | \(tally.drift) | \(plan.counts.unmanaged) | \(tally.blocked) |

      """)
  }

  private func writeChanges(of section: PlanSection, to page: inout MarkdownPage) {
    if section.detail == .summary {
      let groups = ChangeGroups(section.plan).groups.filter { !$0.tally.isEmpty }
      page.table(["Server", "create", "update", "delete", "drift", "blocked"], groups, "servers") { group in
        let tally = group.tally
        return [
          group.handle.map { "\(cell: $0.string)" } ?? "users", "\(tally.create)", "\(tally.update)",
          "\(tally.delete)", "\(tally.drift)", "\(tally.blocked)",
        ]
      }
    } else {
      let outline = PlanOutline(section.plan)
      for part in PlanOutline.Part.allCases { write(part, of: outline, section, to: &page) }
    }
    writeNotes(of: section, to: &page)
  }

  /// So many changes of a kind stand open; more of them are folded.
  private static let mostOpen = 25

  private func write(
    _ part: PlanOutline.Part, of outline: PlanOutline, _ section: PlanSection, to page: inout MarkdownPage
  ) {
    let count = outline.count(part)
    guard count > 0 else { return }
    let lines = outline.lines(part, all: section.detail == .full)
    let isFolded = lines.count > Self.mostOpen
    if isFolded {
      page.paragraph("<details><summary><b>\(part.heading)</b> (\(count))</summary>")
    } else {
      page.paragraph("#### \(part.heading)")
    }
    page.table(["", "Server", "Change", "Where", "Why"], lines, "changes", count: { $0.line.count }) { line in
      let handle = outline.groups[line.group].handle.map { "\(cell: $0.string)" as Markdown } ?? ""
      switch line.line {
      case .more(let more, let object): return ["", handle, "and \(more) more \(ChangeLine.plural(object))", "", ""]
      case .change(let change):
        let words = ChangeWords(change, in: section)
        return [
          "\(own: change.sign)", handle, subject(words), words.place.isEmpty ? "" : "\(cell: words.place)",
          "\(own: words.remarks.joined(separator: ", "))",
        ]
      }
    }
    if isFolded { page.paragraph("</details>") }
  }

  private func subject(_ words: ChangeWords) -> Markdown {
    var text: Markdown = "\(words.object)"
    if let user = words.user { text = "\(text) \(cell: user)" }
    func value(_ value: String?) -> Markdown { value.map { "\(cell: $0)" } ?? "–" }
    switch (words.before, words.after) {
    case (nil, nil): return text
    case (nil, let after): return "\(text): \(value(after))"
    case (let before, nil): return "\(text): was \(value(before))"
    case (let before, let after): return "\(text): \(value(before)) → \(value(after))"
    }
  }

  private func writeNotes(of section: PlanSection, to page: inout MarkdownPage) {
    let notes = section.plan.notes.filter { $0.kind != .notPruned }
    guard !notes.isEmpty else { return }
    page.paragraph("#### Notes")
    let text = PlanText(section: section, style: TextStyle())
    page.list(notes, more: 0, "more notes") { "- \(text.sentence($0))" }
  }

  // MARK: - Events and lists

  private func write(_ events: EventsSection, to page: inout MarkdownPage) throws(RenderError) {
    let tally = try EventTally(events)
    guard tally.total > 0 else { return }
    page.paragraph("#### Events (\(tally.total))")
    page.table(["Event", "Number", "Heard by"], tally.rows, "kinds") { row in
      ["\(own: row.name.word.description)", "\(row.count)", "\(own: row.name.hearers(row.receivers))"]
    }
    guard events.purpose == .listing else { return }
    page.beginTable(["Seq", "Time", "Event", "Server", "Actor", "About", "Heard by"])
    var left = 0
    try events.forEach { (event, names, _) throws(OutputError) in
      let words = EventWords(event, names)
      let more = words.more > 0 ? " and \(words.more) more" : ""
      let subjects = words.subjects.map { "\(cell: $0)" as Markdown }.map(\.text).joined(separator: ", ")
      let outcome = words.outcome.map { " → \($0)" } ?? ""
      let isShown =
        left == 0
        && page.row([
          "\(Int(event.seq))", "\(own: UTCTime.text(event.time))", "\(own: words.name)", "\(cell: words.handle)",
          "\(cell: words.actor)", "\(Markdown(markup: subjects))\(own: more)\(own: outcome)",
          "\(own: event.name.hearers(event.audience))",
        ])
      if !isShown { left += 1 }
    }
    page.endTable(more: left, "events")
  }

  private func write(_ list: RecordList, to page: inout MarkdownPage) {
    let shown = list.columns.indices.filter { list.columns[$0].heading != nil }
    page.table(shown.map { list.columns[$0].heading ?? "" }, list.rows, "rows") { row in
      shown.map { column in
        switch row[column] {
        case .none: ""
        case .text(let text): text.isEmpty ? "" : "\(cell: shortened(text, to: 80))"
        case .number(let number): "\(number)"
        case .flag(let flag): flag ? "yes" : "no"
        case .time(let time): time == 0 ? "" : "\(own: UTCTime.text(time))"
        case .texts(let texts): "\(shortened(texts.joined(separator: ", "), to: 200))"
        }
      }
    }
  }
}

extension PlanOutline.Line {
  /// How many changes it stands for.
  fileprivate var count: Int {
    switch self {
    case .change: 1
    case .more(let count, _): count
    }
  }
}
