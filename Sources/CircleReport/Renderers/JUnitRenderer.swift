import CircleModel
import CirclePlan
import Diagnostics
import JSONText

/// JUnit XML: a suite for the input, one for the plan and one for the run itself. What is wrong or refused is a failed
/// test case, and where there should be no change, so is a server that changes; else such a server, and a run that did what it should, is one that passed.
struct JUnitRenderer: Renderer {
  func render(_ report: borrowing Report, to sink: inout ByteSink) throws(RenderError) {
    var suites: [Suite] = []
    for section in report.sections {
      switch section {
      case .faults(let list): suites.append(.faults(list))
      case .plan(let section): suites.append(.plan(section))
      case .verification(let verification):
        suites.append(
          Suite(
            name: "state",
            cases: verification.faults.enumerated().map { position, fault in
              Case(
                name: "fault \(position + 1)", group: "state",
                failure: .init(kind: "state", message: fault, lines: [fault]))
            }))
      default: break
      }
    }
    suites.append(.run(report))
    write(suites, to: &sink)
  }

  private func write(_ suites: [Suite], to sink: inout ByteSink) {
    let cases = suites.reduce(0) { $0 + $1.cases.count }
    let failures = suites.reduce(0) { $0 + $1.failures }
    let head: XML = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="circlectl" tests="\(cases)" failures="\(failures)" errors="0">

      """
    sink.buffer.append(utf8: head.text)
    for suite in suites {
      let head: XML = """
          <testsuite name="\(suite.name)" tests="\(suite.cases.count)" failures="\(suite.failures)" errors="0" skipped="0">

        """
      sink.buffer.append(utf8: head.text)
      for test in suite.cases { sink.buffer.append(utf8: test.xml.text) }
      sink.buffer.append("  </testsuite>\n")
    }
    sink.buffer.append("</testsuites>\n")
  }

  private struct Case {
    struct Failure {
      var kind: String
      var message: String
      var lines: [String]
    }

    var name: String
    /// Where CI systems sort it in.
    var group: String
    var failure: Failure?
    /// What to know of one that passed.
    var output: [String] = []

    var xml: XML {
      let head: XML = #"    <testcase classname="\#(group)" name="\#(name)""#
      if let failure {
        return """
          \(head)>
                <failure type="\(failure.kind)" message="\(failure.message)">\(lines: failure.lines)</failure>
              </testcase>

          """
      }
      guard !output.isEmpty else { return "\(head)/>\n" }
      return """
        \(head)>
              <system-out>\(lines: output)</system-out>
            </testcase>

        """
    }
  }

  private struct Suite {
    var name: String
    var cases: [Case]
    var failures: Int { cases.count { $0.failure != nil } }

    static func faults(_ list: FaultList) -> Suite {
      let findings = Findings(Report(command: "", result: .done, sections: [.faults(list)]))
      var cases = findings.items.map { finding in
        let position = findings.position(of: finding.place)
        let name = position.map { "\(finding.code) at \($0)" } ?? finding.code
        let group = finding.place.isKnown ? findings.files.path(of: finding.place.file) : "circlectl"
        let lines = [position.map { "\($0): \(finding.message)" } ?? finding.message] + finding.next
        guard finding.severity == .error else { return Case(name: name, group: group, output: lines) }
        return Case(
          name: name, group: group, failure: .init(kind: finding.code, message: finding.message, lines: lines))
      }
      let more = list.errors - findings.items.count { $0.severity == .error }
      if more > 0 {
        let message = "and \(counted(more, "more error", "more errors"))"
        cases.append(
          Case(name: message, group: "circlectl", failure: .init(kind: "more", message: message, lines: [message])))
      }
      return Suite(name: "input", cases: cases)
    }

    /// A case for each server that changes, and one for what concerns no server.
    static func plan(_ section: PlanSection) -> Suite {
      let plan = section.plan
      let groups = ChangeGroups(plan)
      var refusals: [Text?: [PlanRefusal]] = [:]
      for refusal in plan.refusals { refusals[refusal.handle, default: []].append(refusal) }
      let findings = Findings(Report(command: "", result: .done, sections: [.plan(section)]))
      let differences = section.failsOnChange ? Self.differences(groups, section, findings) : []
      var cases: [Case] = []
      for (number, group) in groups.groups.enumerated() where !group.tally.isEmpty {
        var test = Case(name: group.handle?.string ?? "users", group: "plan")
        let sentence = sentence(group.tally, section)
        if let refused = refusals.removeValue(forKey: group.handle) {
          test.failure = failure(refused, findings)
        } else if section.failsOnChange {
          test.failure = .init(kind: "different", message: sentence, lines: differences[number])
        } else {
          test.output = [sentence]
        }
        cases.append(test)
      }
      // Of what is refused without any change of its own.
      for refusal in plan.refusals {
        guard let refused = refusals.removeValue(forKey: refusal.handle) else { continue }
        cases.append(
          Case(name: refusal.handle?.string ?? "users", group: "plan", failure: failure(refused, findings)))
      }
      return Suite(name: "plan", cases: cases)
    }

    /// How many changes a case lists.
    private static let mostChanges = 20

    /// What changes, by group, a line each.
    private static func differences(
      _ groups: ChangeGroups, _ section: PlanSection, _ findings: Findings
    ) -> [[String]] {
      var lines = [[String]](repeating: [], count: groups.groups.count)
      guard section.detail != .summary else { return lines }
      var counts = [Int](repeating: 0, count: lines.count)
      let line = ChangeLine(section: section)
      for (position, change) in section.plan.changes.enumerated() where change.kind != .unmanaged {
        let group = Int(groups.membership[position])
        counts[group] += 1
        guard counts[group] <= mostChanges else { continue }
        lines[group].append(
          (findings.position(of: change.place).map { "\($0): " } ?? "") + line.sentence(change))
      }
      for group in lines.indices where counts[group] > mostChanges {
        lines[group].append("and \(counted(counts[group] - mostChanges, "more change", "more changes"))")
      }
      return lines
    }

    private static func failure(_ refusals: [PlanRefusal], _ findings: Findings) -> Case.Failure? {
      guard let first = refusals.first else { return nil }
      let more = refusals.count > 1 ? " (and \(refusals.count - 1) more)" : ""
      let lines = refusals.flatMap { refusal in
        let position = findings.position(of: refusal.place).map { "\($0): " } ?? ""
        let blocks = refusal.changes > 0 ? " (blocks \(counted(refusal.changes, "change")))" : ""
        return [position + refusal.message + blocks] + refusal.wayOut
      }
      return .init(kind: first.cause.word, message: first.message + more, lines: lines)
    }

    private static func sentence(_ tally: PlanTally, _ section: PlanSection) -> String {
      let words = section.isApplied ? ("created", "changed", "removed") : ("to create", "to change", "to remove")
      var parts: [String] = []
      if tally.create > 0 { parts.append("\(tally.create) \(words.0)") }
      if tally.update > 0 { parts.append("\(tally.update) \(words.1)") }
      if tally.delete > 0 { parts.append("\(tally.delete) \(words.2)") }
      if tally.drift > 0 { parts.append("\(tally.drift) of them drift") }
      return parts.joined(separator: ", ")
    }

    /// The run as a whole, so that a report always has a case.
    static func run(_ report: borrowing Report) -> Suite {
      var messages: [String] = []
      for section in report.sections {
        if case .message(let text) = section { messages += text.split(separator: "\n").map(String.init) }
      }
      if let guards = report.liftedGuards { messages.append(guards.sentence) }
      let name = "circlectl \(report.command)"
      guard report.result.isFailure else {
        return Suite(name: "run", cases: [Case(name: name, group: "circlectl", output: messages)])
      }
      let title = report.result.title
      return Suite(
        name: "run",
        cases: [
          Case(
            name: name, group: "circlectl",
            failure: .init(
              kind: report.result.rawValue, message: messages.first ?? title,
              lines: messages.isEmpty ? [title] : messages))
        ])
    }
  }
}
