import CircleManifest
import CircleModel
import CircleReport
import Diagnostics
import Glibc

extension Checkup {
  /// `circlectl.yaml`, and the manifests that it or the default names.
  mutating func configuration(of run: CommandRun) {
    let path = run.context.resolve("circlectl.yaml")
    if let failure = run.projectFault {
      let faults = failure.faults.map { "\(grouped($0.errors, "fault"))" } ?? failure.message ?? ""
      fail(
        .configuration, "circlectl.yaml", "it can't be used: \(faults)",
        next: sentences(of: failure) + ["Until then every command that reads it ends with 65."], kind: .badInput)
      return
    }
    var status = stat()
    if stat(path, &status) == 0 {
      ok(.configuration, "circlectl.yaml", "it can be used")
    } else {
      ok(.configuration, "circlectl.yaml", "there is none in this folder, so the defaults hold")
    }
    for folder in run.manifestPaths { manifests(folder, isDefault: run.project.paths.isEmpty, run) }
  }

  /// Each fault with its place.
  private func sentences(of failure: Failure) -> [String] {
    guard let faults = failure.faults else { return failure.next }
    return faults.diagnostics.map { fault in
      let place = fault.place.isKnown ? "\(faults.files.path(of: fault.place.file)):\(fault.place.line): " : ""
      return "\(place)\(fault.message)"
    }
  }

  private mutating func manifests(_ path: String, isDefault: Bool, _ run: CommandRun) {
    var status = stat()
    guard stat(run.context.resolve(path), &status) == 0 else {
      let reason = String(cString: strerror(errno))
      guard !isDefault else {
        return ok(.configuration, "manifests", "no folder 'manifests' is here, and circlectl.yaml names no other")
      }
      return fail(
        .configuration, "manifests", "'\(path)', which circlectl.yaml names, can't be read: \(reason)",
        next: ["Make it, or correct 'paths' in circlectl.yaml."], kind: .badInput)
    }
    var files = SourceFiles()
    var diagnostics = DiagnosticCollector()
    let options = ManifestReader.Options(
      allowOutside: false, helpForMissing: "", standardInput: { .success([]) }, willDecode: { _ in })
    let desired = ManifestReader.read(
      [run.context.resolve(path)], options: options, files: &files, diagnostics: &diagnostics)
    keepUntilExit(desired)
    let extent = "\(grouped(files.count, "file")), \(grouped(desired.servers.count, "server"))"
    guard !diagnostics.hasErrors else {
      return fail(
        .configuration, "manifests", "'\(path)': \(extent), \(grouped(diagnostics.errorCount, "fault"))",
        next: ["'circlectl validate \(path)' tells each."], kind: .badInput)
    }
    ok(.configuration, "manifests", "'\(path)': \(extent), no fault")
  }
}
