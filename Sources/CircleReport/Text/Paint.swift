import JSONText

/// The colours of a report, by what they mean.
enum Paint: String, Sendable {
  case heading = "1"
  case added = "32"
  case changed = "33"
  case removed = "31"
  case blocked = "1;31"
  case drift = "35"
  /// What is there to look up, not to read first.
  case faint = "2"
}

extension TextStyle {
  func paint(_ text: String, _ paint: Paint?) -> String {
    guard colour, let paint, !text.isEmpty else { return text }
    return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
  }

  func append(_ text: String, _ paint: Paint?, to buffer: inout ByteBuffer) {
    if colour { return buffer.append(utf8: self.paint(text, paint)) }
    buffer.append(utf8: text)
  }
}
