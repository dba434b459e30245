/// How the characters of a text stand in its bytes.
package enum TextEncoding: Sendable {
  case utf8, utf16le, utf16be

  /// Tells the encoding by the first bytes as YAML does: by the byte order mark or, as a text without one begins with
  /// an ASCII character, by where its zero byte stands. All else is UTF-8.
  package init(of bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else {
      self = .utf8
      return
    }
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): self = .utf16le
    case (0xFE, 0xFF): self = .utf16be
    case (1..., 0): self = .utf16le
    case (0, 1...): self = .utf16be
    default: self = .utf8
    }
  }

  /// How many bytes the byte order mark at the beginning of `bytes` takes: 0 when there is none.
  package func markLength(in bytes: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .utf8: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    case .utf16le: bytes.starts(with: [0xFF, 0xFE]) ? 2 : 0
    case .utf16be: bytes.starts(with: [0xFE, 0xFF]) ? 2 : 0
    }
  }
}
