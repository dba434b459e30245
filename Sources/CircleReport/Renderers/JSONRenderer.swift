import CircleModel
import CirclePlan
import CircleState
import JSONText

/// One document: its format and how the run ended first, then the sections in their order, messages last. Lists have
/// one compact element a line, so that a text diff of two documents shows what changed.
struct JSONRenderer: Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    var document = Document()
    document.writer.beginObject()
    document.writer.field("circlectlReport", Report.version)
    document.writer.field("command", report.command)
    document.writer.field("result", report.result.rawValue)
    var messages: [String] = []
    for section in report.sections {
      if case .message(let text) = section {
        messages.append(text)
      } else {
        try render(section, &document, to: &sink)
      }
    }
    if !messages.isEmpty {
      document.writer.key("messages")
      document.writer.array { for text in messages { $0.string(text) } }
    }
    document.writer.endObject()
    document.writer.endLine()
    try document.drain(atLeast: 1, into: &sink)
  }

  private func render(
    _ section: ReportSection, _ document: inout Document, to sink: inout ByteSink
  ) throws(RenderError) {
    switch section {
    case .validation(let summary):
      document.object("validation") { $0.members(of: summary) }
    case .imported(let summary):
      document.object("import") { $0.members(of: summary) }
    case .faults(let list):
      try document.list("faults", list.diagnostics, to: &sink) { $1.members(of: $0, list.files) }
      document.object("faultCounts") {
        $0.field("errors", list.errors)
        $0.field("warnings", list.warnings)
      }
    case .plan(let section):
      try render(section, &document, to: &sink)
    case .guards(let guards):
      document.object("guards") { $0.members(of: guards) }
    case .run(let run):
      document.object("run") { $0.members(of: run) }
    case .events(let events):
      document.writer.key("events")
      document.writer.beginArray()
      try events.encode(to: &sink) { (event, sink) throws(OutputError) in
        event.withBytes { document.writer.encoded($0) }
        try document.drainToOutput(&sink)
      }
      document.writer.endArray()
    case .history(let runs):
      try document.list("runs", runs, to: &sink) { $1.members(of: $0) }
    case .info(let info):
      document.object("state") { $0.members(of: info) }
    case .verification(let verification):
      document.object("verification") { $0.members(of: verification) }
    case .lock(let lock):
      document.object("lock") { $0.members(of: lock) }
    case .version(let version):
      document.writer.field("version", version)
    case .records(let list):
      try document.list(list.key, list.rows, to: &sink) { $1.members(of: $0, list.columns) }
      if let next = list.next { document.writer.field("next", next) }
    case .users(let users):
      try document.list("users", users, to: &sink) { $1.members(of: $0) }
    case .providers(let providers):
      try document.list("providers", providers, to: &sink) { $1.members(of: $0) }
    case .message:
      break
    }
  }

  private func render(
    _ section: PlanSection, _ document: inout Document, to sink: inout ByteSink
  ) throws(RenderError) {
    let plan = section.plan
    document.writer.field("stack", plan.stack.string)
    document.writer.field("applied", section.isApplied)
    document.object("summary") { $0.members(of: PlanTally(plan), plan.counts) }
    if section.detail == .summary {
      let groups = ChangeGroups(plan).groups.filter { !$0.tally.isEmpty }
      try document.list("servers", groups, to: &sink) { $1.members(of: $0.tally, server: $0.handle) }
    } else {
      document.writer.key("changes")
      document.writer.beginArray()
      var encoder = ChangeEncoder(section)
      var line = ByteBuffer()
      for change in plan.changes {
        line.removeAll()
        encoder.append(change, to: &line)
        line.withBytes { document.writer.encoded($0) }
        try document.drain(into: &sink)
      }
      document.writer.endArray()
    }
    try document.list("refusals", plan.refusals.enumerated(), to: &sink) {
      $1.members(of: $0.element, index: $0.offset, section.files)
    }
    try document.list("notes", plan.notes, to: &sink) { $1.members(of: $0, of: plan, section.files) }
  }

  /// The document on its way out.
  private struct Document: ~Copyable {
    var writer = JSONWriter(form: .pretty, capacity: ByteBuffer.piece + 4096)
    private var element = JSONWriter()

    /// A small object, one member a line.
    mutating func object(_ key: StaticString, _ members: (inout JSONWriter) -> Void) {
      writer.key(key)
      writer.object(members)
    }

    /// An array of objects, one a line.
    mutating func list<Elements: Sequence>(
      _ key: StaticString, _ elements: Elements, to sink: inout ByteSink,
      _ members: (Elements.Element, inout JSONWriter) -> Void
    ) throws(RenderError) {
      writer.key(key)
      writer.beginArray()
      for value in elements {
        element.object { members(value, &$0) }
        // Only a line's end lets the next value stand alone; the document ends the line itself.
        element.endLine()
        element.buffer.withBytes { writer.encoded(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
        element.buffer.removeAll()
        try drain(into: &sink)
      }
      writer.endArray()
    }

    mutating func drain(atLeast least: Int = ByteBuffer.piece, into sink: inout ByteSink) throws(RenderError) {
      do throws(OutputError) { try drainToOutput(atLeast: least, &sink) } catch { throw .output(error) }
    }

    mutating func drainToOutput(
      atLeast least: Int = ByteBuffer.piece, _ sink: inout ByteSink
    ) throws(OutputError) {
      try writer.buffer.drain(atLeast: least) { (bytes) throws(OutputError) in try sink.write(bytes) }
    }
  }
}
