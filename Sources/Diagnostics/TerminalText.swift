import InvisibleText

/// The text with all that could steer or deceive a terminal, or its reader, in a visible form, `\u{1b}` for instance:
/// control characters and all of `InvisibleText`, bidi controls for instance. CR becomes `\r`; with `singleLine` LF and
/// TAB become `\n` and `\t`, else they stay. Joiners stay within emoji and within words of scripts that need them.
///
/// Text that holds none of these, nearly all of it, comes back as it is.
package func terminalSafe(_ text: some StringProtocol, singleLine: Bool = true) -> String {
  let harmless =
    text.utf8.withContiguousStorageIfAvailable { isHarmless($0, singleLine: singleLine) } ?? false
  if harmless { return String(text) }
  var safe = ""
  safe.reserveCapacity(text.utf8.count + 16)
  forEachVisible(in: text.unicodeScalars, singleLine: singleLine) { scalar, form in
    if let form { safe += form } else { safe.unicodeScalars.append(scalar) }
  }
  return safe
}

/// Calls `body` for each scalar, with the visible form of one that a terminal must not get.
func forEachVisible(
  in scalars: some Collection<Unicode.Scalar>, singleLine: Bool, _ body: (Unicode.Scalar, String?) -> Void
) {
  var previous: Unicode.Scalar?
  var index = scalars.startIndex
  while index != scalars.endIndex {
    let scalar = scalars[index]
    index = scalars.index(after: index)
    let next = index == scalars.endIndex ? nil : scalars[index]
    let isJoiner = scalar.value == 0x200C || scalar.value == 0x200D
    let form =
      isJoiner
      ? (joins(previous, next) ? nil : escape(of: scalar)) : visibleForm(of: scalar, singleLine: singleLine)
    body(scalar, form)
    previous = form == nil ? scalar : nil
  }
}

private func visibleForm(of scalar: Unicode.Scalar, singleLine: Bool) -> String? {
  switch scalar.value {
  case 0x0A: return singleLine ? "\\n" : nil
  case 0x09: return singleLine ? "\\t" : nil
  case 0x0D: return "\\r"
  case 0..<0x20, 0x7F...0x9F: return escape(of: scalar)
  case 0..<0x7F: return nil
  default: return InvisibleText.contains(scalar.value) ? escape(of: scalar) : nil
  }
}

private func escape(of scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

/// Whether a joiner between the two does something that people see.
private func joins(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
  guard let previous, let next, previous.value >= 0x80, next.value >= 0x80 else { return false }
  let isEmoji = previous.properties.isEmoji || previous.value == 0xFE0F
  return (isEmoji && next.properties.isEmoji) || (isOfJoiningScript(previous) && isOfJoiningScript(next))
}

/// Arabic to Sinhala, Myanmar, Khmer and Mongolian, and the presentation forms of Arabic.
private func isOfJoiningScript(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x600...0xDFF, 0x1000...0x109F, 0x1780...0x18AF, 0xFB50...0xFEFC: true
  default: false
  }
}

/// Whether nothing among the bytes can need a visible form; says no rather too often.
private func isHarmless(_ bytes: UnsafeBufferPointer<UInt8>, singleLine: Bool) -> Bool {
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    index += 1
    if byte >= 0x20 && byte < 0x7F { continue }
    let next = index < bytes.count ? bytes[index] : 0
    switch byte {
    case 0x09, 0x0A:
      if singleLine { return false }
    case 0..<0x20, 0x7F, 0xF3: return false
    case 0xC2: if next < 0xA0 || next == 0xAD { return false }
    case 0xD8: if next == 0x9C { return false }
    case 0xE1: if next == 0x85 || next == 0x9E || next == 0xA0 { return false }
    case 0xE2:
      let last = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch (next, last) {
      case (0x80, 0x8B...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA0...0xAF): return false
      default: break
      }
    case 0xE3: if next == 0x85 { return false }
    case 0xEF: if next == 0xBB || next >= 0xBE { return false }
    case 0xF0: if next == 0x9B || next == 0x9D { return false }
    default: break
    }
  }
  return true
}
