import CircleManifest
import CircleModel
import CirclePlan
import CircleReport
import CommandTree
import Diagnostics
import Glibc

/// A manifest set that was read, with what its places mean.
struct ManifestInput {
  var desired: DesiredState
  var files: SourceFiles
  var diagnostics: DiagnosticCollector
}

extension CommandRun {
  /// Reads the manifests named, says what is doubtful about them, and stops at what is wrong.
  ///
  /// - Parameter check: looks for further faults once reading has found none.
  func readManifests(
    check: (inout ManifestInput) throws(Failure) -> Void = { _ throws(Failure) in }
  ) throws(Failure) -> ManifestInput {
    if let plan = manifestPaths.first(where: { isPlanFile($0) }) {
      throw Failure(
        .badInput, "'\(plan)' is a saved plan, and manifests are asked for",
        next: ["'circlectl show \(plan)' shows it, and 'circlectl apply \(plan)' carries it out."])
    }
    if let location = manifestPaths.first(where: { $0.utf8.starts(with: "postgres".utf8) && $0.contains("://") }) {
      throw Failure(.usage, "'\(location)' is the location of a state, and no manifest", next: ["--state takes it."])
    }
    var input = try phase(.reading) { () throws(Failure) in
      let paths = manifestPaths.map { $0.utf8.elementsEqual("-".utf8) ? $0 : context.resolve($0) }
      var files = SourceFiles()
      var diagnostics = DiagnosticCollector()
      let (descriptor, bytes) = (context.input, inputBytes)
      let options = ManifestReader.Options(
        allowOutside: arguments.flag("allow-outside"),
        base: baseOfManifests, helpForMissing: helpForMissing,
        standardInput: { bytes.map { .success($0) } ?? readAll(descriptor) },
        willDecode: { BigHeap.prepare(for: $0) })
      let desired = ManifestReader.read(paths, options: options, files: &files, diagnostics: &diagnostics)
      stopwatch.count(desired.servers.count + desired.names.count)
      keepUntilExit(desired)
      return ManifestInput(desired: desired, files: files, diagnostics: diagnostics)
    }
    try refuseReports(over: input.files)
    try checkInterrupted()
    detail(
      "read \(grouped(input.files.count, "file")): \(grouped(input.desired.servers.count, "server")), \(grouped(input.desired.names.count, "user id"))"
    )
    try check(&input)
    try report(input.diagnostics, of: input.files)
    return input
  }

  /// Refuses a report that would replace what was read.
  private func refuseReports(over files: SourceFiles) throws(Failure) {
    defer { hasUnknownInputs = false }
    var refusal: Failure?
    reports.removeAll { report in
      guard let input = input(replacedBy: report.target, among: files) else { return false }
      refusal = refusal ?? report.target.wouldReplace("the input '\(input)'")
      return true
    }
    if let refusal { throw refusal }
  }

  /// What was read, or named to be read, and stands where the file would be written.
  func input(replacedBy file: ReplacedFile, among files: SourceFiles) -> String? {
    guard file.exists(in: context) else { return nil }
    let place = FilePlace(context.resolve(file.path))
    let named = manifestPaths.filter { !$0.utf8.elementsEqual("-".utf8) }
    let inputs = (0..<files.count).lazy.map { files.path(of: FileIndex($0)) } + named
    return inputs.first { place.isSame(as: context.resolve($0)) }
  }

  /// Prints what was found; errors end the command.
  func report(_ diagnostics: DiagnosticCollector, of files: SourceFiles) throws(Failure) {
    tell(diagnostics, of: files)
    guard diagnostics.hasErrors else { return }
    let count = diagnostics.errorCount
    throw Failure(
      .badInput, "\(grouped(count)) \(count == 1 ? "fault" : "faults") in the manifests; nothing was done",
      faults: FaultList(diagnostics, files: files))
  }

  /// What the plan found wrong with the manifests, seen together with the state; a plan without faults passes.
  func report(faultsOf plan: Plan, in input: ManifestInput) throws(Failure) {
    guard !plan.faults.isEmpty else { return }
    var diagnostics = DiagnosticCollector()
    diagnostics.append(contentsOf: plan.faults)
    try report(diagnostics, of: input.files)
  }
}

/// All of a descriptor, up to the size that a manifest may have.
func readAll(_ descriptor: CInt) -> Result<[UInt8], ManifestReader.StandardInputFailure> {
  let limit = 1 << 30
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 64 << 10)
  while true {
    let count = read(descriptor, &piece, piece.count)
    if count < 0, errno == EINTR, Signals.arrived() == 0 { continue }
    if count < 0 { return .failure(.init(String(cString: strerror(errno)))) }
    if count == 0 { return .success(bytes) }
    bytes.append(contentsOf: piece[..<count])
    if bytes.count > limit { return .failure(.init("it is larger than 1 GiB")) }
  }
}
