import YAMLEvents

/// All events of a text as short lines, `kind line:column` and what the event holds, without the stream's own two.
func log(_ bytes: [UInt8], maximumDepth: Int = 64) throws(YAMLFault) -> [String] {
  var reader = YAMLEventReader(bytes: bytes, maximumDepth: maximumDepth)
  var lines: [String] = []
  while true {
    let kind = try reader.next()
    if kind == .streamEnd { return lines }
    if kind == .streamStart { continue }
    var line = "\(kind) \(reader.line):\(reader.column)"
    if kind == .scalar { line += "-\(reader.endLine):\(reader.endColumn) \(reader.isPlain ? "" : "quoted ")" }
    line += kind == .scalar ? "[\(reader.scalar)]" : ""
    line += reader.anchor.map { " &\($0)" } ?? ""
    line += reader.tag.map { " !\($0)" } ?? ""
    lines.append(line)
  }
}

func log(_ text: String) throws(YAMLFault) -> [String] { try log(Array(text.utf8)) }

/// The scalars of a text with their places.
func scalars(_ bytes: [UInt8]) throws(YAMLFault) -> [String] {
  try log(bytes).filter { $0.hasPrefix("scalar") }.map { String($0.dropFirst("scalar ".count)) }
}

/// The fault of a text, nil when it has none.
func fault(_ bytes: [UInt8], maximumDepth: Int = 64) -> YAMLFault? {
  do throws(YAMLFault) {
    _ = try log(bytes, maximumDepth: maximumDepth)
    return nil
  } catch {
    return error
  }
}

func utf16(_ text: String, littleEndian: Bool) -> [UInt8] {
  text.utf16.flatMap { unit in
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    return littleEndian ? [low, high] : [high, low]
  }
}
