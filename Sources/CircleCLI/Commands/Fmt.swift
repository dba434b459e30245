import CircleManifest
import CircleReport
import CommandTree
import Diagnostics
import Glibc
import JSONText

/// `circlectl fmt`: manifests in canonical form.
enum Fmt {
  static let spec = CommandSpec<Action>(
    "fmt", "Bring manifests into canonical form.",
    discussion: """
      Puts the keys of servers, users and files into their usual order, takes blanks from the ends of lines and ends \
      the file with a line break. Comments, anchors and quotes stay, lines that need not change are not touched, and \
      what a manifest means never changes. - formats standard input to standard output.
      """,
    examples: [
      Example("circlectl fmt manifests", "Formats all manifests in a folder."),
      Example("circlectl fmt manifests --check", "Tells what would change, and ends with 65 if anything would."),
      Example("circlectl fmt - < community.yaml", "Formats a text."),
    ],
    arguments: [.manifests],
    options: [
      .flag("check", "Write nothing; tell what would change, and end with 65 if anything would."), .allowOutside,
    ],
    refuses: OptionSpec.acting, action: Action(run))

  private static func run(_ run: CommandRun) throws(Failure) -> ExitStatus {
    let paths = run.manifestPaths
    let isInput = paths.contains { $0.utf8.elementsEqual("-".utf8) }
    guard !isInput || paths.count == 1 else {
      throw Failure(.usage, "- stands alone: standard input is formatted to standard output")
    }
    // Text to be piped on is no report.
    let isText = isInput && !run.arguments.flag("check")
    if isText, run.arguments.isGiven("output"), run.options.output != .text {
      throw Failure(
        .usage, "a formatted manifest is YAML, not \(run.options.output.rawValue)", next: ["Leave --output out."])
    }
    var files = SourceFiles()
    var diagnostics = DiagnosticCollector()
    let formatted = try run.phase(.reading) { () throws(Failure) in
      let descriptor = run.context.input
      return ManifestFormatter.format(
        paths.map { $0.utf8.elementsEqual("-".utf8) ? $0 : run.context.resolve($0) },
        allowOutside: run.arguments.flag("allow-outside"), base: run.baseOfManifests,
        standardInput: { readAll(descriptor) }, files: &files, diagnostics: &diagnostics)
    }
    // A signal ends the input too: what came of it until then is not all.
    try run.checkInterrupted()
    if run.arguments.flag("check") { return try check(formatted, diagnostics, files, run) }
    if isText {
      try run.report(diagnostics, of: files)
      try run.console.write(bytes: formatted.first?.formatted ?? [])
      let isChanged = formatted.contains(where: \.isChanged)
      try run.deliverToFiles(Report(command: run.command, result: isChanged ? .done : .unchanged))
      return .done
    }
    let changed = formatted.filter(\.isChanged)
    for file in changed { try write(file, run) }
    try run.report(diagnostics, of: files)
    try run.deliver(
      Report(
        command: run.command, result: changed.isEmpty ? .unchanged : .done,
        sections: sections(changed, of: formatted, "formatted")))
    return .done
  }

  private static func check(
    _ formatted: [ManifestFormatter.File], _ diagnostics: DiagnosticCollector, _ files: SourceFiles, _ run: CommandRun
  ) throws(Failure) -> ExitStatus {
    try run.report(diagnostics, of: files)
    let changed = formatted.filter(\.isChanged)
    let differences = changed.map { LineDifference($0.original, $0.formatted).text(of: $0.path) }
    var faults = DiagnosticCollector()
    for (file, difference) in zip(changed, differences) { faults.append(file.fault(help: difference)) }
    func report(_ first: [ReportSection]) -> Report {
      Report(
        command: run.command, result: changed.isEmpty ? .unchanged : .badInput,
        sections: first + sections(changed, of: formatted, "not in canonical form"))
    }
    try run.deliver(
      changed.isEmpty ? report([]) : report([.faults(FaultList(faults, files: files))]),
      shown: report(differences.map { .message($0) }))
    guard !changed.isEmpty else { return .done }
    throw Failure(
      .badInput,
      "\(grouped(changed.count, "file")) not in canonical form: \(changed[0].path)\(changed.count > 1 ? ", …" : "")",
      next: ["'circlectl fmt' brings them into it."])
  }

  private static func sections(
    _ changed: [ManifestFormatter.File], of all: [ManifestFormatter.File], _ what: String
  ) -> [ReportSection] {
    guard !changed.isEmpty else { return [.message("\(grouped(all.count, "file")) in canonical form.")] }
    return [
      .records(
        RecordList("file", "files", [.init("file", what)], rows: changed.map { [.text($0.path)] }, form: .table)),
      .message("\(grouped(changed.count)) of \(grouped(all.count, "file")) \(what)."),
    ]
  }

  /// Keeps the file's permissions.
  private static func write(_ file: ManifestFormatter.File, _ run: CommandRun) throws(Failure) {
    var status = stat()
    let mode = stat(file.path, &status) == 0 ? status.st_mode & 0o7777 : 0o666
    let target = ReplacedFile(path: file.path, what: "manifest", option: nil, mode: mode)
    try target.write(in: run.context) { (descriptor) throws(Failure) in
      fchmod(descriptor, mode)
      do throws(OutputError) {
        var sink = ByteSink(descriptor: descriptor)
        sink.buffer.append(bytes: file.formatted)
        try sink.flush()
      } catch {
        throw target.cannotWrite(error.message)
      }
    }
  }
}
