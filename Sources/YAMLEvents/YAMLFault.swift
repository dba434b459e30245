/// Why a text is no YAML that can be read, and where.
package struct YAMLFault: Error, Equatable, Sendable {
  /// What a program may tell faults apart by.
  package enum Reason: String, Sendable {
    /// The text breaks YAML's grammar.
    case syntax
    /// A tab stands where only spaces may indent.
    case tab
    /// Bytes are no text in the encoding.
    case encoding
    /// A character may not stand in YAML, such as NUL.
    case character
    /// Collections stand within each other deeper than the reader allows.
    case nesting
    /// There are more directives than any honest text has.
    case directives
    /// libyaml found no memory.
    case memory
  }

  /// A second place that explains the first, such as the bracket that is never closed.
  package struct Context: Equatable, Sendable {
    package var message: String
    package var line: Int
    package var column: Int
  }

  package var reason: Reason
  /// A sentence without capital and full stop.
  package var message: String
  /// From 1, as editors count lines.
  package var line: Int
  /// From 1, in code points.
  package var column: Int
  package var context: Context?

  package init(_ reason: Reason, _ message: String, line: Int, column: Int, context: Context? = nil) {
    self.reason = reason
    self.message = message
    self.line = line
    self.column = column
    self.context = context
  }
}

extension YAMLFault: CustomStringConvertible {
  package var description: String { "\(line):\(column): \(message)" }
}
