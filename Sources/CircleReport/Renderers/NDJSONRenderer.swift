import CircleModel
import CirclePlan
import CircleState
import JSONText

/// One record a line, each an object with its `type` first; the events of a listing are bare, and alone.
struct NDJSONRenderer: Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    var lines = Lines()
    if !report.isListing {
      try lines.write("header", to: &sink) {
        $0.field("circlectlReport", Report.version)
        $0.field("command", report.command)
        $0.field("result", report.result.rawValue)
      }
    }
    for section in report.sections {
      if report.isListing, !section.isListing { continue }
      try render(section, &lines, to: &sink)
    }
  }

  private func render(
    _ section: ReportSection, _ lines: inout Lines, to sink: inout ByteSink
  ) throws(RenderError) {
    switch section {
    case .validation(let summary):
      try lines.write("validation", to: &sink) { $0.members(of: summary) }
    case .imported(let summary):
      try lines.write("import", to: &sink) { $0.members(of: summary) }
    case .faults(let list):
      for fault in list.diagnostics {
        try lines.write("fault", to: &sink) { $0.members(of: fault, list.files) }
      }
      try lines.write("faultCounts", to: &sink) {
        $0.field("errors", list.errors)
        $0.field("warnings", list.warnings)
      }
    case .plan(let section):
      try render(section, &lines, to: &sink)
    case .guards(let guards):
      try lines.write("guards", to: &sink) { $0.members(of: guards) }
    case .run(let run):
      try lines.write("run", to: &sink) { $0.members(of: run) }
    case .events(let events):
      let type = events.purpose == .consequence
      var encoder = EventEncoder()
      try events.forEach { (event, names, users) throws(OutputError) in
        encoder.append(event, names, users: users, type: type, to: &sink.buffer)
        sink.buffer.append(UInt8(ascii: "\n"))
        try sink.drain()
      }
    case .history(let runs):
      for entry in runs {
        try lines.write("run", to: &sink) { $0.members(of: entry) }
      }
    case .info(let info):
      try lines.write("state", to: &sink) { $0.members(of: info) }
    case .verification(let verification):
      try lines.write("verification", to: &sink) { $0.members(of: verification) }
    case .lock(let lock):
      try lines.write("lock", to: &sink) { $0.members(of: lock) }
    case .version(let version):
      try lines.write("version", to: &sink) { $0.field("version", version) }
    case .records(let list):
      for row in list.rows {
        try lines.write(list.type, to: &sink) { $0.members(of: row, list.columns) }
      }
      if let next = list.next {
        try lines.write("page", to: &sink) { $0.field("next", next) }
      }
    case .users(let users):
      for user in users { try lines.write("user", to: &sink) { $0.members(of: user) } }
    case .providers(let providers):
      for provider in providers { try lines.write("provider", to: &sink) { $0.members(of: provider) } }
    case .message(let text):
      try lines.write("message", to: &sink) { $0.field("text", text) }
    }
  }

  private func render(
    _ section: PlanSection, _ lines: inout Lines, to sink: inout ByteSink
  ) throws(RenderError) {
    let plan = section.plan
    if section.detail == .summary {
      let groups = ChangeGroups(plan)
      for group in groups.groups where !group.tally.isEmpty {
        try lines.write("server", to: &sink) { $0.members(of: group.tally, server: group.handle) }
      }
    } else {
      do throws(OutputError) {
        try sink.append(plan.changes.count) { range, buffer in
          var encoder = ChangeEncoder(section)
          for change in section.plan.changes[range] {
            encoder.append(change, type: true, to: &buffer)
            buffer.append(UInt8(ascii: "\n"))
          }
        }
      } catch {
        throw .output(error)
      }
    }
    for (index, refusal) in plan.refusals.enumerated() {
      try lines.write("refusal", to: &sink) { $0.members(of: refusal, index: index, section.files) }
    }
    for note in plan.notes {
      try lines.write("note", to: &sink) { $0.members(of: note, of: plan, section.files) }
    }
    try lines.write("summary", to: &sink) {
      $0.field("stack", plan.stack.string)
      $0.field("applied", section.isApplied)
      $0.members(of: PlanTally(plan), plan.counts)
    }
  }

  /// Writes small records.
  private struct Lines: ~Copyable {
    private var writer = JSONWriter()

    mutating func write(
      _ type: String, to sink: inout ByteSink, _ members: (inout JSONWriter) -> Void
    ) throws(RenderError) {
      writer.object {
        $0.field("type", type)
        members(&$0)
      }
      writer.endLine()
      sink.buffer.append(bytes: writer.buffer)
      writer.buffer.removeAll()
      do throws(OutputError) { try sink.drain() } catch { throw .output(error) }
    }
  }
}

extension Report {
  /// The version of the report format, in JSON and NDJSON.
  package static var version: Int { 1 }

  /// Whether the events of the log are all that it tells.
  var isListing: Bool { sections.contains { $0.isListing } }
}

extension ReportSection {
  var isListing: Bool {
    if case .events(let events) = self { return events.purpose == .listing }
    return false
  }
}
