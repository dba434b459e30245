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

extension RecordList {
  init(_ providers: [ProviderRow]) {
    self.init(
      "provider", "providers",
      [
        Column("name", "name"), Column("kind", "kind"), Column("source", "source"), Column("timeout", "milliseconds"),
      ],
      rows: providers.map {
        [.text($0.name), .text($0.kind), .text($0.source), $0.timeout.map { .number($0) } ?? .none]
      })
  }
}
