import CircleReport
import Glibc
import JSONText

/// The files by which a GitHub workflow takes what a step has to say, where the environment names them.
struct WorkflowFiles {
  private let outputs: String?
  private let summary: String?

  init(_ environment: [String: String]) {
    func path(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    outputs = path("GITHUB_OUTPUT")
    summary = path("GITHUB_STEP_SUMMARY")
  }

  /// Appends the counts and the summary of a report.
  func append(_ report: Report, in context: Context) throws(Failure) {
    guard outputs != nil || summary != nil else { return }
    let digits = context.randomBytes(16).map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count < 2 ? "0" + text : text
    }
    let mark = "circlectl_\(digits.joined())"
    let texts: (outputs: String, summary: String)
    do throws(RenderError) {
      let made = try WorkflowOutputs(of: report, mark: mark)
      let summary = try summary.map { (path) throws(RenderError) in
        try made.summary(after: size(of: context.resolve(path)))
      }
      texts = (made.outputs, summary ?? "")
    } catch {
      throw Failure(.failed, "can't read the events for what the workflow is told")
    }
    if let outputs { try append(texts.outputs, to: outputs, as: "GITHUB_OUTPUT", in: context) }
    if let summary { try append(texts.summary, to: summary, as: "GITHUB_STEP_SUMMARY", in: context) }
  }

  private func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private func append(_ text: String, to path: String, as name: String, in context: Context) throws(Failure) {
    let descriptor = open(context.resolve(path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
    var reason: String?
    if descriptor < 0 {
      reason = String(cString: strerror(errno))
    } else {
      defer { close(descriptor) }
      var bytes = ByteBuffer(capacity: text.utf8.count)
      bytes.append(utf8: text)
      do throws(DescriptorSink.Failure) {
        try bytes.withBytes { (bytes) throws(DescriptorSink.Failure) in
          try DescriptorSink(descriptor: descriptor).write(bytes)
        }
      } catch {
        reason = String(cString: strerror(error.number))
      }
    }
    guard let reason else { return }
    throw Failure(
      .failed, "can't append to '\(path)', which \(name) names: \(reason)",
      next: ["Without \(name) in the environment nothing is appended."])
  }
}
