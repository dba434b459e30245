/// The encodings that lines are quoted from.
enum TextEncoding: Sendable {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// By the byte order mark, or without one by where the zero of the first character, an ASCII one, stands.
  init(sniffing head: [UInt8]) {
    let first = head.first ?? 0x20
    let second = head.count > 1 ? head[1] : 0x20
    switch (first, second) {
    case (0xFF, 0xFE): self = .utf16LittleEndian
    case (0xFE, 0xFF): self = .utf16BigEndian
    case (0, 1...): self = .utf16BigEndian
    case (1..., 0): self = .utf16LittleEndian
    default: self = .utf8
    }
  }

  /// How many bytes one code unit takes.
  var unitLength: Int { self == .utf8 ? 1 : 2 }

  /// How many bytes of the text's head are a byte order mark.
  func markLength(in head: [UInt8]) -> Int {
    switch self {
    case .utf8: head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    case .utf16LittleEndian: head.starts(with: [0xFF, 0xFE]) ? 2 : 0
    case .utf16BigEndian: head.starts(with: [0xFE, 0xFF]) ? 2 : 0
    }
  }

  /// Where the first LF or CR stands in bytes that begin with a whole unit.
  func firstBreak(in bytes: ArraySlice<UInt8>) -> Int? {
    if self == .utf8 { return bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } }
    return stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).first { index in
      let unit = unit(at: index, in: bytes)
      return unit == 0x0A || unit == 0x0D
    }
  }

  /// The text of the bytes, with U+FFFD for what is not valid.
  func decode(_ bytes: ArraySlice<UInt8>) -> String {
    if self == .utf8 { return String(decoding: bytes, as: UTF8.self) }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { unit(at: $0, in: bytes) }
    return String(decoding: units, as: UTF16.self) + (bytes.count % 2 == 0 ? "" : "\u{FFFD}")
  }

  private func unit(at index: Int, in bytes: ArraySlice<UInt8>) -> UInt16 {
    let first = UInt16(bytes[index])
    let second = UInt16(bytes[index + 1])
    return self == .utf16BigEndian ? first << 8 | second : second << 8 | first
  }
}
