import JSONText

/// How the rows of a table are written.
package enum TableFormat: String, CaseIterable, Sendable {
  case csv, tsv, json, ndjson, yaml, mattermost

  /// For help, without a full stop.
  package var summary: String {
    switch self {
    case .csv: "comma-separated values, or with another delimiter"
    case .tsv: "tab-separated values"
    case .json: "an array of objects"
    case .ndjson: "one JSON object a line"
    case .yaml: "a list of mappings"
    case .mattermost: "the user lines of a Mattermost bulk export"
    }
  }

  /// By the file's name, `.gz` at its end left out.
  static func named(_ path: String) -> TableFormat? {
    var name = path.lowercased()
    if name.hasSuffix(".gz") { name.removeLast(3) }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch name[name.index(after: dot)...] {
    case "csv": return .csv
    case "tsv", "tab": return .tsv
    case "json": return .json
    case "ndjson", "jsonl": return .ndjson
    case "yaml", "yml": return .yaml
    default: return nil
    }
  }

  /// By the name, and by the first bytes of the text where that says more, or the name nothing.
  init(path: String, head: UnsafeBufferPointer<UInt8>) {
    let first = head.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && !Self.mark.contains($0) }
    let isObject = first == UInt8(ascii: "{")
    switch Self.named(path) {
    case .csv: self = .csv
    case .tsv: self = .tsv
    case .yaml: self = .yaml
    case .json where !isObject: self = .json
    case .json, .ndjson: self = Self.isMattermost(head) ? .mattermost : .ndjson
    case .mattermost, nil:
      if isObject {
        self = Self.isMattermost(head) ? .mattermost : .ndjson
      } else if first == UInt8(ascii: "[") {
        self = .json
      } else {
        self = Self.isYAML(head) ? .yaml : .csv
      }
    }
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func isYAML(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = head.starts(with: mark) ? UnsafeBufferPointer(rebasing: head[3...]) : head
    return ["- ", "---", "%YAML"].contains { text.starts(with: $0.utf8) }
  }

  /// A bulk export begins with a line that names its version.
  private static func isMattermost(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    let begin = head.starts(with: mark) ? 3 : 0
    let end = head.firstIndex(of: 0x0A) ?? head.endIndex
    guard begin < end else { return false }
    do throws(JSONFault) {
      let line = try JSONDocument(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: head[begin..<end])))
      return line.root["type"]?.string == "version" && line.root["version"] != nil
    } catch {
      return false
    }
  }

  /// The delimiter of the first record that has anything in it: the one of comma, semicolon and tab that stands most often
  /// outside quotes.
  static func delimiter(of head: UnsafeBufferPointer<UInt8>) -> UInt8 {
    let none = [UInt8(ascii: ","): 0, UInt8(ascii: ";"): 0, 0x09: 0]
    var counts = none
    var isQuoted = false
    var isEmpty = true
    for byte in head[(head.starts(with: mark) ? mark.count : 0)...] {
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if isQuoted {
        isEmpty = false
      } else if byte == 0x0A || byte == 0x0D {
        guard isEmpty else { break }
        counts = none
      } else if counts[byte] != nil {
        counts[byte]? += 1
      } else {
        isEmpty = false
      }
    }
    let comma = UInt8(ascii: ",")
    return counts.max { ($0.value, $0.key == comma ? 1 : 0) < ($1.value, $1.key == comma ? 1 : 0) }?.key ?? comma
  }
}
