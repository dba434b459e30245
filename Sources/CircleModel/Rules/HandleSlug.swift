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

  /// The slug, with `-2`, `-3`… where it is taken; `server-N` with the smallest free N for a name without a slug.
  package static func free(for name: Text, isTaken: (Text) -> Bool) -> Text {
    if let slug = slug(of: name) {
      let plain = Text(slug)
      if !isTaken(plain) { return plain }
      return first(from: 2, isTaken: isTaken) { number in
        let suffix = "-\(number)"
        return String(decoding: slug.utf8.prefix(limit - suffix.utf8.count), as: UTF8.self) + suffix
      }
    }
    return first(from: 1, isTaken: isTaken) { "server-\($0)" }
  }

  private static func first(from start: Int, isTaken: (Text) -> Bool, _ spelling: (Int) -> String) -> Text {
    var number = start
    while true {
      let handle = Text(spelling(number))
      if !isTaken(handle) { return handle }
      number += 1
    }
  }
}
