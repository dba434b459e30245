import CircleModel
import CircleState
import Diagnostics
import Digest
import JSONText

/// Reports for people. Nothing that anyone gave can steer the terminal, and colour only adds to what the words say.
struct TextRenderer: Renderer {
  let style: TextStyle

  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    for (position, section) in report.sections.enumerated() {
      try render(section, between: (position > 0, position + 1 < report.sections.count), to: &sink)
    }
  }

  private func render(
    _ section: ReportSection, between neighbours: (before: Bool, after: Bool), to sink: inout ByteSink
  ) throws(RenderError) {
    switch section {
    case .validation(let summary): line(sentence(summary), to: &sink)
    case .imported(let summary): line(summary.sentence, to: &sink)
    case .faults: break
    case .plan(let section):
      do throws(OutputError) {
        try PlanText(section: section, style: style).write(to: &sink)
      } catch {
        throw .output(error)
      }
    case .guards(let guards): line(terminalSafe(guards.sentence), to: &sink)
    case .run(let run):
      line(sentence(run), to: &sink)
      if let guards = LiftedGuards(run) { line(terminalSafe(guards.sentence), to: &sink) }
    case .events(let section): try EventsText(section: section, style: style, neighbours: neighbours).write(to: &sink)
    case .history(let runs): try write(runs, to: &sink)
    case .info(let info): write(info, to: &sink)
    case .verification(let verification): write(verification, to: &sink)
    case .lock(let lock): line(sentence(lock), to: &sink)
    case .version(let version): line("circlectl \(terminalSafe(version))", to: &sink)
    case .records(let list):
      do throws(OutputError) {
        try RecordListText(list: list, style: style).write(to: &sink)
      } catch {
        throw .output(error)
      }
    case .users(let users): UserText(users: users, style: style).write(to: &sink.buffer)
    case .providers(let providers): ProviderText(providers: providers, style: style).write(to: &sink.buffer)
    case .message(let text): line(terminalSafe(text, singleLine: false), to: &sink)
    }
  }

  func sentence(_ summary: ValidationSummary) -> String {
    let things = enumerated([
      counted(summary.servers, "server"), counted(summary.users, "user"), counted(summary.groups, "group"),
      counted(summary.memberships, "membership"),
    ])
    let faults = summary.warnings == 0 ? "No faults found." : "No errors, \(counted(summary.warnings, "warning"))."
    return "\(counted(summary.files, "file")) checked: \(things). \(faults)"
  }

  func sentence(_ run: Run) -> String {
    "Run \(run.number) at \(UTCTime.text(run.time)): \(counted(run.recordCount, "operation")), "
      + "\(counted(run.eventCount, "event")), head \(run.hash.short)."
  }

  func sentence(_ lock: StateLock?) -> String {
    guard let lock else { return "No run holds the lock." }
    return "Locked by process \(lock.process) on \(terminalSafe(lock.host)) since \(UTCTime.text(lock.since))."
  }

  private func write(_ entries: [HistoryEntry], to sink: inout ByteSink) throws(RenderError) {
    var lines = AlignedLines([.right, .left, .left, .left, .right, .right, .left, .left], style: style)
    for entry in entries {
      let run = entry.run
      lines.append(
        [
          .init(String(run.number), .heading), .init(UTCTime.text(run.time), .faint),
          .init(terminalSafe(command(of: entry))), .init(terminalSafe(run.request.stack?.string ?? "")),
          .init(countedEvenly(run.recordCount, "operation")), .init(countedEvenly(run.eventCount, "event")),
          .init(run.hash.short, .faint), .init(remarks(on: run, isArchived: entry.isArchived)),
        ], to: &sink.buffer)
      do throws(OutputError) { try sink.drain() } catch { throw .output(error) }
    }
    lines.flush(to: &sink.buffer)
  }

  /// The command, and what it was about where that is one thing.
  func command(of entry: HistoryEntry) -> String {
    entry.run.request.command + (entry.subject.map { " \($0)" } ?? "")
  }

  /// The reason, and what was allowed beside the guards.
  func remarks(on run: Run, isArchived: Bool = false) -> String {
    var remarks: [String] = []
    if isArchived { remarks.append("[archived]") }
    if let reason = run.request.reason { remarks.append(terminalSafe(reason)) }
    if !run.request.allowances.isEmpty {
      remarks.append("(allowed \(enumerated(run.request.allowances.map { terminalSafe($0) })))")
    }
    return remarks.joined(separator: " ")
  }

  private func write(_ info: StateInfo, to sink: inout ByteSink) {
    var lines = AlignedLines([.left, .left], style: style)
    for (name, value) in rows(of: info) { lines.append([.init(name, .faint), .init(value)], to: &sink.buffer) }
    lines.flush(to: &sink.buffer)
  }

  /// What a state says of itself, by name.
  func rows(of info: StateInfo) -> [(String, String)] {
    let head = info.head
    var rows: [(String, String)] = [
      ("format", String(info.format)), ("revision", String(head.revision)), ("runs", String(head.run)),
      ("events", String(head.nextSeq - 1)),
    ]
    if head.run > 0 { rows.append(("last run", UTCTime.text(head.time))) }
    if let checkpoint = info.checkpoint {
      rows.append(
        (
          "archived",
          "\(through(Int(checkpoint.run), "run")), \(through(Int(checkpoint.lastSeq), "event")), "
            + "the last of \(UTCTime.text(checkpoint.time))"
        ))
    }
    rows += [
      ("users", String(head.totals.users)), ("servers", String(head.totals.servers)),
      ("memberships", String(head.totals.memberships)),
      ("limits", "\(head.limits.created) servers created, \(head.limits.joined) joined, by one user"),
      ("head", head.hash.hex),
    ]
    return rows
  }

  /// The first so many of them.
  private func through(_ last: Int, _ noun: String) -> String {
    last == 0 ? "no \(noun)" : last == 1 ? "\(noun) 1" : "\(noun)s 1 to \(last)"
  }

  private func write(_ verification: Verification, to sink: inout ByteSink) {
    for fault in verification.faults {
      line(style.paint("fault:", .blocked) + " " + terminalSafe(fault), to: &sink)
    }
    line(verdict(on: verification), to: &sink)
  }

  func verdict(on verification: Verification) -> String {
    let head = verification.head
    let extent = "\(counted(Int(head.run), "run")), \(counted(Int(head.nextSeq) - 1, "event")), head \(head.hash.hex)"
    let verdict =
      verification.faults.isEmpty
      ? "The \(verification.subject.rawValue) is sound" : "\(counted(verification.faults.count, "fault")) found"
    let begin = verification.checkpoint.map {
      " The log begins after run \($0.run) and event \($0.lastSeq); what came before has gone into archives."
    }
    return "\(verdict): \(extent).\(begin ?? "")"
  }

  private func line(_ text: String, to sink: inout ByteSink) {
    sink.buffer.append(utf8: text)
    sink.buffer.append(UInt8(ascii: "\n"))
  }
}

extension SHA256.Digest {
  /// Enough of it to tell runs apart at a glance.
  fileprivate var short: String { String(hex.prefix(12)) }
}
