/// The handle of a server that is created without one, made from its name.
package enum HandleSlug {
  private static let limit = 63

  /// ASCII letters and digits lower-cased and kept, each other run one `-`, trimmed and cut to 63 bytes; nil when
  /// nothing is left.
  package static func slug(of name: Text) -> String? {
    var letters: [UInt8] = []
    name.withBytes { bytes in
      for byte in bytes {
        if byte &- 48 < 10 || byte &- 97 < 26 {
          letters.append(byte)
        } else if byte &- 65 < 26 {
          letters.append(byte | 0x20)
        } else if letters.last != UInt8(ascii: "-"), !letters.isEmpty {
          letters.append(UInt8(ascii: "-"))
        }
      }
    }
    if letters.last == UInt8(ascii: "-") { letters.removeLast() }
    return letters.isEmpty ? nil : String(decoding: letters.prefix(limit), as: UTF8.self)
  }

  /// The handle with a number, cut so that it keeps its rule; `server-N` where the name has no slug.
  static func numbered(_ slug: String?, _ number: Int) -> Text {
    guard let slug else { return Text("server-\(number)") }
    let suffix = "-\(number)"
    return Text(String(decoding: slug.utf8.prefix(limit - suffix.utf8.count), as: UTF8.self) + suffix)
  }
}
