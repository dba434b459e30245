/// A source of user information that a person has named.
package struct ProviderRow: Equatable, Sendable {
  package var name: String
  /// `file` or `exec`.
  package var kind: String
  /// The file's path, or the command.
  package var source: String
  /// How long the command may take, in milliseconds; nil for a file.
  package var timeout: Int?

  package init(name: String, kind: String, source: String, timeout: Int?) {
    self.name = name
    self.kind = kind
    self.source = source
    self.timeout = timeout
  }
}
