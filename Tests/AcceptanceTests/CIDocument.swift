import Glibc
import Testing
import Testkit

/// The files of `docs/ci.md`, with the shell lines in them.
struct CIDocument {
  static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")

  /// By the path that stands in the first line of the block.
  private var files: [String: [Substring]] = [:]

  init() throws {
    var file: [Substring]?
    for line in try Self.text().split(separator: "\n", omittingEmptySubsequences: false) {
      if file == nil {
        if line == "```yaml" { file = [] }
      } else if line == "```" {
        let lines = file ?? []
        if let first = lines.first, first.hasPrefix("# .") { files[String(first.dropFirst(2))] = lines }
        file = nil
      } else {
        file?.append(line)
      }
    }
  }

  private static func text() throws -> String {
    guard let file = fopen("\(root)/docs/ci.md", "r") else {
      throw TemporaryFolder.Failure(description: "can't read docs/ci.md")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte >= 0 { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The scripts of a GitHub workflow, in order: the value of each `run`.
  func runs(of path: String) throws -> [String] {
    let lines = try #require(files[path], "docs/ci.md has no \(path)")
    return lines.indices.compactMap { position in
      let line = lines[position].drop { $0 == " " || $0 == "-" }
      guard line.hasPrefix("run: ") else { return nil }
      let indent = lines[position].prefix { $0 == " " }.count
      return value(line.dropFirst(5), after: position, in: lines, indent: indent)
    }
  }

  /// The script of a GitLab job, with what the file runs before each: its lines in one shell as there.
  func script(of job: String, in path: String = ".gitlab-ci.yml") throws -> String {
    let lines = try #require(files[path], "docs/ci.md has no \(path)")
    let script = scripts("script", of: job, in: lines)
    try #require(!script.isEmpty, "no job '\(job)'")
    return (scripts("before_script", of: "default", in: lines) + script).joined(separator: "\n")
  }

  private func scripts(_ key: String, of job: String, in lines: [Substring]) -> [String] {
    guard let start = lines.firstIndex(where: { $0 == "\(job):" }) else { return [] }
    var scripts: [String] = []
    var isScript = false
    for position in (start + 1)..<lines.count {
      let line = lines[position]
      if !line.isEmpty, line.first != " " { break }
      if line.hasPrefix("  "), line.dropFirst(2).first != " " { isScript = line == "  \(key):" }
      if isScript, line.hasPrefix("    - ") {
        scripts.append(value(line.dropFirst(6), after: position, in: lines, indent: 4))
      }
    }
    return scripts
  }

  /// A text of one line, or after `|` of all lines that are indented deeper.
  private func value(_ text: Substring, after position: Int, in lines: [Substring], indent: Int) -> String {
    guard text == "|" else { return String(text) }
    let block = lines[(position + 1)...].prefix { $0.isEmpty || $0.prefix { $0 == " " }.count > indent }
    let depth = block.first?.prefix { $0 == " " }.count ?? 0
    return block.map { String($0.dropFirst(depth)) }.joined(separator: "\n")
  }
}
