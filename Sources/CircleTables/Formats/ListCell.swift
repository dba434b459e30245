import JSONText

/// A cell that holds several texts, such as tags or devices.
package enum ListCell {
  /// The texts of a cell: those of a JSON list; else what `|` parts where there is one, else `;`, else `,`. Blanks around
  /// them do not count, and nothing between two delimiters is nothing.
  package static func items(_ cell: UnsafeBufferPointer<UInt8>) -> [String] {
    if cell.first == UInt8(ascii: "["), let list = json(cell) { return list }
    let delimiter = [UInt8(ascii: "|"), UInt8(ascii: ";")].first { cell.contains($0) } ?? UInt8(ascii: ",")
    return cell.split(separator: delimiter).compactMap { part in
      var part = part
      while let first = part.first, first == 0x20 || first == 0x09 { part.removeFirst() }
      while let last = part.last, last == 0x20 || last == 0x09 { part.removeLast() }
      return part.isEmpty ? nil : String(decoding: part, as: UTF8.self)
    }
  }

  /// Whether a cell begins as a JSON list of texts and is none.
  static func isBroken(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
    guard cell.first == UInt8(ascii: "[") else { return false }
    let inner = cell.dropFirst().first { $0 != 0x20 && $0 != 0x09 }
    return inner == UInt8(ascii: "\"") && json(cell) == nil
  }

  static let broken = "the JSON list of texts is broken"

  private static func json(_ cell: UnsafeBufferPointer<UInt8>) -> [String]? {
    do throws(JSONFault) {
      let document = try JSONDocument(UnsafeRawBufferPointer(cell))
      guard document.root.kind == .array else { return nil }
      var texts: [String] = []
      var isOfTexts = true
      document.root.forEachElement { element in
        if let text = element.string { texts.append(text) } else { isOfTexts = false }
      }
      return isOfTexts ? texts : nil
    } catch {
      return nil
    }
  }

  /// The texts as a cell that `items` gives back: parted by `|` where that is possible, else a JSON list.
  package static func cell(_ items: [String]) -> String {
    let isPlain = items.allSatisfy { item in
      let blanks: [UInt8?] = [0x20, 0x09]
      return !item.isEmpty && !blanks.contains(item.utf8.first) && !blanks.contains(item.utf8.last)
        && item.utf8.first != UInt8(ascii: "[")
        && !item.utf8.contains { $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    }
    return isPlain ? items.joined(separator: "|") : text(items)
  }

  /// A JSON list.
  static func text(_ items: [String]) -> String {
    var writer = JSONWriter()
    writer.array { writer in
      for item in items { writer.string(item) }
    }
    return String(decoding: writer.buffer.bytes, as: UTF8.self)
  }
}
