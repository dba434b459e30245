import Digest

/// A source of user information that a person has named: a file, or a command.
package struct ProviderDefinition: Equatable, Sendable {
  package enum Source: Equatable, Sendable {
    /// The absolute path of a table of users; its name ends with `.csv`, `.json` or `.ndjson`.
    case file(String)
    /// What `/bin/sh -c` runs.
    case exec(String)
  }

  /// How long a command may take when nothing else is said.
  package static let defaultTimeout = 5000
  /// The longest time a command may be given, in milliseconds: an hour.
  package static let longestTimeout = 3_600_000

  package var name: String
  package var source: Source
  /// How long the command may take, in milliseconds; nothing for a file.
  package var timeout: Int

  package init(name: String, source: Source, timeout: Int = ProviderDefinition.defaultTimeout) {
    self.name = name
    self.source = source
    self.timeout = timeout
  }

  /// `file` or `exec`.
  package var kind: String {
    switch source {
    case .file: "file"
    case .exec: "exec"
    }
  }

  /// Whether it can be a name: 1 to 64 of `A-Z a-z 0-9 _ . -`, a letter or digit first, so that it can be a file's too.
  package static func isName(_ name: String) -> Bool {
    guard (1...64).contains(name.utf8.count), let first = name.utf8.first, isAlphanumeric(first) else { return false }
    return name.utf8.allSatisfy {
      isAlphanumeric($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 }

  /// Tells a provider from another one that has the same name later: what it answered is of no use for the other.
  var identity: String {
    let text =
      switch source {
      case .file(let path): "file\u{0}\(name)\u{0}\(path)"
      case .exec(let command): "exec\u{0}\(name)\u{0}\(command)"
      }
    return SHA256.digest(of: text).hex
  }
}
