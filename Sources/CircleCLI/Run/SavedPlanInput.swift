import CircleKit
import CircleManifest
import CircleModel
import CirclePlan
import CircleReport
import CircleState
import CommandTree
import Diagnostics
import Digest
import Glibc

/// A saved plan that was read, with what its places mean.
struct SavedPlanInput {
  var saved: SavedPlan
  /// As the command line names it.
  var path: String
  var files: SourceFiles
  /// Where the plan itself begins.
  let start: Place
  /// Those of the plan, with what the command line adds.
  var options: PlanOptions

  init(_ saved: SavedPlan, path: String) {
    self.saved = saved
    self.path = path
    options = saved.options
    files = SourceFiles()
    // Paths of another machine: nothing of them is read here.
    for path in saved.paths { _ = files.add(path: path, bytes: []) }
    start = Place(file: files.add(path: path, bytes: []), line: 1, column: 1)
  }
}

extension CommandRun {
  /// The plan that the command line names, where it names one instead of manifests.
  func savedPlanNamed() throws(Failure) -> SavedPlanInput? {
    let paths = manifestPaths
    var plan = paths.first { isPlanFile($0) }
    if plan == nil { plan = planInStandardInput(paths) }
    guard let path = plan else { return nil }
    guard paths.count == 1 else {
      throw Failure(.usage, "a saved plan stands alone: '\(path)' is one, and other paths are named beside it")
    }
    for option in ["prune", "register", "allow-outside", "stack", "max-removals", "only", "exclude"]
    where arguments.isGiven(option) {
      throw Failure(
        .usage, "--\(option) can't be given with a saved plan: '\(path)' is made already",
        next: ["'circlectl diff --save' takes it when the plan is made."])
    }
    var input = try readPlan(path)
    let given = try planOptions()
    input.options.allow += given.allow
    if let reason = given.reason { input.options.reason = reason }
    try checkDigest(of: input)
    return input
  }

  /// `-` where it stands for a plan; manifests are kept for whoever reads them.
  private func planInStandardInput(_ paths: [String]) -> String? {
    guard paths.count == 1, let path = paths.first, isStandardInput(path) else { return nil }
    guard case .success(let bytes) = readAll(context.input) else { return nil }
    inputBytes = bytes
    return SavedPlan.isPlan(bytes.prefix(256)) ? path : nil
  }

  private func isStandardInput(_ path: String) -> Bool { path.utf8.elementsEqual("-".utf8) }

  /// Whether the file is a saved plan by its first key.
  func isPlanFile(_ path: String) -> Bool {
    guard let file = RegularFile(path: context.resolve(path)) else { return false }
    return SavedPlan.isPlan(file.read(at: 0, count: 256))
  }

  private func checkDigest(of input: SavedPlanInput) throws(Failure) {
    guard let wanted = arguments.value("digest") else { return }
    guard wanted.isHexadecimal, wanted.utf8.count == 64 else {
      throw Failure(
        .usage, "'\(wanted)' is no digest of a plan",
        next: ["--digest takes the 64 hexadecimal digits that 'circlectl diff --save' printed."])
    }
    let found = input.saved.digest.hex
    guard found == wanted.lowercased() else {
      let message = "'\(input.path)' is not the plan that was reviewed: its digest is \(found)"
      var diagnostics = DiagnosticCollector()
      diagnostics.append(PlanFileError.another(message, at: input.start).diagnostic)
      throw Failure(
        .badInput, message, next: ["Nothing was done; 'circlectl show \(input.path)' tells what it would do."],
        faults: FaultList(diagnostics, files: input.files))
    }
  }

  /// Reads a plan file, or `-`; what is wrong with it ends the command as bad input.
  func readPlan(_ path: String) throws(Failure) -> SavedPlanInput {
    try phase(.reading) { () throws(Failure) in
      let bytes = try planBytes(path)
      var files = SourceFiles()
      let index = files.add(path: path, bytes: bytes)
      do throws(PlanFileError) {
        let saved = try SavedPlan(reading: bytes, file: index, path: path)
        stopwatch.count(saved.plan.outcome.records.count)
        return SavedPlanInput(saved, path: path)
      } catch {
        var diagnostics = DiagnosticCollector()
        diagnostics.append(contentsOf: [error.diagnostic])
        tell(diagnostics, of: files)
        throw Failure(
          .badInput, "'\(path)' is no plan that can be used; nothing was done",
          faults: FaultList(diagnostics, files: files))
      }
    }
  }

  private func planBytes(_ path: String) throws(Failure) -> [UInt8] {
    if isStandardInput(path) {
      if let inputBytes { return inputBytes }
      let input = readAll(context.input)
      try checkInterrupted()
      switch input {
      case .success(let bytes): return bytes
      case .failure(let failure): throw Failure(.badInput, "standard input can't be read: \(failure.reason)")
      }
    }
    let resolved = context.resolve(path)
    if let file = RegularFile(path: resolved) { return file.read(at: 0, count: file.size) }
    let isThere = access(resolved, R_OK) == 0
    let reason = isThere ? "it is no regular file of at most 1 GiB" : String(cString: strerror(errno))
    throw Failure(
      .badInput, "'\(path)' can't be read as a plan: \(reason)", next: ["'circlectl diff --save FILE' writes one."])
  }

  /// Decides a saved plan again; one that no longer fits ends the command.
  func replay(
    _ input: SavedPlanInput, with applier: Applier, from store: StateStore
  ) throws(Failure) -> (loaded: Loaded, plan: Plan) {
    let loaded = try phase(.loading) { () throws(Failure) in
      try onState { () throws(StateError) in try applier.load(for: input.saved, from: store) }
    }
    let replay = try phase(.planning) { () throws(Failure) in
      let replay = applier.replay(input.saved, on: loaded)
      stopwatch.count(replay.plan.outcome.records.count)
      return replay
    }
    guard let first = replay.stale.first else { return (loaded, replay.plan) }
    func sentence(_ value: StaleValue) -> String {
      value.place.isKnown
        ? "\(value.message) (\(input.files.path(of: value.place.file)):\(value.place.line))" : value.message
    }
    let shown = 10
    var next = replay.stale.dropFirst().prefix(shown - 1).map { "Also: \(sentence($0))." }
    if replay.stale.count > shown { next.append("And \(grouped(replay.stale.count - shown)) more.") }
    let help = "'circlectl diff --save' makes a plan for the state as it is now."
    throw Failure(
      .stale, "the plan '\(input.path)' no longer fits the state: \(sentence(first))",
      next: next + ["Nothing was written; \(help)"],
      faults: FaultList(replay.stale.map { $0.fault(of: input.path, at: input.start, help: help) }, files: input.files))
  }
}

extension String {
  /// Whether there is nothing in it but hexadecimal digits.
  var isHexadecimal: Bool {
    let digits = Array("0123456789abcdefABCDEF".utf8)
    return utf8.allSatisfy { digits.contains($0) }
  }
}
