import CircleModel
import CirclePlan
import Diagnostics
import JSONText

/// Annotations for a GitHub workflow: faults and refusals as errors, what has drifted as warnings, who gains or loses
/// rights and what else changes as notices, each at its line of the manifest; then one line of summary.
///
/// GitHub shows ten annotations of a kind for each step, so the tenth tells how many more there are.
struct GitHubRenderer: Renderer {
  private static let longestKind = 10

  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    let findings = Findings(report)
    var errors = findings.failures.map {
      WorkflowCommand(
        name: "error", properties: [("title", "circlectl \(report.command)")],
        message: $0.split(separator: "\n").map(String.init))
    }
    errors += findings.items.filter { $0.severity == .error }.map { command($0, findings.files) }
    var warnings = findings.items.filter { $0.severity == .warning }.map { command($0, findings.files) }
    var notices =
      report.liftedGuards.map {
        [WorkflowCommand(name: "notice", properties: [("title", "guards")], message: [$0.sentence])]
      } ?? []
    var (more, moreWarnings) = (0, findings.warnings - warnings.count)
    for section in report.sections {
      guard case .plan(let section) = section, section.detail != .summary else { continue }
      let changes = Changes(section)
      warnings += changes.drift
      notices += changes.others
      moreWarnings += changes.moreDrift
      more += changes.moreOthers
    }
    write(errors, more: findings.errors - errors.count, "errors", to: &sink.buffer)
    write(warnings, more: moreWarnings, "warnings", to: &sink.buffer)
    write(notices, more: more, "changes", to: &sink.buffer)
    sink.buffer.append(utf8: summary(report, findings) + "\n")
  }

  private func write(_ commands: [WorkflowCommand], more: Int, _ noun: String, to buffer: inout ByteBuffer) {
    let isCut = commands.count + more > Self.longestKind
    let shown = commands.prefix(isCut ? Self.longestKind - 1 : Self.longestKind)
    for command in shown { buffer.append(utf8: command.text + "\n") }
    let rest = commands.count + more - shown.count
    if rest > 0, let last = commands.first {
      let command = WorkflowCommand(
        name: last.name, properties: [("title", "circlectl")], message: ["and \(rest) more \(noun)"])
      buffer.append(utf8: command.text + "\n")
    }
  }

  private func command(_ finding: Finding, _ files: SourceFiles) -> WorkflowCommand {
    var message = [finding.message]
    if finding.blocks > 0 { message[0] += " (blocks \(counted(finding.blocks, "change")))" }
    return WorkflowCommand(
      name: finding.severity == .error ? "error" : "warning",
      properties: Self.properties(finding.place, end: finding.end, files, title: finding.code),
      message: message + finding.next)
  }

  fileprivate static func properties(
    _ place: Place, end: Int?, _ files: SourceFiles, title: String
  ) -> [(key: String, value: String)] {
    var properties: [(key: String, value: String)] = []
    if place.isKnown {
      properties.append(("file", files.path(of: place.file)))
      if place.line > 0 { properties.append(("line", String(place.line))) }
      if place.line > 0, place.column > 0 { properties.append(("col", String(place.column))) }
      if let end, end - 1 > place.column { properties.append(("endColumn", String(end - 1))) }
    }
    return properties + [("title", title)]
  }

  /// Numbers and words of the program alone: a log may hold nothing that someone could take for a command.
  private func summary(_ report: borrowing Report, _ findings: Findings) -> String {
    for section in report.sections {
      if case .plan(let section) = section {
        return PlanText(section: section, style: TextStyle()).summary(ChangeGroups(section.plan))
      }
      if case .validation(let summary) = section { return TextRenderer(style: TextStyle()).sentence(summary) }
    }
    guard findings.errors + findings.warnings > 0 else { return "circlectl \(report.command): \(report.result.title)." }
    return
      "circlectl \(report.command): \(counted(findings.errors, "error")), \(counted(findings.warnings, "warning"))."
  }
}

/// The changes of a plan as annotations, no more of them than are shown.
private struct Changes {
  var drift: [WorkflowCommand] = []
  var others: [WorkflowCommand] = []
  var moreDrift = 0
  var moreOthers = 0

  init(_ section: PlanSection) {
    let outline = PlanOutline(section.plan)
    for part in [PlanOutline.Part.rights, .removals, .others] {
      for group in outline.groups.indices {
        for change in outline.changes(part, group: group) {
          let isDrift = change.kind == .drift
          // One more than is shown makes the list say how many are missing.
          guard (isDrift ? drift : others).count < 10 else {
            if isDrift { moreDrift += 1 } else { moreOthers += 1 }
            continue
          }
          let command = Self.command(change, in: section, handle: outline.groups[group].handle?.string)
          if isDrift { drift.append(command) } else { others.append(command) }
        }
      }
    }
  }

  private static func command(_ change: Change, in section: PlanSection, handle: String?) -> WorkflowCommand {
    let sentence = ChangeLine(section: section).sentence(change)
    return WorkflowCommand(
      name: change.kind == .drift ? "warning" : "notice",
      properties: GitHubRenderer.properties(
        change.place, end: nil, section.files, title: change.kind == .drift ? "drift" : change.action.word),
      message: [handle.map { "\($0): \(sentence)" } ?? sentence])
  }
}
