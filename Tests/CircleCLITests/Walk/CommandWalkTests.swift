import CircleReport
import CommandTree
import JSONText
import Testing
import Testkit

@testable import CircleCLI

/// What holds for every command in every format, without a terminal.
struct CommandWalkTests {
  @Test func `the walk goes to every command`() throws {
    var walked: Set<[String]> = []
    for step in CommandWalk.steps {
      guard case .run(_, _, let path) = try commandTree.parse(step.words) else { continue }
      walked.insert(path)
    }
    #expect(CommandWalk.commands.subtracting(walked) == [])
  }

  @Test(arguments: CommandWalk.steps)
  func `standard output has the format asked for and nothing else, and a report is the same`(
    step: CommandWalk.Step
  ) throws {
    for format in OutputFormat.allCases {
      let run = try CommandWalk.run(for: step)
      let ending = try run.run(["-o", format.rawValue, "--report=\(format.rawValue)=report"] + step.words)
      let isRefused = !step.form.formats.contains(format)
      #expect(ending.status == (isRefused ? .usage : step.status).rawValue, "\(format): \(ending.errors)")
      #expect(!(ending.output + ending.errors).utf8.contains(0x1B), "\(format)")
      #expect(ending.status == 0 || ending.status == 2 || !ending.errors.isEmpty, "\(format) says why")
      if step.form == .text, !isRefused { continue }
      let fault = WrittenDocument(ending.output).fault(as: format, isSchema: step.form == .schema && !isRefused)
      #expect(fault == nil, "\(format): \(ending.output)")
      guard format.isForMachines, isRefused || step.form == .report || step.form == .events else { continue }
      #expect(try run.folder.read("report") == ending.output, "\(format)")
    }
  }

  @Test(arguments: CommandWalk.steps.filter { $0.form == .table })
  func `tables have formats of their own`(step: CommandWalk.Step) throws {
    for format in ["csv", "tsv", "ndjson", "yaml"] {
      let ending = try CommandWalk.run(for: step).run(["-o", format] + step.words)
      #expect(ending.status == 0)
      #expect(ending.errors == "")
      #expect(format != "ndjson" || WrittenDocument(ending.output).lineFault == nil)
    }
  }

  @Test(arguments: CommandWalk.steps)
  func `one run writes reports of all formats, also where it fails`(step: CommandWalk.Step) throws {
    let formats = OutputFormat.allCases
    let run = try CommandWalk.run(for: step)
    let ending = try run.run(step.words.withReports(formats))
    #expect(ending.status == step.status.rawValue, "\(ending.errors)")
    for format in formats {
      let report = try run.folder.read("report.\(format.rawValue)")
      #expect(!report.utf8.contains(0x1B), "\(format)")
      #expect(WrittenDocument(report).fault(as: format, isSchema: false) == nil, "\(format): \(report)")
    }
  }

  @Test(arguments: CommandWalk.steps)
  func `a variable that asks for no colour is heeded even where a terminal is`(step: CommandWalk.Step) throws {
    let run = try CommandWalk.run(for: step)
    run.environment["NO_COLOR"] = "1"
    run.answer = "n\n"
    let ending = try run.run(step.words + ["--progress", "never"])
    #expect(!(ending.output + ending.errors).utf8.contains(0x1B))
  }
}

extension CommandWalk.Step: CustomTestStringConvertible {
  var testDescription: String { line }
}

extension CommandWalk.Form {
  /// The formats of reports that standard output may have.
  fileprivate var formats: [OutputFormat] {
    switch self {
    case .report, .events: OutputFormat.allCases
    case .schema: [.text, .json]
    case .text: [.text]
    case .table: [.ndjson]
    }
  }
}

extension [String] {
  /// With a report of each format, before what `--` may end.
  fileprivate func withReports(_ formats: [OutputFormat]) -> [String] {
    formats.map { "--report=\($0.rawValue)=report.\($0.rawValue)" } + self
  }
}

/// What was written to standard output or into a report, as its reader sees it.
private struct WrittenDocument {
  let text: String

  init(_ text: String) { self.text = text }

  /// What is wrong with it; nil where it is what the format says.
  func fault(as format: OutputFormat, isSchema: Bool) -> String? {
    switch format {
    // GitHub shows what is no command of a workflow as it is.
    case .text, .github: text.split(separator: "\n").first { $0.hasPrefix("circlectl: ") }.map(String.init)
    case .json: object(["circlectlReport", "command", "result"], isSchema)
    case .ndjson, .cloudevents: isSchema ? object([], true) : lineFault
    case .sarif: object(["$schema", "version", "runs"], isSchema)
    case .gitlab: object(["create", "update", "delete"], isSchema)
    case .markdown: text.hasPrefix("### ") && text.hasSuffix("\n") ? nil : "no heading"
    case .html: text.hasPrefix("<!DOCTYPE html>\n") && text.hasSuffix("</html>\n") ? nil : "no page"
    case .junit: text.hasPrefix("<?xml ") && text.hasSuffix("</testsuites>\n") ? nil : "no suites"
    }
  }

  /// The first line that is no JSON object.
  var lineFault: String? {
    if !text.isEmpty, !text.hasSuffix("\n") { return "no last line break" }
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().lazy
      .compactMap { WrittenDocument(String($0)).object([], true) }.first
  }

  /// One object and nothing else, with these keys.
  private func object(_ keys: [String], _ isAny: Bool) -> String? {
    do throws(JSONFault) {
      let document = try JSONDocument(Array(text.utf8))
      guard document.root.kind == .object else { return "no object" }
      return isAny ? nil : keys.first { document.root[$0] == nil }
    } catch {
      return error.sentence
    }
  }
}
