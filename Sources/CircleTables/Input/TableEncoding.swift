/// How the characters of a table stand in its bytes.
package enum TableEncoding: Equatable, Sendable {
  case utf8
  /// By the name under which the system converts it, such as `GB18030`.
  case other(String)

  /// For people.
  package var name: String {
    switch self {
    case .utf8: "UTF-8"
    case .other(let name): name
    }
  }

  /// Whether the system can convert it.
  package var isKnown: Bool {
    guard case .other(let name) = self else { return true }
    return TextConverter(from: name, to: "UTF-8") != nil
  }

  /// The encoding of a name as people write it, in any case; nil for what is no name.
  ///
  /// Names that the system reads otherwise than the files of Windows programs mean them are mended: `shift_jis` is
  /// Microsoft's code page 932, where `\` and `~` are themselves, and GB2312 and GBK are read as GB18030, which holds
  /// both.
  package init?(named name: String) {
    let plain = name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") && $0 != 0x20 }
    switch String(decoding: plain, as: UTF8.self) {
    case "utf8": self = .utf8
    case "utf16": self = .other("UTF-16")
    case "utf16le": self = .other("UTF-16LE")
    case "utf16be": self = .other("UTF-16BE")
    case "gb18030", "gbk", "gb2312", "cp936", "euccn": self = .other("GB18030")
    case "big5": self = .other("BIG5")
    case "shiftjis", "sjis", "cp932", "windows31j": self = .other("CP932")
    case "windows1252", "cp1252": self = .other("CP1252")
    default:
      // A slash would let iconv drop or replace what it can't convert.
      let isName = name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
          UInt8(ascii: ":"):
          true
        default: false
        }
      }
      guard isName, !name.isEmpty else { return nil }
      self = .other(name.uppercased())
    }
  }
}
