import Diagnostics
import JSONText
import YAMLEvents

@testable import CircleManifest
@testable import CircleReport

extension FuzzTarget {
  /// Text that anyone gave, as each format writes it: no control, no bidi control and no markup gets through, and what has a
  /// way back comes back as it was.
  static let escapes = FuzzTarget(name: "escapes") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let safe = terminalSafe(text)
    try holdVisible(safe)
    try holdEqual(terminalSafe(safe), safe, "what is safe has changed")
    try holdVisible(terminalSafe(text, singleLine: false), lines: true)
    for width in [0, 1, 7, 40] {
      try hold(displayWidth(truncated(safe, to: width)) <= width, "it is wider than \(width) columns")
    }
    try checkMarkup(text, safe)
    try checkMarkdown(text, safe)
    try checkWorkflowCommand(text)
    try checkJSON(text)
    try checkYAML(text)
    let encoded = percentEncoded(text)
    try hold(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }, "it is no URI: \(encoded)")
    try holdEqual(percentDecoded(encoded), Array(text.utf8), "percent-encoded it is another text")
  }

  private static func checkMarkup(_ text: String, _ safe: String) throws {
    let expected = safe.replaced(["\u{FFFE}": "\\u{fffe}", "\u{FFFF}": "\\u{ffff}"])
    for markup in [("\(text)" as HTML).text, ("\(text)" as XML).text, ("\(lines: [text])" as XML).text] {
      try holdVisible(markup)
      try hold(!markup.unicodeScalars.contains { "<>\"'".unicodeScalars.contains($0) }, "markup got through: \(markup)")
      let back = markup.replaced(["&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&amp;": "&"])
      try holdEqual(Array(back.utf8), Array(expected.utf8), "as markup it is another text")
    }
    let given = ("\(given: text)" as HTML).text
    try hold(given.isEmpty || given == "<bdi>\(("\(text)" as HTML).text)</bdi>", "it is not kept apart: \(given)")
  }

  private static func checkMarkdown(_ text: String, _ safe: String) throws {
    let sentence = ("\(text)" as Markdown).text
    // What stands for a character: `&#64;`, and after some a joiner that makes no mention of them.
    var back = ""
    var rest = sentence.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "&" {
        let digits = rest.prefix { $0 != ";" }
        guard digits.first == "#", let value = UInt32(String(digits.dropFirst())), let meant = Unicode.Scalar(value)
        else {
          throw Broken(description: "a bare '&' in \(sentence)")
        }
        back.unicodeScalars.append(meant)
        rest = rest.dropFirst(digits.count + 1)
        if rest.first == "\u{2060}" { rest.removeFirst() }
      } else {
        try hold(
          isVisible(scalar) && !"\\`*_{}[]<>+|~^=@#!$%".unicodeScalars.contains(scalar), "'\(scalar)' in \(sentence)")
        back.unicodeScalars.append(scalar)
      }
    }
    try holdEqual(Array(back.utf8), Array(safe.utf8), "as a sentence it is another text")
    try checkCode(("\(code: text)" as Markdown).text, inTable: false)
    try checkCode(("\(cell: text)" as Markdown).text, inTable: true)
  }

  private static func checkCode(_ code: String, inTable: Bool) throws {
    try holdVisible(code)
    guard code != "(empty)" else { return }
    let fence = code.unicodeScalars.prefix { $0 == "`" }.count
    let content = code.unicodeScalars.dropFirst(fence).dropLast(fence)
    var (run, previous) = (0, Unicode.Scalar(" "))
    for scalar in content {
      run = scalar == "`" ? run + 1 : 0
      try hold(run < fence, "the code ends too early: \(code)")
      try hold(!inTable || scalar != "|" || previous == "\\", "the cell ends too early: \(code)")
      previous = scalar
    }
    try hold(fence > 0 && code.unicodeScalars.suffix(fence).allSatisfy { $0 == "`" }, "the code has no end: \(code)")
    try hold(content.first != "`" && content.last != "`", "the fence is longer than it is: \(code)")
  }

  private static func checkWorkflowCommand(_ text: String) throws {
    let command = WorkflowCommand(name: "error", properties: [(key: "file", value: text)], message: [text, text]).text
    try holdVisible(command)
    let property = command.utf8.dropFirst("::error file=".utf8.count).prefix { $0 != UInt8(ascii: ":") }
    try hold(!property.contains(UInt8(ascii: ",")), "the property ends too early: \(command)")
  }

  private static func checkJSON(_ text: String) throws {
    var buffer = ByteBuffer(capacity: 64)
    buffer.append(jsonString: text)
    let json = buffer.bytes
    // RFC 8259 asks for no escape of DEL and of the controls from U+0080 on.
    try holdVisible(String(decoding: json, as: UTF8.self).without { (0x7F...0x9F).contains($0.value) })
    // Nobody has a NUL character in a text: readers refuse it.
    guard !text.utf8.contains(0) else { return }
    var texts: [[UInt8]] = []
    do throws(JSONFault) {
      let document = try JSONDocument(Array("[".utf8) + json + Array("]".utf8))
      document.root.forEachElement { (node) throws(Never) in
        texts.append(node.withText { Array($0) } ?? [])
      }
    } catch {
      throw Broken(description: "\(error): \(String(decoding: json, as: UTF8.self))")
    }
    try holdEqual(texts, [Array(text.utf8)], "as JSON it is another text")
  }

  private static func checkYAML(_ text: String) throws {
    guard !text.utf8.contains(0) else { return }
    for (position, before, after) in [(ScalarPosition.block, "a: ", "\n"), (.key, "", ": a\n"), (.flow, "[", "]\n")] {
      var buffer = ByteBuffer(capacity: 64)
      buffer.append(utf8: before)
      Array(text.utf8).withUnsafeBufferPointer { buffer.append(scalar: $0, position) }
      buffer.append(utf8: after)
      let yaml = buffer.bytes
      if yaml.count > 900, position == .key { continue }
      try holdVisible(String(decoding: yaml, as: UTF8.self), lines: true)
      var stream = YAMLEventStream(bytes: yaml)
      var scalars: [[UInt8]] = []
      do throws(YAMLFault) {
        while case let kind = try stream.next(), kind != .streamEnd {
          if kind == .scalar { scalars.append(stream.withScalar { Array($0) }) }
        }
      } catch {
        throw Broken(description: "\(error.message): \(String(decoding: yaml, as: UTF8.self))")
      }
      try hold(
        scalars.contains(Array(text.utf8)), "as YAML it is another text: \(String(decoding: yaml, as: UTF8.self))")
    }
  }

  private static func percentDecoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

extension String {
  fileprivate func without(_ isDropped: (Unicode.Scalar) -> Bool) -> String {
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: unicodeScalars.filter { !isDropped($0) })
    return String(kept)
  }

  /// By bytes: the library's own `replacing` does not find what a combining mark follows.
  fileprivate func replaced(_ words: [String: String]) -> String {
    var result: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.first {
      if let word = words.first(where: { rest.starts(with: $0.key.utf8) }) {
        result += word.value.utf8
        rest = rest.dropFirst(word.key.utf8.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
