import CircleModel
import Diagnostics

@testable import CircleManifest

/// A diagnostic as tests compare it: where it is and of which kind.
struct Finding: Hashable, CustomStringConvertible, Comparable {
  var code: String
  var line: Int
  var column: Int

  var description: String { "\(line):\(column) \(code)" }

  static func < (left: Finding, right: Finding) -> Bool {
    (left.line, left.column, left.code) < (right.line, right.column, right.code)
  }
}

/// A manifest in which `⟦code⟧` stands before each place where a diagnostic is expected, without its `manifest.`.
struct MarkedManifest {
  var text = ""
  var expected: [Finding] = []

  init(_ marked: String) {
    var (line, column) = (1, 1)
    var rest = marked.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "⟦" {
        let code = String(String.UnicodeScalarView(rest.prefix { $0 != "⟧" }))
        rest = rest.drop { $0 != "⟧" }.dropFirst()
        expected.append(Finding(code: "manifest.\(code)", line: line, column: column))
        continue
      }
      text.unicodeScalars.append(scalar)
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
    expected.sort()
  }
}

/// What reading gave.
struct Reading {
  var state: DesiredState
  var files = SourceFiles()
  var diagnostics = DiagnosticCollector()

  /// Reads bytes as standard input.
  init(bytes: [UInt8]) {
    state = ManifestReader.read(
      ["-"], options: .init(standardInput: { .success(bytes) }), files: &files, diagnostics: &diagnostics)
  }

  init(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  init(paths: [String], allowOutside: Bool = false) {
    state = ManifestReader.read(
      paths, options: .init(allowOutside: allowOutside), files: &files, diagnostics: &diagnostics)
  }

  var findings: [Finding] {
    diagnostics.sorted().map { Finding(code: $0.code, line: $0.place.line, column: $0.place.column) }.sorted()
  }

  var messages: [String] { diagnostics.sorted().map(\.message) }

  /// All diagnostics as people see them.
  var printed: String { DiagnosticPrinter(files: files).text(of: diagnostics) }

  func server(_ handle: String) -> DesiredServer? {
    state.servers.first { $0.handle == Text(handle) }
  }

  /// The ids in a list, sorted.
  func ids(_ list: ContiguousArray<Listed>?) -> [String]? {
    list.map { $0.map { state.names[$0.user] }.sorted() }
  }

  func members(_ handle: String) -> [String]? { ids(server(handle)?.members?.value) }
  func moderators(_ handle: String) -> [String]? { ids(server(handle)?.moderators?.value) }
  func absent(_ handle: String) -> [String]? { ids(server(handle)?.absent) }
}
