import Testing
import Testkit

/// The tour of a document: all its `console` blocks, in order. A line that begins with "$ " is a command, to which a
/// backslash at its end adds the next line; what stands up to the next command is what it prints, standard error
/// included.
///
/// Each command runs in a shell of its own, in one new folder with a copy of `manifests/`. The clock stands still within
/// a command and moves a minute from one to the next, and ids come from a seed, so it prints the same every time.
struct Tour {
  private let folder: TemporaryFolder
  private var commands = 0
  private var status: Int32 = 0

  init() throws {
    folder = try TemporaryFolder()
    let copy = try SpawnedProgram("/bin/cp", ["-r", "\(Document.root)/manifests", "."], in: folder).wait()
    try #require(copy.status == 0, "\(copy.errors)")
  }

  /// The text with what its commands print now.
  mutating func rerun(_ text: String) throws -> String {
    var fresh: [Substring] = []
    var isInside = false
    var command = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard isInside else {
        isInside = line == "```console"
        fresh.append(line)
        continue
      }
      if line == "```" {
        isInside = false
        fresh.append(line)
      } else if !command.isEmpty || line.hasPrefix("$ ") {
        fresh.append(line)
        let words = command.isEmpty ? line.dropFirst(2) : line
        if words.hasSuffix("\\") {
          command += words.dropLast()
        } else {
          fresh += try run(command + words)
          command = ""
        }
      }
    }
    return fresh.joined(separator: "\n")
  }

  private mutating func run(_ command: String) throws -> [Substring] {
    commands += 1
    let minute = commands < 10 ? "0\(commands)" : "\(commands)"
    let script = """
      exec 2>&1
      circlectl() { '\(SpawnedProgram.binaries)/circlectl' --now 2025-01-06T09:\(minute):00Z --id-seed tour "$@"; }
      (exit \(status))
      \(command)
      """
    let ending = try SpawnedProgram(
      "/bin/bash", ["-c", script], in: folder, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    ).wait()
    status = ending.status
    var lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
