/// One thing that a person can mend in the input, with the place where it stands.
///
/// Texts may hold what the input holds; `DiagnosticPrinter` makes them harmless for a terminal.
package struct Diagnostic: Equatable, Sendable {
  /// A second place that explains the first, such as "first given here".
  package struct Note: Equatable, Sendable {
    package var message: String
    package var place: Place
    /// The column after the last one meant, on the line of `place`; nil for a caret alone.
    package var end: Int?
    /// Nil where the line can be read again.
    package var quote: Quote?

    package init(_ message: String, at place: Place, end: Int? = nil, quote: Quote? = nil) {
      self.message = message
      self.place = place
      self.end = end
      self.quote = quote
    }
  }

  package var severity: Severity
  /// Stable, "area.reason" in lower case with hyphens; programs match on this, never on the message.
  package var code: String
  /// One line, no final full stop.
  package var message: String
  package var place: Place
  /// The column after the last one meant, in code points, on the line of `place`; nil for a caret alone.
  package var end: Int?
  /// Nil where the line can be read again.
  package var quote: Quote?
  package var notes: [Note]
  /// What to do next, one line.
  package var help: String?

  package init(
    _ severity: Severity, _ code: String, _ message: String, at place: Place, end: Int? = nil,
    notes: [Note] = [], help: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.place = place
    self.end = end
    self.notes = notes
    self.help = help
  }

  /// A fault that stops the run.
  package static func error(
    _ code: String, _ message: String, at place: Place = .none, end: Int? = nil, notes: [Note] = [],
    help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.error, code, message, at: place, end: end, notes: notes, help: help)
  }

  /// A doubt that lets the run go on.
  package static func warning(
    _ code: String, _ message: String, at place: Place = .none, end: Int? = nil, notes: [Note] = [],
    help: String? = nil
  ) -> Diagnostic {
    Diagnostic(.warning, code, message, at: place, end: end, notes: notes, help: help)
  }
}
