import CircleReport

/// A file that gets a report beside what goes to standard output: `--report FORMAT=FILE`.
struct ReportFile {
  var format: OutputFormat
  var path: String

  init(parsing text: String) throws(Failure) {
    let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
    let next = ["--report takes FORMAT=FILE; the formats are \(formats)."]
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw Failure(.usage, "'\(text)' names no file for the report", next: next)
    }
    let name = String(text[..<equals])
    path = String(text[text.utf8.index(after: equals)...])
    guard let format = OutputFormat.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
      throw Failure(.usage, "'\(name)' is no format of reports", next: next)
    }
    guard !path.isEmpty else { throw Failure(.usage, "'\(text)' names no file for the report", next: next) }
    self.format = format
  }

  /// How and where it is written.
  var target: ReplacedFile { ReplacedFile(path: path, what: "report", option: "--report", mode: 0o666) }
}
