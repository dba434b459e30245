/// The text with all that could steer or deceive a terminal in a visible form, `\u{1b}` for instance: control
/// characters, the bidi overrides and isolates (U+202A to U+202E, U+2066 to U+2069) and the line separators U+2028 and
/// U+2029. CR becomes `\r`; with `singleLine` LF and TAB become `\n` and `\t`, else they stay.
///
/// Text that holds none of these, nearly all of it, comes back as it is.
package func terminalSafe(_ text: some StringProtocol, singleLine: Bool = true) -> String {
  let harmless =
    text.utf8.withContiguousStorageIfAvailable { isHarmless($0, singleLine: singleLine) } ?? false
  if harmless { return String(text) }
  var safe = ""
  safe.reserveCapacity(text.utf8.count + 16)
  for scalar in text.unicodeScalars {
    if let form = visibleForm(of: scalar, singleLine: singleLine) {
      safe += form
    } else {
      safe.unicodeScalars.append(scalar)
    }
  }
  return safe
}

/// The visible form of a scalar that a terminal must not get; nil for all others.
func visibleForm(of scalar: Unicode.Scalar, singleLine: Bool) -> String? {
  switch scalar.value {
  case 0x0A: singleLine ? "\\n" : nil
  case 0x09: singleLine ? "\\t" : nil
  case 0x0D: "\\r"
  case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: "\\u{\(String(scalar.value, radix: 16))}"
  default: nil
  }
}

/// Says the same of UTF-8 bytes as `visibleForm` of their scalars: U+0080 to U+009F are C2 80 to C2 9F, U+2028 to
/// U+202E are E2 80 A8 to E2 80 AE, U+2066 to U+2069 are E2 81 A6 to E2 81 A9.
private func isHarmless(_ bytes: UnsafeBufferPointer<UInt8>, singleLine: Bool) -> Bool {
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    index += 1
    if byte >= 0x20 && byte < 0x7F { continue }
    switch byte {
    case 0x09, 0x0A:
      if singleLine { return false }
    case 0..<0x20, 0x7F:
      return false
    case 0xC2:
      if index < bytes.count, bytes[index] < 0xA0 { return false }
    case 0xE2:
      guard index + 1 < bytes.count else { break }
      switch (bytes[index], bytes[index + 1]) {
      case (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): return false
      default: break
      }
    default:
      break
    }
  }
  return true
}
