/// Finds values in the text of a JSON object by the keys that lead to them.
enum JSONKeys {
  /// Where a value begins.
  ///
  /// - Parameters:
  ///   - path: the key in the object itself, then that in the object which is its value, and so on.
  ///   - text: an object that is valid JSON.
  /// - Returns: nil where no key is spelt so; escapes are not undone.
  static func value(at path: [[UInt8]], in text: ArraySlice<UInt8>) -> Int? {
    var depth = 0
    // How many keys of the path lead to where the search stands.
    var matched = 0
    var offset = text.startIndex
    while offset < text.endIndex {
      switch text[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let begin = offset + 1
        let end = self.end(ofText: begin, in: text)
        offset = end
        guard let value = value(after: end, in: text), depth > 0 else { break }
        matched = min(matched, depth - 1)
        guard depth <= path.count, matched == depth - 1, text[begin..<end].elementsEqual(path[depth - 1]) else { break }
        if depth == path.count { return value }
        matched = depth
      default: break
      }
      offset += 1
    }
    return nil
  }

  /// Where the closing quotation mark stands.
  private static func end(ofText begin: Int, in text: ArraySlice<UInt8>) -> Int {
    var offset = begin
    while offset < text.endIndex, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(offset, text.endIndex)
  }

  /// Where the value of the key begins whose closing quotation mark stands at the offset; nil where that is no key.
  private static func value(after quote: Int, in text: ArraySlice<UInt8>) -> Int? {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    guard quote < text.endIndex, let colon = text[(quote + 1)...].firstIndex(where: { !isBlank($0) }),
      text[colon] == UInt8(ascii: ":")
    else { return nil }
    return text[(colon + 1)...].firstIndex { !isBlank($0) }
  }
}
