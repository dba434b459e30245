/// Why a text is no YAML that can be read, and where.
package struct YAMLFault: Error, Equatable, Sendable {
  /// A second place that explains the first, such as the bracket that is never closed.
  package struct Context: Equatable, Sendable {
    package var message: String
    package var line: Int
    package var column: Int
  }

  /// A sentence without capital and full stop.
  package var message: String
  /// From 1, as editors count lines.
  package var line: Int
  /// From 1, in code points.
  package var column: Int
  package var context: Context?

  package init(_ message: String, line: Int, column: Int, context: Context? = nil) {
    self.message = message
    self.line = line
    self.column = column
    self.context = context
  }
}

extension YAMLFault: CustomStringConvertible {
  package var description: String { "\(line):\(column): \(message)" }
}
