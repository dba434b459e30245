package import CircleModel

/// Where a list goes on, as a text that means nothing to whoever carries it: hexadecimal digits.
package struct PageCursor: Equatable, Sendable {
  /// Which list, with all that bears on its order: a cursor of another one is refused.
  private let list: Text
  package let key: PageKey

  package init(list: Text, key: PageKey) {
    self.list = list
    self.key = key
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.list == right.list && left.key.parts == right.key.parts
  }

  /// NUL parts the fields: it is in no name, id or text.
  package var text: String {
    let fields = ([list] + key.parts).map(\.string).joined(separator: "\0")
    let digits = Array("0123456789abcdef".utf8)
    var hex: [UInt8] = []
    hex.reserveCapacity(fields.utf8.count * 2)
    for byte in fields.utf8 {
      hex.append(digits[Int(byte >> 4)])
      hex.append(digits[Int(byte & 15)])
    }
    return String(decoding: hex, as: UTF8.self)
  }

  /// - Throws: `invalidParam` for what is no cursor, or one of another list.
  package init(parsing text: String, of list: Text) throws(Refused) {
    guard let bytes = Self.bytes(text), let fields = String(validating: bytes, as: UTF8.self) else {
      throw Refused(.invalidParam, "the cursor is none that a list gave")
    }
    let parts = fields.split(separator: "\0", omittingEmptySubsequences: false).map { Text(String($0)) }
    guard parts.count > 1, parts[0] == list else {
      throw Refused(.invalidParam, "the cursor is of another list, or of another order")
    }
    self.init(list: list, key: PageKey(Array(parts.dropFirst())))
  }

  private static func bytes(_ hex: String) -> [UInt8]? {
    guard !hex.isEmpty, hex.utf8.count.isMultiple(of: 2), hex.utf8.count <= 16_384 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hex.utf8 {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x61 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
