import InvisibleText

/// Holds where nothing in the text can steer a terminal or deceive its reader; line breaks and tabs are allowed where it
/// has lines.
func holdVisible(_ text: String, lines: Bool = false) throws {
  for scalar in text.unicodeScalars where !isVisible(scalar) {
    if lines, scalar == "\n" || scalar == "\t" { continue }
    throw Broken(description: "U+\(String(scalar.value, radix: 16)) got through: \(String(reflecting: text))")
  }
}

func isVisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F...0x9F: false
  default: !InvisibleText.contains(scalar.value)
  }
}
