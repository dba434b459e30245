import Diagnostics

/// HTML that can't be broken by what is put into it: what stands in the program is markup, what is interpolated is text.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  /// - Parameter markup: what needs no escape.
  init(markup: String) { text = markup }

  static func += (left: inout HTML, right: HTML) { left.text += right.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// Text of the program's own.
    mutating func appendInterpolation(_ words: String) { text += escapedMarkup(words) }

    /// What anyone gave: kept apart, so that its direction does not turn what stands around it.
    mutating func appendInterpolation(given words: String) {
      if !words.isEmpty { text += "<bdi>\(escapedMarkup(words))</bdi>" }
    }
  }
}

/// XML with the same promise.
struct XML: ExpressibleByStringInterpolation {
  private(set) var text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  static func += (left: inout XML, right: XML) { left.text += right.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ xml: XML) { text += xml.text }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    /// One line, for an attribute's value or an element's content.
    mutating func appendInterpolation(_ words: String) { text += escapedMarkup(words) }
    /// The content of an element, its lines kept.
    mutating func appendInterpolation(lines words: [String]) {
      text += words.map { escapedMarkup($0) }.joined(separator: "\n")
    }
  }
}

/// One line of text for HTML and XML alike: controls, bidi overrides and what XML forbids in a visible form.
private func escapedMarkup(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: byte >= 0x20 && byte < 0x7F
    }
  }
  if isPlain { return text }
  var escaped = ""
  for scalar in terminalSafe(text).unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "'": escaped += "&#39;"
    case "\u{FFFE}", "\u{FFFF}": escaped += "\\u{\(String(scalar.value, radix: 16))}"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
