/// Writes diagnostics as people read them: place, severity, message and code, then the line of the input with a caret.
///
///     manifests/a.yaml:12:5: error: unknown key 'moderator' in server 'x' [manifest.unknown-key]
///       12 |     moderator: [bob]
///          |     ^~~~~~~~~
///
/// Nothing in it can steer a terminal, whatever the input holds.
package struct DiagnosticPrinter: Sendable {
  package let files: SourceFiles
  /// Whether to use bold, red, yellow and cyan.
  package var colour: Bool

  package init(files: SourceFiles, colour: Bool = false) {
    self.files = files
    self.colour = colour
  }

  /// All that the collector kept in the order of places, then how many more there are. Ends with a line break unless
  /// it is empty.
  package func text(of collector: DiagnosticCollector) -> String {
    let kept = collector.sorted()
    var text = ""
    for diagnostic in kept { write(diagnostic, to: &text) }
    for (severity, count) in [(Severity.error, collector.errorCount), (.warning, collector.warningCount)] {
      let more = count - kept.count { $0.severity == severity }
      if more > 0 { text += "… and \(more) more \(severity.word)\(more == 1 ? "" : "s")\n" }
    }
    return text
  }

  /// One diagnostic with its notes and its help; ends with a line break.
  package func text(of diagnostic: Diagnostic) -> String {
    var text = ""
    write(diagnostic, to: &text)
    return text
  }

  private func write(_ diagnostic: Diagnostic, to text: inout String) {
    let message = "\(terminalSafe(diagnostic.message)) [\(terminalSafe(diagnostic.code))]"
    writeHead(diagnostic.severity, message, at: diagnostic.place, to: &text)
    let gutter = writeSource(
      at: diagnostic.place, end: diagnostic.end, diagnostic.quote, as: diagnostic.severity, to: &text)
    if let help = diagnostic.help {
      text += "\(String(repeating: " ", count: gutter))= help: \(terminalSafe(help))\n"
    }
    for note in diagnostic.notes {
      writeHead(.note, terminalSafe(note.message), at: note.place, to: &text)
      writeSource(at: note.place, end: note.end, note.quote, as: .note, to: &text)
    }
  }

  private func writeHead(_ severity: Severity, _ message: String, at place: Place, to text: inout String) {
    if place.isKnown {
      var position = terminalSafe(files.path(of: place.file))
      if place.line > 0 { position += ":\(place.line)" }
      if place.line > 0 && place.column > 0 { position += ":\(place.column)" }
      text += styled("\(position):", .bold) + " "
    }
    text += styled("\(severity.word):", Style(severity)) + " \(styled(message, .bold))\n"
  }

  /// Writes the line and the caret, if the line is there; answers the width of the margin before the bar.
  @discardableResult
  private func writeSource(
    at place: Place, end: Int?, _ kept: Quote?, as severity: Severity, to text: inout String
  ) -> Int {
    guard let quote = files.quote(kept, at: place) else { return 2 }
    let number = String(place.line)
    let margin = String(repeating: " ", count: number.utf8.count + 3)
    let excerpt = SourceExcerpt(
      of: quote.text, column: quote.column, end: end.map { $0 - place.column + quote.column })
    text += "  \(number) | \(excerpt.text)\n"
    if !excerpt.caret.isEmpty {
      text += "\(margin)| \(excerpt.padding)\(styled(excerpt.caret, Style(severity)))\n"
    }
    return margin.utf8.count
  }

  private enum Style: String {
    case bold = "1"
    case boldRed = "1;31"
    case boldYellow = "1;33"
    case boldCyan = "1;36"

    init(_ severity: Severity) {
      self =
        switch severity {
        case .error: .boldRed
        case .warning: .boldYellow
        case .note: .boldCyan
        }
    }
  }

  private func styled(_ text: String, _ style: Style) -> String {
    colour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
