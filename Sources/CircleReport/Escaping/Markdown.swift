import Diagnostics

/// GitHub's and GitLab's Markdown that can't be broken by what is put into it: what stands in the program is markup, what
/// is interpolated is text on one line.
struct Markdown: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  /// - Parameter markup: what needs no escape.
  init(markup: String) { text = markup }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ markdown: Markdown) { text += markdown.text }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// A sentence that may hold what anyone gave.
    mutating func appendInterpolation(_ words: String) {
      let isFirst = text.isEmpty || text.hasSuffix("- ") || text.hasSuffix("> ") || text.hasSuffix("\n")
      text += escapedSentence(words, isFirst: isFirst)
    }
    /// Words of the program, times and numbers, which mean nothing in Markdown.
    mutating func appendInterpolation(own words: String) { text += words }
    /// What anyone gave, as code: neither a link, nor a mention, nor a number of an issue is made of it.
    mutating func appendInterpolation(code words: String) { text += codeSpan(words, inTable: false) }
    /// The same in a cell of a table.
    mutating func appendInterpolation(cell words: String) { text += codeSpan(words, inTable: true) }
  }
}

/// Character references stand for all that could mean something; they never make structure.
///
/// - Parameter isFirst: whether it stands where a block may begin.
private func escapedSentence(_ text: String, isFirst: Bool) -> String {
  var escaped = ""
  var isFirst = isFirst
  var previous: Unicode.Scalar = "\n"
  for scalar in terminalSafe(text).unicodeScalars {
    switch scalar {
    case "@", "#", "!", "$", "%":
      // No mention and no reference to an issue is made where an invisible character follows.
      escaped += "&#\(scalar.value);\u{2060}"
    case "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "+", "|", "~", "&", "^", "=":
      escaped += "&#\(scalar.value);"
    case "/" where previous == ":":
      escaped += "&#47;"
    case "." where previous == "w" || previous == "W":
      escaped += "&#46;"
    case "'", "\"":
      escaped.unicodeScalars.append(scalar)
    case _ where isFirst && scalar.isASCII && !scalar.properties.isAlphabetic:
      // At the beginning a digit or a dash would make a list, blanks would make code.
      escaped += "&#\(scalar.value);"
    default:
      escaped.unicodeScalars.append(scalar)
    }
    previous = scalar
    isFirst = false
  }
  return escaped
}

private func codeSpan(_ text: String, inTable: Bool) -> String {
  guard !text.isEmpty else { return "(empty)" }
  // Nearly all ids, handles and places.
  let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "|") }
  if isPlain { return "`\(text)`" }
  var content = ""
  var ticks = 0
  var longest = 0
  var previous: Unicode.Scalar = " "
  for scalar in terminalSafe(text).unicodeScalars {
    ticks = scalar == "`" ? ticks + 1 : 0
    longest = max(longest, ticks)
    if inTable, scalar == "|" {
      // A backslash before the one that escapes would take its meaning.
      content += previous == "\\" ? "\\u{7c}" : "\\|"
    } else {
      content.unicodeScalars.append(scalar)
    }
    previous = scalar
  }
  let fence = String(repeating: "`", count: longest + 1)
  // One blank is taken away on either side where both are there.
  let touches = content.hasPrefix("`") || content.hasPrefix(" ") || content.hasSuffix("`") || content.hasSuffix(" ")
  return touches ? "\(fence) \(content) \(fence)" : "\(fence)\(content)\(fence)"
}
