import Diagnostics
import Digest
import JSONText

/// SARIF 2.1.0: one run of one tool. Faults and refusals are results at their places, each with a fingerprint that lives
/// through changes elsewhere in its file; what went wrong at no place is a notification.
struct SARIFRenderer: Renderer {
  /// GitHub shows so many results of a run, the most severe first.
  private static let mostResults = 5000

  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    let findings = Findings(report)
    var document = SARIFDocument(findings, report.liftedGuards, most: Self.mostResults)
    document.write(command: report.command, result: report.result)
    sink.buffer.append(bytes: document.writer.buffer)
  }
}

/// The document while it is written.
private struct SARIFDocument: ~Copyable {
  var writer = JSONWriter(form: .pretty)
  private let findings: Findings
  private let guards: LiftedGuards?
  private let shown: ArraySlice<Finding>
  private var rules: [SARIFRule] = []
  private var ruleIndexes: [String: Int] = [:]
  private var occurrences: [SHA256.Digest: Int] = [:]
  /// The line asked for last: several faults often stand in one.
  private var line: (place: Place, text: String?)?

  init(_ findings: Findings, _ guards: LiftedGuards?, most: Int) {
    self.findings = findings
    self.guards = guards
    shown = findings.items.prefix(most)
    for finding in shown where ruleIndexes[finding.code] == nil {
      ruleIndexes[finding.code] = rules.count
      rules.append(SARIFRule(of: finding))
    }
  }

  mutating func write(command: String, result: ReportResult) {
    writer.beginObject()
    writer.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
    writer.field("version", "2.1.0")
    writer.key("runs")
    writer.beginArray()
    writer.beginObject()
    writeTool()
    writeInvocation(command: command, result: result)
    writer.field("columnKind", "utf16CodeUnits")
    writer.key("results")
    writer.beginArray()
    for finding in shown { write(finding) }
    writer.endArray()
    writer.endObject()
    writer.endArray()
    writer.endObject()
    writer.endLine()
  }

  private mutating func writeTool() {
    let rules = rules
    writer.key("tool")
    writer.object {
      $0.key("driver")
      $0.object {
        $0.field("name", "circlectl")
        $0.key("rules")
        $0.array {
          for rule in rules {
            $0.object {
              $0.field("id", rule.id)
              $0.text("shortDescription", rule.sentence)
            }
          }
        }
      }
    }
  }

  private mutating func writeInvocation(command: String, result: ReportResult) {
    var messages = findings.failures.map { (level: "error", text: $0) }
    let more = findings.errors - findings.failures.count + findings.warnings - shown.count
    if more > 0 { messages.append((level: "note", text: "and \(counted(more, "more result", "more results"))")) }
    if let guards { messages.append((level: "note", text: guards.sentence)) }
    writer.key("invocations")
    writer.array {
      $0.object {
        $0.field("executionSuccessful", !result.isFailure)
        $0.field("exitCodeDescription", "circlectl \(command): \(result.rawValue)")
        guard !messages.isEmpty else { return }
        $0.key("toolExecutionNotifications")
        $0.array {
          for message in messages {
            $0.object {
              $0.field("level", message.level)
              $0.text("message", terminalSafe(message.text, singleLine: false))
            }
          }
        }
      }
    }
  }

  private mutating func write(_ finding: Finding) {
    let message = ([finding.message] + finding.next).map { terminalSafe($0) }.joined(separator: "\n")
    writer.beginObject()
    writer.field("ruleId", finding.code)
    if let index = ruleIndexes[finding.code] { writer.field("ruleIndex", index) }
    writer.field("level", finding.severity.word)
    writer.text("message", message)
    if finding.place.isKnown {
      let text = text(at: finding.place, finding.quote)
      writer.key("locations")
      writer.beginArray()
      write(finding.place, end: finding.end, text: text)
      writer.endArray()
      write(finding.notes)
      writeFingerprint(of: finding, text: text)
    }
    writer.endObject()
  }

  private mutating func write(_ notes: [Diagnostic.Note]) {
    let notes = notes.filter { $0.place.isKnown }
    guard !notes.isEmpty else { return }
    writer.key("relatedLocations")
    writer.beginArray()
    for note in notes {
      write(note.place, end: note.end, text: text(at: note.place, note.quote), message: terminalSafe(note.message))
    }
    writer.endArray()
  }

  private mutating func write(_ place: Place, end: Int?, text: String?, message: String? = nil) {
    let path = findings.files.path(of: place.file)
    let region = place.line > 0 ? SARIFRegion(place, end: end, text: text) : nil
    writer.object {
      $0.key("physicalLocation")
      $0.object {
        $0.key("artifactLocation")
        $0.object { $0.field("uri", fileReference(path)) }
        guard let region else { return }
        $0.key("region")
        $0.object {
          $0.field("startLine", region.line)
          if let column = region.column { $0.field("startColumn", column) }
          if let end = region.endColumn { $0.field("endColumn", end) }
        }
      }
      if let message { $0.text("message", message) }
    }
  }

  /// The rule, the file and what the line says, not its number; then which of several alike it is.
  private mutating func writeFingerprint(of finding: Finding, text: String?) {
    let line = text.map { $0.drop { $0.isWhitespace } } ?? Substring(finding.message)
    let hash = SHA256.digest(of: "\(finding.code)\0\(findings.files.path(of: finding.place.file))\0\(line)")
    let occurrence = (occurrences[hash] ?? 0) + 1
    occurrences[hash] = occurrence
    writer.key("partialFingerprints")
    writer.object { $0.field("primaryLocationLineHash", "\(hash.hex.prefix(16)):\(occurrence)") }
  }

  private mutating func text(at place: Place, _ kept: Quote?) -> String? {
    guard place.line > 0 else { return nil }
    // Of a part of a line nobody knows how many UTF-16 units stand before it.
    if let kept { return kept.column == place.column ? kept.text : nil }
    if let line, line.place.file == place.file, line.place.line == place.line { return line.text }
    let text = findings.files.line(place.line, of: place.file)
    line = (place, text)
    return text
  }
}

extension JSONWriter {
  /// A message of SARIF.
  fileprivate mutating func text(_ key: StaticString, _ text: String) {
    self.key(key)
    object { $0.field("text", text) }
  }
}
